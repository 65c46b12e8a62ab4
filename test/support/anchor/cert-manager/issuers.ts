import { X509Certificate } from 'node:crypto';
import type { Client } from '../../cluster/client';
import type { KubeObject } from '../../cluster/objects';
import { certificatesOf } from './certificate-chain';
import { readPrivateKey } from './private-key';
import { type Condition, conditionOf, decoded, withCondition } from './resources';

/** The namespace of a CA issuer's Secret. */
export function resourceNamespace({ kind, metadata }: KubeObject, certManagerNamespace: string): string {
  return kind === 'ClusterIssuer' ? certManagerNamespace : (metadata.namespace ?? '');
}

/** Writes the condition Ready of an issuer if it is missing or outdated (pkg/issuer/ca/setup.go, selfsigned). */
export async function ensureIssuerStatus(
  client: Client,
  issuer: KubeObject,
  secret: KubeObject | undefined,
): Promise<void> {
  const wanted = readiness(issuer, secret);
  const found = conditionOf(issuer, 'Ready');
  const agrees =
    found?.status === wanted.status &&
    found.reason === wanted.reason &&
    found.message === wanted.message &&
    found.observedGeneration === wanted.observedGeneration;
  if (agrees) return;
  const status = { ...issuer.status, conditions: withCondition(issuer, wanted) };
  await client.replace(
    { ...issuer, status },
    { subresource: 'status', fieldManager: `cert-manager-${issuer.kind.toLowerCase()}s` },
  );
}

function readiness({ metadata, spec }: KubeObject, secret: KubeObject | undefined): Condition {
  const ready = (status: string, reason: string, message: string): Condition => {
    const said = message === '' ? {} : { message };
    return { type: 'Ready', status, reason, ...said, observedGeneration: metadata.generation };
  };
  if (spec.selfSigned !== undefined) return ready('True', 'IsReady', '');
  const missing = (what: string) => ready('False', 'ErrGetKeyPair', `Error getting keypair for CA issuer: ${what}`);
  if (secret === undefined) return missing(`secrets "${spec.ca?.secretName}" not found`);
  const [certificate] = certificatesOf(decoded(secret, 'tls.crt'));
  if (certificate === undefined) return missing('no certificate data for "tls.crt"');
  if (readPrivateKey(decoded(secret, 'tls.key')) === undefined) return missing('no private key data for "tls.key"');
  if (!new X509Certificate(certificate).ca) {
    return ready('False', 'ErrInvalidKeyPair', 'Error getting keypair for CA issuer: certificate is not a CA');
  }
  return ready('True', 'KeyPairVerified', 'Signing CA verified');
}

/** Whether an issuer's condition Ready is True. */
export function isReady(issuer: KubeObject): boolean {
  return conditionOf(issuer, 'Ready')?.status === 'True';
}
