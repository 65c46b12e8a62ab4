import { X509Certificate } from 'node:crypto';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import { certificateTime } from './certificate-time';

/** One CA certificate of a PEM text. */
export interface AnchorCertificate {
  /** As in `CN=root.linkerd.cluster.local`. */
  readonly subject: string;
  /** Re-encoded: without the comments and headers that trust-manager would refuse. */
  readonly pem: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The anchors in a PEM text, and the problems of the text. */
export interface ParsedAnchors {
  /** Without duplicates, in the order of the text. */
  readonly anchors: readonly AnchorCertificate[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

const BLOCK = /-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g;

/**
 * Reads trust anchors from PEM. Whether they have expired is not checked: a synthesis has no clock, or its result would
 * change from day to day.
 */
export function parseAnchors(field: string, pem: string): ParsedAnchors {
  const blocks = [...pem.matchAll(BLOCK)].map(([text, label = '']) => ({ text, label }));
  const anchors = new Map<string, AnchorCertificate>();
  const problems: Problem[] = checkBlocks(field, pem, blocks.length);
  const warnings: Warning[] = [];
  for (const [index, { text, label }] of blocks.entries()) {
    const position = `block ${index + 1} of ${field}`;
    const certificate = label === 'CERTIFICATE' ? readCertificate(text) : undefined;
    const anchor = certificate && describe(certificate);
    if (certificate === undefined || anchor === undefined) {
      problems.push(label.includes('PRIVATE KEY') ? privateKey(position) : noCertificate(position, label));
      continue;
    }
    problems.push(...checkAnchor(position, certificate));
    if (anchors.has(certificate.fingerprint256)) warnings.push(duplicate(position, certificate));
    anchors.set(certificate.fingerprint256, anchor);
  }
  return { anchors: [...anchors.values()], problems, warnings };
}

function describe(certificate: X509Certificate): AnchorCertificate | undefined {
  const notBefore = certificateTime(certificate.validFrom);
  const notAfter = certificateTime(certificate.validTo);
  if (notBefore === undefined || notAfter === undefined) return undefined;
  return { subject: certificate.subject.replaceAll('\n', ', '), pem: certificate.toString(), notBefore, notAfter };
}

function readCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function checkBlocks(field: string, pem: string, complete: number): Problem[] {
  const begun = pem.split('-----BEGIN ').length - 1;
  if (complete > 0 && begun === complete) return [];
  return [
    {
      code: 'certificates-incomplete',
      what: complete === 0 ? `${field} contains no PEM certificate` : `${field} contains a PEM block without its end`,
      why: 'The trust bundle would lack an anchor, and proxies reject all that it signs',
      fix: 'give certificates whole, from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----"',
    },
  ];
}

function checkAnchor(position: string, certificate: X509Certificate): Problem[] {
  const problems: Problem[] = [];
  const name = `${position} (${certificate.subject.replaceAll('\n', ', ')})`;
  if (!certificate.ca) {
    problems.push({
      code: 'anchor-not-ca',
      what: `${name} is not a CA certificate`,
      why: 'Proxies accept no chain that ends in it',
      fix: 'give the certificate of the CA that signs the identity issuer',
    });
  }
  const key = describeKey(certificate);
  if (!SUPPORTED_KEYS.includes(key)) {
    problems.push({
      code: 'anchor-key-unsupported',
      what: `${name} has a key of type ${key}`,
      why: 'Linkerd supports anchors with ECDSA P-256, RSA 2048 and RSA 4096 keys only (linkerd check: l5d-identity-trustAnchors-use-supported-crypto)',
      fix: 'use an anchor with an ECDSA P-256 key',
    });
  }
  return problems;
}

const SUPPORTED_KEYS = ['ec prime256v1', 'rsa 2048', 'rsa 4096'];

function describeKey({ publicKey }: X509Certificate): string {
  const { namedCurve, modulusLength } = publicKey.asymmetricKeyDetails ?? {};
  return [publicKey.asymmetricKeyType, namedCurve ?? modulusLength].filter((part) => part !== undefined).join(' ');
}

function privateKey(position: string): Problem {
  return {
    code: 'private-key-in-roots',
    what: `${position} is a private key`,
    why: 'It would be committed to Git and copied into a ConfigMap that everyone may read: whoever has it can impersonate every workload',
    fix: 'remove it, and consider the key compromised if it was ever committed',
  };
}

function noCertificate(position: string, label: string): Problem {
  return {
    code: 'certificate-unreadable',
    what: `${position}, labelled "${label}", is not a readable certificate`,
    why: 'trust-manager refuses the whole bundle because of it',
    fix: 'replace it by an X.509 certificate in PEM, or remove it',
  };
}

function duplicate(position: string, certificate: X509Certificate): Warning {
  return {
    code: 'pem-roots',
    what: `${position} repeats the certificate ${certificate.subject.replaceAll('\n', ', ')}`,
    why: 'The trust bundle contains it once all the same; a previous or next anchor may have been meant',
    fix: 'remove the duplicate',
  };
}
