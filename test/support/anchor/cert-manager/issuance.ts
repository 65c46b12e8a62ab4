import { X509Certificate } from 'node:crypto';
import type { KubeObject } from '../../cluster/objects';
import { certificatesOf } from './certificate-chain';
import { requestMismatches, triggerOf, type Violation } from './policies';
import { keyMismatch, publicKeyOf, readPrivateKey } from './private-key';
import { conditionOf, decoded, isIssuing, revisionOf } from './resources';
import type { ScaledDuration } from './scaled-time';
import { readSigningRequest } from './signing-request';

/** A Certificate with its Secret, next keys and requests, at one moment. */
export interface CertificateView {
  readonly certificate: KubeObject;
  readonly secret?: KubeObject;
  /** The Secrets with its next private key: one during issuance, otherwise none. */
  readonly nextKeys: readonly KubeObject[];
  /** All requests that it owns. */
  readonly requests: readonly KubeObject[];
  readonly now: Date;
  readonly duration: ScaledDuration;
  /** The wait after a failure, which doubles with each. */
  readonly backoffMs: number;
}

/** The next step of one of cert-manager's controllers for a Certificate. */
export type IssuanceStep =
  | { readonly do: 'begin'; readonly why: Violation }
  | { readonly do: 'make key'; readonly reuse?: string }
  | { readonly do: 'name key'; readonly name: string | undefined }
  | { readonly do: 'delete'; readonly objects: readonly KubeObject[] }
  | { readonly do: 'request'; readonly key: string; readonly keySecret: string; readonly revision: number }
  | { readonly do: 'finish'; readonly request: KubeObject; readonly key: string; readonly revision: number }
  | { readonly do: 'fail'; readonly why: Violation };

/** The next step of the controllers trigger, keymanager, requestmanager and issuing; `undefined` if all is done. */
export function nextStep(view: CertificateView): IssuanceStep | undefined {
  return isIssuing(view.certificate) ? stepOfIssuing(view) : stepOfIdle(view);
}

/** The request whose revision is the one in the status. */
export function currentRequest({ certificate, requests }: CertificateView): KubeObject | undefined {
  const revision = certificate.status?.revision;
  return revision === undefined ? undefined : requests.find((request) => revisionOf(request) === revision);
}

function stepOfIdle(view: CertificateView): IssuanceStep | undefined {
  const { certificate, nextKeys } = view;
  const why = triggerOf({ ...view, request: currentRequest(view) });
  if (why !== undefined && !backsOff(view)) return { do: 'begin', why };
  if (nextKeys.length > 0) return { do: 'delete', objects: nextKeys };
  if (certificate.status?.nextPrivateKeySecretName !== undefined) return { do: 'name key', name: undefined };
  return undefined;
}

/** cert-manager waits after a failure, except where the Certificate has changed since the failed request. */
function backsOff(view: CertificateView): boolean {
  const { certificate, requests, now, duration, backoffMs } = view;
  const { lastFailureTime, failedIssuanceAttempts = 1, revision = 0 } = certificate.status ?? {};
  if (lastFailureTime === undefined) return false;
  const next = requests.find((request) => revisionOf(request) === revision + 1);
  if (next !== undefined && requestMismatches(next, certificate, duration).length > 0) return false;
  const delay = Math.min(backoffMs * 2 ** (failedIssuanceAttempts - 1), backoffMs * 32);
  return now.getTime() - Date.parse(lastFailureTime) < delay;
}

