import type { X509Certificate } from 'node:crypto';
import { oneLine, readCertificate } from '#base/certificates';
import type { Problem } from '#base/findings/problem';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import { PKI_FINDINGS } from './findings';
import { isOwnAnchor, type TrustAnchorSource } from './trust-anchor';

/** The source of the anchors in the trust bundle: never the identity issuer's Secret, whose `ca.crt` lags behind. */
export type TrustRoots =
  | {
      readonly from: 'secrets';
      /** Key of the certificates in each labelled Secret. */
      readonly key: string;
      /** Additional anchors without a Secret. */
      readonly previous?: ParsedAnchors;
    }
  | { readonly from: 'pem'; readonly parsed: ParsedAnchors };

/** Returns the trust roots of an anchor. */
export function trustRootsOf(source: TrustAnchorSource): TrustRoots {
  if (source.from === 'secret') return { from: 'secrets', key: source.key };
  if (isOwnAnchor(source)) {
    const previous = source.operator?.previous;
    return {
      from: 'secrets',
      key: 'tls.crt',
      ...(previous !== undefined && { previous: parseAnchors('trustAnchor.operator.previous', previous) }),
    };
  }
  const { roots } = source;
  if (roots.certificates !== undefined) {
    return { from: 'pem', parsed: parseAnchors('trustAnchor.certificates', roots.certificates) };
  }
  return { from: 'secrets', key: roots.key ?? 'ca.crt' };
}

/** Returns the Secret of an external anchor, which must exist and have a label. */
export function foreignSecretOf(source: TrustAnchorSource): string | undefined {
  if (source.from === 'secret') return source.secretName;
  return source.from === 'issuer' ? source.roots.secretName : undefined;
}

/** One CA certificate of a PEM text. */
export interface AnchorCertificate {
  /** The distinguished name, such as `CN=root.linkerd.cluster.local`. */
  readonly subject: string;
  /** Re-encoded: without the comments and headers that trust-manager would refuse. */
  readonly pem: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The anchors in a PEM string, and its problems. */
export interface ParsedAnchors {
  /** The anchors without duplicates, in the order of the text. */
  readonly anchors: readonly AnchorCertificate[];
  readonly problems: readonly Problem[];
}

const BLOCK = /-----BEGIN ([^-]+)-----[\s\S]*?-----END \1-----/g;

/**
 * Parses trust anchors from PEM. Does not check whether they have expired: synth reads no clock, so that its output
 * does not change from day to day.
 */
export function parseAnchors(field: string, pem: string): ParsedAnchors {
  const blocks = [...pem.matchAll(BLOCK)].map(([text, label = '']) => ({ text, label }));
  const anchors = new Map<string, AnchorCertificate>();
  const problems: Problem[] = checkBlocks(field, pem, blocks.length);
  for (const [index, { text, label }] of blocks.entries()) {
    const block = `block ${index + 1} of ${field}`;
    const certificate = label === 'CERTIFICATE' ? readCertificate(text) : undefined;
    const anchor = certificate && describe(certificate);
    if (certificate === undefined || anchor === undefined) {
      problems.push(
        holdsPrivateKey(text)
          ? PKI_FINDINGS.privateKeyFoundRoots({ block })
          : PKI_FINDINGS.trustAnchorRefusedUnreadable({ block, label }),
      );
      continue;
    }
    problems.push(...checkAnchor(block, anchor.subject, certificate));
    if (anchors.has(certificate.fingerprint256)) {
      problems.push(PKI_FINDINGS.trustRootDuplicate({ block, subject: anchor.subject }));
    }
    anchors.set(certificate.fingerprint256, anchor);
  }
  return { anchors: [...anchors.values()], problems };
}

function describe(certificate: X509Certificate): AnchorCertificate | undefined {
  const notBefore = certificateTime(certificate.validFrom);
  const notAfter = certificateTime(certificate.validTo);
  if (notBefore === undefined || notAfter === undefined) return undefined;
  return { subject: oneLine(certificate.subject), pem: certificate.toString(), notBefore, notAfter };
}

function checkBlocks(field: string, pem: string, complete: number): Problem[] {
  const begun = pem.split('-----BEGIN ').length - 1;
  if (complete > 0 && begun === complete) return [];
  const content = complete === 0 ? 'no PEM certificate' : 'a PEM block without its end';
  return [PKI_FINDINGS.trustAnchorRefusedIncomplete({ field, content })];
}

function checkAnchor(block: string, subject: string, certificate: X509Certificate): Problem[] {
  const problems: Problem[] = [];
  if (!certificate.ca) problems.push(PKI_FINDINGS.trustAnchorRefusedNotCa({ block, subject }));
  const key = describeKey(certificate);
  if (!SUPPORTED_KEYS.includes(key)) problems.push(PKI_FINDINGS.trustAnchorRefusedKeyType({ block, subject, key }));
  return problems;
}

const SUPPORTED_KEYS = ['ec prime256v1', 'rsa 2048', 'rsa 4096'];

function describeKey({ publicKey }: X509Certificate): string {
  const { namedCurve, modulusLength } = publicKey.asymmetricKeyDetails ?? {};
  return [publicKey.asymmetricKeyType, namedCurve ?? modulusLength].filter((part) => part !== undefined).join(' ');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** OpenSSL's format of times: `Sep  3 21:40:37 2025 GMT`, the day padded by a space. */
const PRINTED = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d+)? (\d{4}) GMT$/;

/**
 * Parses the start or end of a certificate's validity from the text of Node.js; undefined if invalid. (Node.js has Date
 * properties since 23, and how `Date` parses this text depends on the engine.)
 */
export function certificateTime(printed: string): Date | undefined {
  const [, month = '', ...numbers] = PRINTED.exec(printed) ?? [];
  const [day = 0, hours = 0, minutes = 0, seconds = 0, year = 0] = numbers.map(Number);
  if (!MONTHS.includes(month)) return undefined;
  const time = new Date(0);
  // Not by Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  time.setUTCFullYear(year, MONTHS.indexOf(month), day);
  time.setUTCHours(hours, minutes, seconds);
  return time;
}
