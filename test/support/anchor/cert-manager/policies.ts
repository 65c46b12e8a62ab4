import { X509Certificate } from 'node:crypto';
import { byText } from '#base/remembered';
import { alternativeNames } from '../../cluster/certificates';
import * as der from '../../cluster/der';
import type { KubeObject } from '../../cluster/objects';
import { readCertificate } from '../../cluster/read-certificate';
import { certificatesOf } from './certificate-chain';
import { keyMismatch, publicKeyOf, readPrivateKey } from './private-key';
import { CERTIFICATE_NAME, decoded, ISSUER_GROUP, ISSUER_KIND, ISSUER_NAME, issuerRefOf } from './resources';
import type { ScaledDuration } from './scaled-time';
import { readSigningRequest, subjectOf } from './signing-request';

/** The input of all policies. */
export interface PolicyInput {
  readonly certificate: KubeObject;
  readonly secret?: KubeObject;
  /** The request whose revision is the one in the status, if it still exists. */
  readonly request?: KubeObject;
  readonly now: Date;
  readonly duration: ScaledDuration;
}

/** A reason to issue a Certificate, or for `Ready=False`. */
export interface Violation {
  readonly reason: string;
  readonly message: string;
}

type Policy = (input: PolicyInput) => Violation | undefined;

/** The first reason for which a Certificate must be issued (internal/controller/certificates/policies/policies.go). */
export function triggerOf(input: PolicyInput): Violation | undefined {
  return first([...COMMON, keyMismatchesSpec, keyDiffersFromRequest, requestMismatchesSpec, isDue], input);
}

/** The first reason for which a Certificate is not ready. */
export function unreadiness(input: PolicyInput): Violation | undefined {
  return first([...COMMON, keyMismatchesSpec, keyDiffersFromRequest, requestMismatchesSpec, hasExpired], input);
}