function stepOfIssuing(view: CertificateView): IssuanceStep | undefined {
  const { certificate, nextKeys } = view;
  const { spec, status } = certificate;
  const [keySecret, ...more] = nextKeys;
  if (keySecret === undefined) return stepOfKey(view);
  if (more.length > 0) {
    return {
      do: 'delete',
      objects: nextKeys.filter(({ metadata }) => metadata.name !== status.nextPrivateKeySecretName),
    };
  }
  const { name = '' } = keySecret.metadata;
  if (status.nextPrivateKeySecretName === undefined) return { do: 'name key', name };
  const text = decoded(keySecret, 'tls.key') ?? '';
  const key = readPrivateKey(text);
  if (status.nextPrivateKeySecretName !== name || key === undefined || keyMismatch(key, spec.privateKey)) {
    return { do: 'delete', objects: nextKeys };
  }
  return stepOfRequest(view, { text, name, publicKey: publicKeyOf(key) });
}

/** The policy `Never` keeps the key; if it does not match the spec, cert-manager waits for the user. */
function stepOfKey({ certificate: { spec }, secret }: CertificateView): IssuanceStep | undefined {
  const text = decoded(secret, 'tls.key');
  const key = readPrivateKey(text);
  if (spec.privateKey?.rotationPolicy !== 'Never' || key === undefined) return { do: 'make key' };
  return keyMismatch(key, spec.privateKey) ? undefined : { do: 'make key', reuse: text };
}

interface NextKey {
  readonly text: string;
  /** The name of the key's Secret. */
  readonly name: string;
  readonly publicKey: Buffer;
}

function stepOfRequest(view: CertificateView, key: NextKey): IssuanceStep | undefined {
  const { certificate, requests, duration } = view;
  const revision = (certificate.status?.revision ?? 0) + 1;
  const next = requests.filter((request) => revisionOf(request) === revision);
  const useless = next.filter(
    (request) =>
      requestMismatches(request, certificate, duration).length > 0 ||
      !publicKeyIn(request).equals(key.publicKey) ||
      failedBefore(request, certificate),
  );
  if (useless.length > 0) return { do: 'delete', objects: useless };
  const [request, ...others] = next;
  if (request === undefined) return { do: 'request', key: key.text, keySecret: key.name, revision };
  if (others.length > 0) return undefined;
  return stepOfAnswer(view, request, { ...key, revision });
}

function stepOfAnswer(
  { now }: CertificateView,
  request: KubeObject,
  { text, publicKey, revision }: NextKey & { readonly revision: number },
): IssuanceStep | undefined {
  const { reason, message = '' } = conditionOf(request, 'Ready') ?? {};
  if (reason === 'Failed') return { do: 'fail', why: { reason, message } };
  if (reason !== 'Issued') return undefined;
  const invalid = checkIssued(request, publicKey, now);
  if (invalid !== undefined) return { do: 'fail', why: { reason: 'InvalidCertificate', message: invalid } };
  return { do: 'finish', request, key: text, revision };
}

function checkIssued({ status }: KubeObject, publicKey: Buffer, now: Date): string | undefined {
  const [issued] = certificatesOf(Buffer.from(status.certificate ?? '', 'base64').toString('utf8'));
  if (issued === undefined) return 'Issuer returned an invalid certificate: failed to decode';
  const certificate = readIssued(issued);
  if (!certificate.publicKey.equals(publicKey)) {
    return 'Issuer returned a certificate with a public key that does not match the CSR.';
  }
  return now > certificate.end ? 'Issuer returned an already expired certificate' : undefined;
}

function readIssued(raw: Buffer) {
  const { publicKey, validToDate } = new X509Certificate(raw);
  return { publicKey: publicKey.export({ type: 'spki', format: 'der' }), end: validToDate };
}

function publicKeyIn({ spec }: KubeObject): Buffer {
  return readSigningRequest(Buffer.from(spec.request, 'base64').toString('utf8')).publicKey;
}

/** Whether the request failed before this issuance began. */
function failedBefore(request: KubeObject, certificate: KubeObject): boolean {
  const failure = request.status?.failureTime;
  const since = conditionOf(certificate, 'Issuing')?.lastTransitionTime ?? '';
  return failure !== undefined && conditionOf(request, 'Ready')?.reason === 'Failed' && failure < since;
}
