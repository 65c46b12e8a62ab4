import type { AnchorKey } from '#anchor/chain';
import type { ObservedAnchor, ObservedRequest } from '#anchor/observed';
import {
  ANCHOR,
  anchorName,
  anchorNames,
  GENERATION_LABEL,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_LABEL,
} from '#anchor/trust-anchor';
import {
  type Certificate,
  type CertificateRequest,
  type Issuer,
  issuanceState,
  isTrustAnchorRef,
} from '../../pki/cert-manager';
import { type Issuances, requestToAnswer } from '../../pki/issuances';
import { caCertificate, type KnownCertificate, knownRequest } from '../../pki/known-certificate';

/** Annotation of an Issuer whose generation is being deleted: its remains are deleted in any case. */
export const ENDING_ANNOTATION = 'config.linkerd.io/ending';

/** The sources for finding generations. */
export interface AnchorSources {
  /** The Certificates in cert-manager's namespace. */
  readonly certificates: readonly Certificate[];
  readonly issuers: readonly Issuer[];
  readonly issuances: Issuances;
  readonly requests: readonly CertificateRequest[];
  /** Name of the Secret in the ClusterIssuer of identity issuers. */
  readonly pointed: string | undefined;
  readonly known: readonly KnownCertificate[];
  /** Recorded generations, whose Certificates may be lost. */
  readonly generations: readonly number[];
  /** The anchors in the mesh's bundle. */
  readonly bundled: ReadonlySet<AnchorKey>;
  /**
   * The anchor that signed the identity issuer, and the one that a rotation replaces. A Secret without its Certificate
   * may contain either.
   */
  readonly living: AnchorKey | undefined;
  readonly replaced: AnchorKey | undefined;
}

/** Returns the anchor's generations in the cluster, oldest first. */
export function observeAnchors(sources: AnchorSources): readonly ObservedAnchor[] {
  const certified = sources.certificates
    .filter(({ metadata }) => anchorNames().includes(metadata.name))
    .map((certificate) => ofCertificate(certificate, sources));
  const names = new Set(sources.certificates.map(({ metadata }) => metadata.name));
  const taken = new Set(certified.flatMap(({ certificate }) => certificate?.key ?? []));
  const lone = anchorNames()
    .filter((name) => !names.has(name))
    .flatMap((name) => withoutCertificate(name, taken, sources));
  return [...certified, ...lone].toSorted((a, b) => a.generation - b.generation);
}

/** Returns the generation of an object: from its label if this matches the name, otherwise from the name. */
export function generationOf({ metadata: { name, labels } }: Certificate | Issuer): number {
  const text = labels?.[GENERATION_LABEL] ?? '';
  const generation = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return generation !== undefined && anchorName(generation) === name ? generation : anchorNames().indexOf(name);
}

/** Returns the generation of a name without any other trace: a recorded one, or the first with that name. */
export function generationOfName(name: string, generations: readonly number[]): number {
  return generations.find((generation) => anchorName(generation) === name) ?? anchorNames().indexOf(name);
}

function ofCertificate(certificate: Certificate, sources: AnchorSources): ObservedAnchor {
  const { spec, metadata } = certificate;
  const generation = generationOf(certificate);
  const held = heldBy(certificate, sources);
  const request = observeRequest(certificate, sources);
  const above = (sources.issuances.of(certificate)?.chain ?? [])
    .slice(1)
    .map((one) => caCertificate(one, sources.known));
  const rotates = spec.privateKey?.rotationPolicy !== 'Never';
  return {
    generation,
    bundled: spec.secretTemplate?.labels?.[TRUST_ANCHOR_LABEL] !== undefined,
    askedSigner: askedSignerOf(certificate, sources),
    ...(request !== undefined && { request }),
    ...(above.length > 0 && { above }),
    state: issuanceState(certificate),
    ...(held !== undefined && { certificate: caCertificate(held, sources.known) }),
    ...(rotates && spec.renewal?.policy !== 'Disabled' && { changesKey: true }),
    hasIssuer: issuerOf(metadata.name, sources) !== undefined,
  };
}