function first(policies: readonly Policy[], input: PolicyInput): Violation | undefined {
  for (const policy of policies) {
    const violation = policy(input);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

const hasData: Policy = ({ secret }) => {
  if (secret === undefined) {
    return { reason: 'DoesNotExist', message: 'Issuing certificate as Secret does not exist' };
  }
  const missing = (what: string) => ({
    reason: 'MissingData',
    message: `Issuing certificate as Secret does not contain ${what}`,
  });
  if (secret.data === undefined) return missing('any data');
  if (decoded(secret, 'tls.key') === undefined) return missing('a private key');
  if (decoded(secret, 'tls.crt') === undefined) return missing('a certificate');
  return undefined;
};

const isPair: Policy = ({ secret }) => {
  const certificate = certificateIn(secret);
  const key = readPrivateKey(decoded(secret, 'tls.key'));
  if (key === undefined) return { reason: 'InvalidKeyPair', message: 'Secret contains invalid private key data' };
  if (certificate === undefined) {
    return { reason: 'InvalidCertificate', message: 'Issuing certificate as Secret contains an invalid certificate' };
  }
  if (publicKeyOf(key).equals(readCertificate(certificate.raw).publicKey)) return undefined;
  const message = 'Issuing certificate as Secret contains a private key that does not match the certificate';
  return { reason: 'InvalidKeyPair', message };
};

const isOfIssuer: Policy = ({ certificate, secret }) => {
  const annotations = secret?.metadata.annotations ?? {};
  const wanted = issuerRefOf(certificate);
  const name = annotations[ISSUER_NAME];
  const kind = annotations[ISSUER_KIND] || 'Issuer';
  const group = annotations[ISSUER_GROUP] || 'cert-manager.io';
  const isMarked = [ISSUER_NAME, ISSUER_KIND, ISSUER_GROUP].some((key) => key in annotations);
  // The kind is compared even without annotations: an imported Secret then matches only a reference to an Issuer.
  if ((!isMarked || name === wanted.name) && kind === wanted.kind && group === wanted.group) return undefined;
  const message = `Issuing certificate as Secret was previously issued by "${kind}.${group}/${name ?? ''}"`;
  return { reason: 'IncorrectIssuer', message };
};

const isOfCertificate: Policy = ({ certificate, secret }) => {
  const name = secret?.metadata.annotations?.[CERTIFICATE_NAME];
  if (name === undefined || name === certificate.metadata.name) return undefined;
  const message = `Secret was issued for "${name}". If this message is not transient, you might have two conflicting Certificates pointing to the same secret.`;
  return { reason: 'IncorrectCertificate', message };
};

const COMMON: readonly Policy[] = [hasData, isPair, isOfIssuer, isOfCertificate];

const keyMismatchesSpec: Policy = ({ certificate, secret }) => {
  const key = readPrivateKey(decoded(secret, 'tls.key'));
  const field = key && keyMismatch(key, certificate.spec.privateKey);
  if (field === undefined) return undefined;
  return { reason: 'SecretMismatch', message: `Existing private key is not up to date for spec: [${field}]` };
};

const keyDiffersFromRequest: Policy = ({ secret, request }) => {
  const key = readPrivateKey(decoded(secret, 'tls.key'));
  if (request === undefined || key === undefined || requestOf(request).publicKey.equals(publicKeyOf(key))) {
    return undefined;
  }
  const message = 'Secret contains a private key that does not match the current CertificateRequest';
  return { reason: 'SecretMismatch', message };
};

const requestMismatchesSpec: Policy = (input) => {
  const { certificate, request } = input;
  if (request === undefined) return namesDiffer(input);
  const fields = requestMismatches(request, certificate, input.duration);
  if (fields.length === 0) return undefined;
  const message = `Fields on existing CertificateRequest resource not up to date: [${fields.join(' ')}]`;
  return { reason: 'RequestChanged', message };
};

/** Without a request, only names are compared: the common name and the DNS names, as one set. */
const namesDiffer: Policy = ({ certificate: { spec }, secret }) => {
  const found = certificateIn(secret);
  if (found === undefined) return undefined;
  const commonName = /^CN=(.*)$/m.exec(found.subject)?.[1] ?? '';
  const own = (found.subjectAltName ?? '').split(', ').filter((name) => name.startsWith('DNS:'));
  const has = setOf([commonName, ...own.map((name) => name.slice('DNS:'.length))]);
  if (has === setOf([spec.commonName ?? '', ...(spec.dnsNames ?? [])])) return undefined;
  const message = 'Issuing certificate as Existing issued Secret is not up to date for spec: [spec.commonName]';
  return { reason: 'SecretMismatch', message };
};

function setOf(names: readonly string[]): string {
  return [...new Set(names.filter((name) => name !== ''))].sort().join(' ');
}

const isDue: Policy = (input) => {
  const certificate = certificateIn(input.secret);
  if (certificate === undefined) return undefined;
  const renewal = renewalTime(input.certificate, certificate, input.duration);
  if (renewal === undefined || renewal > input.now) return undefined;
  return { reason: 'Renewing', message: `Renewing certificate as renewal was scheduled at ${renewal.toISOString()}` };
};

const hasExpired: Policy = ({ secret, now }) => {
  const certificate = certificateIn(secret);
  if (certificate === undefined || now <= certificate.validToDate) return undefined;
  return { reason: 'Expired', message: `Certificate expired on ${certificate.validToDate.toUTCString()}` };
};

/** Names the fields of a Certificate that a request does not ask for (pkg/util/pki/match.go, RequestMatchesSpec). */
export function requestMismatches(request: KubeObject, { spec }: KubeObject, duration: ScaledDuration): string[] {
  const asked = requestOf(request);
  const names = alternativeNames({ dnsNames: spec.dnsNames, ips: spec.ipAddresses });
  const wanted = names.length === 0 ? undefined : der.sequence(...names);
  const usages = (list: readonly string[] | undefined) => [...(list ?? [])].sort().join();
  const differs = {
    'spec.dnsNames': !(asked.alternativeNames?.equals(wanted ?? Buffer.alloc(0)) ?? wanted === undefined),
    'spec.commonName': !asked.subject.equals(subjectOf(spec)),
    'spec.isCA': (request.spec.isCA ?? false) !== (spec.isCA ?? false),
    'spec.usages': usages(request.spec.usages) !== usages(spec.usages),
    'spec.duration':
      request.spec.duration !== undefined &&
      spec.duration !== undefined &&
      duration(request.spec.duration) !== duration(spec.duration),
    'spec.issuerRef': JSON.stringify(issuerRefOf(request)) !== JSON.stringify(issuerRefOf({ ...request, spec })),
  };
  return Object.entries(differs)
    .filter(([, isDifferent]) => isDifferent)
    .map(([field]) => field);
}

function requestOf({ spec }: KubeObject) {
  return readSigningRequest(Buffer.from(spec.request, 'base64').toString('utf8'));
}

/** The first certificate of a Secret, if it can be read. */
export function certificateIn(secret: KubeObject | undefined): X509Certificate | undefined {
  const text = decoded(secret, 'tls.crt');
  return text === undefined ? undefined : firstCertificate(text);
}

const firstCertificate = byText((text) => {
  const [certificate] = certificatesOf(text);
  try {
    return certificate && new X509Certificate(certificate);
  } catch {
    return undefined;
  }
});

/**
 * The time of a certificate's renewal in whole seconds; none with the policy Disabled (pkg/util/pki/renewaltime.go).
 * Renewal windows are not implemented.
 */
export function renewalTime(
  { spec }: KubeObject,
  { validFromDate, validToDate }: X509Certificate,
  duration: ScaledDuration,
): Date | undefined {
  if (spec.renewal?.policy === 'Disabled') return undefined;
  const life = validToDate.getTime() - validFromDate.getTime();
  const before = spec.renewBefore === undefined ? 0 : duration(spec.renewBefore);
  const percentage: number = spec.renewBeforePercentage ?? 0;
  const share = percentage > 0 && percentage < 100 ? (life * percentage) / 100 : life / 3;
  const time = validToDate.getTime() - (before > 0 && before < life ? before : share);
  return new Date(Math.floor(time / 1_000) * 1_000);
}
