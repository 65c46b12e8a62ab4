import { X509Certificate } from 'node:crypto';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';
import type { Client } from '../../support/cluster/client';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { ApiError } from '../../support/cluster/rest';

/** How the fake responds to a certificate request. */
export type Behaviour =
  /** Issues the certificate, as cert-manager does. */
  | 'issue'
  /** Does nothing, as when cert-manager is down. */
  | 'ignore'
  /** Reports that the signer refused. */
  | 'fail'
  /** Writes a key that does not match the certificate. */
  | 'mix up keys'
  /** Signs the certificate with an unknown anchor. */
  | 'sign with a stranger';

/** Acts as cert-manager for the Certificates of some namespaces: issues missing Secrets and requested certificates. */
export interface FakeIssuer {
  /** The root that signs CA certificates, in PEM. */
  readonly anchor: string;
  /** The names of issued Certificates, in order. */
  readonly issued: string[];
  behave(certificate: string, behaviour: Behaviour): void;
  stop(): Promise<void>;
}

const INTERVAL_MS = 50;
const API_VERSION = 'cert-manager.io/v1';

export function startFakeIssuer(client: Client, namespaces: readonly string[]): FakeIssuer {
  const anchor = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
  const stranger = issueCertificate({ commonName: 'root.elsewhere', ca: true });
  const behaviours = new Map<string, Behaviour>();
  const issued: string[] = [];
  let stopped = false;

  const handle = async (certificate: KubeObject): Promise<void> => {
    const name = certificate.metadata.name ?? '';
    const behaviour = behaviours.get(name) ?? 'issue';
    if (behaviour === 'ignore' || !(await isDue(client, certificate))) return;
    if (behaviour === 'fail') {
      await setConditions(client, certificate, [ready(certificate, 'True'), FAILED]);
      return;
    }
    const pair = issueCertificate({
      commonName: `${name}.linkerd.cluster.local`,
      ca: certificate.spec.isCA,
      issuer: behaviour === 'sign with a stranger' ? stranger : anchor,
    });
    const key = behaviour === 'mix up keys' ? stranger.key : pair.key;
    await writeSecret(client, certificate, { cert: pair.cert, key });
    issued.push(name);
    await setConditions(client, certificate, [ready(certificate, 'True')]);
  };
  const round = async (): Promise<void> => {
    for (const namespace of namespaces) {
      for (const certificate of await client.list(API_VERSION, 'Certificate', { namespace })) await handle(certificate);
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      // The API server does not serve the new kind yet.
      await round().catch((error) => {
        if (!(error instanceof ApiError && error.code === 429)) throw error;
      });
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    }
  };
  const running = loop();
  return {
    anchor: anchor.cert,
    issued,
    behave: (certificate, behaviour) => void behaviours.set(certificate, behaviour),
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

async function isDue(client: Client, certificate: KubeObject): Promise<boolean> {
  const conditions: readonly { type: string; status: string }[] = certificate.status?.conditions ?? [];
  if (conditions.some(({ type, status }) => type === 'Issuing' && status === 'True')) return true;
  const { namespace } = certificate.metadata;
  return (await client.find(ref('v1', 'Secret', certificate.spec.secretName, namespace))) === undefined;
}

async function writeSecret(client: Client, { metadata, spec }: KubeObject, { cert, key }: KeyPair): Promise<void> {
  await client.apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name: spec.secretName, namespace: metadata.namespace },
      stringData: { 'tls.crt': cert, 'tls.key': key },
    },
    { fieldManager: 'fake-issuer', force: true },
  );
}

const NOW = () => new Date().toISOString().replace(/\.\d+Z/, 'Z');
const FAILED = { type: 'Issuing', status: 'False', reason: 'Failed', message: 'the signer refused' };

function ready({ metadata }: KubeObject, status: string) {
  return { type: 'Ready', status, reason: 'Checked', message: 'as told', observedGeneration: metadata.generation };
}

/**
 * Replaces the conditions Ready and Issuing at once, as cert-manager's updates do, even if another client applied them.
 * Other conditions stay unchanged.
 */
async function setConditions(client: Client, certificate: KubeObject, conditions: readonly object[]): Promise<void> {
  const others = (certificate.status?.conditions ?? []).filter(
    ({ type }: { type: string }) => type !== 'Ready' && type !== 'Issuing',
  );
  const status = {
    conditions: [...others, ...conditions.map((condition) => ({ ...condition, lastTransitionTime: NOW() }))],
    revision: (certificate.status?.revision ?? 0) + 1,
  };
  await client.patch(certificate, { status }, { subresource: 'status', fieldManager: 'fake-issuer' });
}

/** The serial number of the certificate in a Secret. */
export function serialNumber({ data }: KubeObject): string {
  return new X509Certificate(Buffer.from(data['tls.crt'], 'base64')).serialNumber;
}