function observeRequest(certificate: Certificate, { requests, known }: AnchorSources): ObservedRequest | undefined {
  const { request = '' } = requestToAnswer(certificate, requests)?.spec ?? {};
  const read =
    request.length > MAX_REQUEST_LENGTH ? undefined : knownRequest(Buffer.from(request, 'base64').toString());
  if (read === undefined) return undefined;
  const { key, publicKey } = read;
  return { key, publicKey, subject: known.find((one) => one.key === key)?.subject ?? '' };
}

/** Maximum number of base64 characters to read of a request: one of RSA 4096 has some 2,500. */
const MAX_REQUEST_LENGTH = 16_384;

function askedSignerOf(
  { spec: { issuerRef } }: Certificate,
  { certificates, issuers, generations }: AnchorSources,
): ObservedAnchor['askedSigner'] {
  if (isTrustAnchorRef(issuerRef)) return 'request';
  if (issuerRef?.kind !== undefined && issuerRef.kind !== 'Issuer') return 'other';
  const { name = '' } = issuerRef ?? {};
  if (name === SELF_SIGNED_ISSUER) return 'self';
  if (!anchorNames().includes(name)) return 'other';
  const named = [...certificates, ...issuers].find(({ metadata }) => metadata.name === name);
  return named === undefined ? generationOfName(name, generations) : generationOf(named);
}

function issuerOf(name: string, { issuers }: Pick<AnchorSources, 'issuers'>): Issuer | undefined {
  return issuers.find(({ metadata, spec }) => metadata.name === name && spec.ca?.secretName === name);
}

/**
 * Returns the certificate in a Certificate's Secret: the last one issued for it. Without a request, such as after the
 * Certificate was recreated for a remaining Secret, it is the one with the name and the times that cert-manager read
 * from the Secret.
 */
function heldBy(certificate: Certificate, { issuances, known }: AnchorSources): KnownCertificate | undefined {
  const issued = issuances.of(certificate)?.chain[0];
  if (issued !== undefined) return issued;
  const { spec, status } = certificate;
  const [notBefore, notAfter] = [Date.parse(status?.notBefore ?? ''), Date.parse(status?.notAfter ?? '')];
  const isIt = (one: KnownCertificate): boolean =>
    one.notBefore === notBefore && one.notAfter === notAfter && commonNameOf(one) === spec.commonName && one.x509.ca;
  const found = known.filter(isIt);
  return new Set(found.map(({ key }) => key)).size === 1 ? found[0] : undefined;
}

function commonNameOf({ subject }: KnownCertificate): string | undefined {
  return /(?:^|, )CN=(.*?)(?:, [A-Z]+=|$)/.exec(subject)?.[1];
}

/**
 * Finds Secrets without a Certificate by their use, because the operator may not read Secrets. The Secret of the
 * current signer contains the anchor that signed the identity issuer. The Secret of another Issuer contains the
 * replaced anchor.
 */
function withoutCertificate(
  name: string,
  taken: ReadonlySet<AnchorKey>,
  sources: AnchorSources,
): readonly ObservedAnchor[] {
  const { pointed, known, bundled, living, replaced } = sources;
  const issuer = issuerOf(name, sources);
  if (pointed !== name && issuer === undefined) return [];
  const generation = issuer === undefined ? generationOfName(name, sources.generations) : generationOf(issuer);
  const common = { generation, askedSigner: 'other', state: 'issued', hasIssuer: issuer !== undefined } as const;
  if (pointed !== name && issuer?.metadata.annotations?.[ENDING_ANNOTATION] !== undefined) {
    return [{ ...common, bundled: false }];
  }
  const key = pointed === name ? living : replaced;
  const isKnown = key !== undefined && !taken.has(key);
  const held = isKnown ? known.find((one) => one.key === key && one.x509.ca) : undefined;
  // The operator recreates its own Certificate for the remaining Secret, but not that of the first anchor.
  const isOnlySecret = name === ANCHOR;
  return [
    {
      ...common,
      ...(isOnlySecret ? { onlySecret: true } : { askedSigner: 'self' as const }),
      bundled: isOnlySecret && held !== undefined && bundled.has(held.key),
      ...(held !== undefined && { certificate: caCertificate(held, known) }),
    },
  ];
}
