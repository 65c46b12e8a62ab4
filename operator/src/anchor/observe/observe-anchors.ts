import type { AnchorKey } from '../../../api/anchor/chain';
import type { ObservedAnchor } from '../../../api/anchor/observed';
import {
  ANCHOR,
  anchorName,
  anchorNames,
  GENERATION_LABEL,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_LABEL,
} from '../../../api/trust-anchor';
import { type Certificate, type Issuer, issuanceState } from '../../pki/cert-manager';
import type { Issuances } from '../../pki/issuances';
import { caCertificate, type KnownCertificate } from '../../pki/known-certificate';

/** Annotation of an Issuer whose generation is about to end: what is left of it is deleted, whatever happens. */
export const ENDING_ANNOTATION = 'config.linkerd.io/ending';

/** All that generations are found by. */
export interface AnchorSources {
  /** Those of cert-manager's namespace. */
  readonly certificates: readonly Certificate[];
  readonly issuers: readonly Issuer[];
  readonly issuances: Issuances;
  /** The Secret that the ClusterIssuer of identity issuers names. */
  readonly pointed: string | undefined;
  readonly known: readonly KnownCertificate[];
  /** Generations that are remembered, of which the Certificates may be lost. */
  readonly generations: readonly number[];
  /** The anchors that the mesh's bundle holds. */
  readonly bundled: ReadonlySet<AnchorKey>;
  /** The anchor that signed the identity issuer, and the one that a rotation replaces: whom a lone Secret may belong to. */
  readonly living: AnchorKey | undefined;
  readonly replaced: AnchorKey | undefined;
}

/** The generations of the anchor that are in the cluster, oldest first. */
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

/** The generation of what has this name: by its label, where that goes with the name. */
export function generationOf({ metadata: { name, labels } }: Certificate | Issuer): number {
  const text = labels?.[GENERATION_LABEL] ?? '';
  const generation = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return generation !== undefined && anchorName(generation) === name ? generation : anchorNames().indexOf(name);
}

/** The generation of a name of which nothing else is left: one that is remembered, or the first that had it. */
export function generationOfName(name: string, generations: readonly number[]): number {
  return generations.find((generation) => anchorName(generation) === name) ?? anchorNames().indexOf(name);
}

function ofCertificate(certificate: Certificate, sources: AnchorSources): ObservedAnchor {
  const { spec, metadata } = certificate;
  const generation = generationOf(certificate);
  const held = heldBy(certificate, sources);
  const rotates = spec.privateKey?.rotationPolicy !== 'Never';
  return {
    generation,
    bundled: spec.secretTemplate?.labels?.[TRUST_ANCHOR_LABEL] !== undefined,
    askedSigner: askedSignerOf(certificate, sources),
    state: issuanceState(certificate),
    ...(held !== undefined && { certificate: caCertificate(held, sources.known) }),
    ...(rotates && spec.renewal?.policy !== 'Disabled' && { changesKey: true }),
    hasIssuer: issuerOf(metadata.name, sources) !== undefined,
  };
}

function askedSignerOf(
  { spec: { issuerRef } }: Certificate,
  { certificates, issuers, generations }: AnchorSources,
): ObservedAnchor['askedSigner'] {
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
 * The certificate in a Certificate's Secret: what was issued for it last. Where no request is left, as after the Certificate was
 * made again for a Secret that stayed, it is what has the times that cert-manager read off the Secret, and the name.
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
 * A Secret without a Certificate shows only by who uses it. Nobody may read it: it holds the anchor that signed the
 * identity issuer if it is what signs now, and the one that is being replaced if an Issuer still signs with it.
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
  // One of the operator's own is made again for the Secret that is left; what somebody else made is theirs.
  const isForeign = name === ANCHOR;
  return [
    {
      ...common,
      ...(isForeign ? { foreign: true } : { askedSigner: 'self' as const }),
      bundled: isForeign && held !== undefined && bundled.has(held.key),
      ...(held !== undefined && { certificate: caCertificate(held, known) }),
    },
  ];
}
