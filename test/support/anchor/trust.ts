import { createHash, X509Certificate } from 'node:crypto';
import { pemBlocks } from '../cluster/pem';
import { type CertificateParts, readCertificate } from '../cluster/read-certificate';

/** A parsed certificate. */
export interface Parsed extends CertificateParts {
  readonly id: string;
  readonly keyId: string;
  readonly certificate: X509Certificate;
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * The rules of a verifier.
 * - `webpki`: rustls-webpki of the proxies. It uses only the name and key of a root.
 * - `go`: crypto/x509 of identity. A root must be a valid CA, and its path length is checked.
 */
export type Verifier = 'webpki' | 'go';

const texts = new Map<string, readonly Parsed[]>();
const read = new Map<string, Parsed>();
const signatures = new Map<string, boolean>();
const MAX = 20_000;

/** The certificates of a PEM text. */
export function readCertificates(text: string): readonly Parsed[] {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size > MAX) texts.clear();
  const certificates = pemBlocks(text).map(parsed);
  texts.set(text, certificates);
  return certificates;
}

function parsed(raw: Buffer): Parsed {
  const id = createHash('sha256').update(raw).digest('hex');
  const known = read.get(id);
  if (known !== undefined) return known;
  const certificate = new X509Certificate(raw);
  const { validFromDate, validToDate } = certificate;
  const parts = readCertificate(raw);
  const all = {
    ...parts,
    id,
    keyId: createHash('sha256').update(parts.publicKey).digest('hex'),
    certificate,
    notBefore: validFromDate.getTime(),
    notAfter: validToDate.getTime(),
  };
  // Tests issue thousands of leaves.
  if (read.size > MAX) read.clear();
  read.set(id, all);
  return all;
}

/**
 * Verifies the first certificate of a PEM chain at a moment, with real signatures, against the roots of a bundle. The
 * other certificates are intermediates in any order. Returns the reason of a failure, or `undefined`. Names and
 * extended key usages are not checked.
 */
export function verifyChain(
  chain: string,
  bundle: string,
  { at = Date.now(), as = 'webpki' }: { readonly at?: number; readonly as?: Verifier } = {},
): string | undefined {
  const [leaf, ...intermediates] = readCertificates(chain);
  if (leaf === undefined) return 'there is no certificate';
  const roots = readCertificates(bundle);
  if (roots.length === 0) return 'there are no roots';
  if (!isCurrent(leaf, at)) return `"${nameOf(leaf)}" ${outOfTime(leaf, at)}`;
  const search: Search = { roots, intermediates, at, as, refusals: [], ends: [] };
  if (as === 'go' && roots.some(({ id }) => id === leaf.id)) return undefined;
  if (leadsToRoot(leaf, [leaf], search)) return undefined;
  const reasons = [...new Set(search.refusals)];
  if (reasons.length > 0) return reasons.join('; ');
  const longest = search.ends.reduce((a, b) => (b.length > a.length ? b : a), [leaf]);
  const last = longest.at(-1) ?? leaf;
  const by = oneLine(last.certificate.issuer);
  return `the signer of "${nameOf(last)}", "${by}", is unknown; roots: ${roots.map(nameOf).join(', ')}`;
}

interface Search {
  readonly roots: readonly Parsed[];
  readonly intermediates: readonly Parsed[];
  readonly at: number;
  readonly as: Verifier;
  /** The reasons why candidates were refused. */
  readonly refusals: string[];
  /** The paths that no root has signed. */
  readonly ends: (readonly Parsed[])[];
}

/** The longest path that is tried. rustls-webpki allows six intermediates. */
const MAX_LENGTH = 8;

function leadsToRoot(certificate: Parsed, path: readonly Parsed[], search: Search): boolean {
  // The number of CAs between the leaf and the signer.
  const between = path.length - 1;
  const isUsable = (signer: Parsed, isRoot: boolean): boolean => {
    // Neither verifier allows a name and key twice in a path. Only Go applies this to roots, too.
    if ((search.as === 'go' || !isRoot) && path.some((one) => isSameEntity(one, signer))) return false;
    if (!isSignedBy(certificate, signer)) return false;
    const refusal = isRoot && search.as === 'webpki' ? undefined : refusalOf(signer, between, search.at);
    if (refusal !== undefined) search.refusals.push(refusal);
    return refusal === undefined;
  };
  if (search.roots.some((root) => isUsable(root, true))) return true;
  if (path.length > MAX_LENGTH) return false;
  search.ends.push(path);
  return search.intermediates.some(
    (intermediate) => isUsable(intermediate, false) && leadsToRoot(intermediate, [...path, intermediate], search),
  );
}

function isSameEntity(a: Parsed, b: Parsed): boolean {
  return a.keyId === b.keyId && a.subject.equals(b.subject);
}

function refusalOf(signer: Parsed, between: number, at: number): string | undefined {
  const name = `"${nameOf(signer)}" (signed by "${oneLine(signer.certificate.issuer)}")`;
  if (!isCurrent(signer, at)) return `${name} ${outOfTime(signer, at)}`;
  if (!signer.ca) return `${name} is no CA`;
  if (signer.pathLength !== undefined && between > signer.pathLength) {
    return `${name} allows ${signer.pathLength} CAs below it, and there are ${between}`;
  }
  return undefined;
}

function isSignedBy(certificate: Parsed, signer: Parsed): boolean {
  if (!certificate.issuer.equals(signer.subject)) return false;
  const key = `${certificate.id}/${signer.keyId}`;
  const known = signatures.get(key);
  if (known !== undefined) return known;
  if (signatures.size > MAX) signatures.clear();
  const holds = certificate.certificate.verify(signer.certificate.publicKey);
  signatures.set(key, holds);
  return holds;
}

function isCurrent({ notBefore, notAfter }: Parsed, at: number): boolean {
  return notBefore <= at && at <= notAfter;
}

function outOfTime({ notBefore, notAfter }: Parsed, at: number): string {
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
  return at < notBefore
    ? `is valid only in ${seconds(notBefore - at)} s`
    : `has been expired for ${seconds(at - notAfter)} s`;
}

function nameOf({ certificate }: Parsed): string {
  return oneLine(certificate.subject);
}

function oneLine(name: string): string {
  return name.replace(/^CN=/, '').replaceAll('\n', ', ');
}

/** A chain in one line: `web <- identity <- 2.root (by 1.root)`. */
export function describeChain(chain: string): string {
  return readCertificates(chain)
    .map((one) => {
      const isBridgeLike = one.ca && !one.issuer.equals(one.subject);
      return isBridgeLike ? `${nameOf(one)} (by ${oneLine(one.certificate.issuer)})` : nameOf(one);
    })
    .join(' <- ');
}

/** Roots in one line, each with the start of its digest. */
export function describeRoots(bundle: string): string {
  const roots = readCertificates(bundle).map((one) => `${nameOf(one)}#${one.id.slice(0, 6)}`);
  return `{${roots.sort().join(', ')}}`;
}

/** The SHA-256 of a text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
