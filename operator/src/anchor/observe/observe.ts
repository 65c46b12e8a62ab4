import type { IssuerChain } from '#anchor/chain';
import type { AnchorMemory } from '#anchor/memory';
import type { ObservedIssuer, ObservedTrust, PodGroup } from '#anchor/observed';
import { anchorPolicy } from '#anchor/policy';
import {
  anchorNames,
  COMPROMISED_ANNOTATION,
  FORGET_ANNOTATION,
  KEPT_ROOTS,
  MAX_COMPROMISED,
  ROTATE_NOW_ANNOTATION,
  TRUST_ROOTS_KEY,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import type { CertificateRequest } from '../../pki/cert-manager';
import { type Certificate, type Issuer, issuanceState } from '../../pki/cert-manager';
import type { Issuances } from '../../pki/issuances';
import { issuancesOf } from '../../pki/issuances';
import {
  caCertificate,
  type KnownCertificate,
  knownCertificates,
  longestRoot,
  signerOf,
} from '../../pki/known-certificate';
import type { MeshedPod } from '../objects/meshed-pod';
import { type ConfigMap, memoryOf, type TrustAnchor } from '../objects/trust-anchor';
import { believedMemory, forgottenMemory, withoutGone } from './believed-memory';
import { type IssuerEvent, issuerUpdates } from './issuer-updates';
import { memberCertificates, observeMembers } from './members';
import { generationOf, generationOfName, observeAnchors } from './observe-anchors';
import { givenAnswers, observeAnswers } from './observe-answers';
import { bundledCertificates, observeBundle } from './observe-bundle';
import { observeCertifications } from './observe-certifications';
import { identityPods, observeIdentity, observePods } from './observe-pods';
import { type Outside, unseenProxies } from './outside';
import { observeProbes, type ViewedProbes } from './presented';
import type { SeenBundles } from './seen-bundles';
import { isInWindow } from './windows';

/** The objects of an observation, as last seen. */
export interface TrustView {
  readonly anchor: TrustAnchor;
  /** These four kinds are read in cert-manager's namespace. */
  readonly certificates: readonly Certificate[];
  readonly issuers: readonly Issuer[];
  readonly requests: readonly CertificateRequest[];
  readonly configMaps: readonly ConfigMap[];
  /** The identity issuer's Certificate, in the control plane's namespace. */
  readonly issuerCertificate: Certificate | undefined;
  readonly issuerRequests: readonly CertificateRequest[];
  readonly bundle: ConfigMap | undefined;
  /** The bundles since the last observation. */
  readonly seenBundles: Pick<SeenBundles, 'addedTo'>;
  readonly events: readonly IssuerEvent[];
  /** PEM of the issuer of an installation without cert-manager. */
  readonly installedIssuer: string;
  /** The issuer that signs identity issuers. */
  readonly clusterIssuer: Issuer | undefined;
  readonly pods: readonly MeshedPod[];
  /** The expiry of the issuers of identity's replicas, by the pods' uids. */
  readonly issuerEnds: ReadonlyMap<string, number>;
  /** Absent unless a rotation may have to wait for proxies outside the cluster. */
  readonly outside?: Outside;
  /** Absent if no proxy is probed. */
  readonly probes?: ViewedProbes;
  /** The kinds that may be older than `propagationDelay`. */
  readonly late?: readonly LateKind[];
}

/** A kind whose cache is too old, and the time of its last update. */
export interface LateKind {
  readonly plural: string;
  /** Absent if it was never read. */
  readonly since?: Date;
}

/** The conclusions from a view. */
export interface Observation {
  readonly trust: ObservedTrust;
  /** The known certificates, for showing keys in readable form. */
  readonly known: readonly KnownCertificate[];
}

/** Derives from the objects in the cluster everything that determines a rotation. Depends only on its arguments. */
export function observe(view: TrustView, now: number): Observation {
  const { anchor, certificates, issuers, clusterIssuer, configMaps } = view;
  const { spec } = anchor;
  const written = memoryOf(anchor);
  const policy = anchorPolicy(spec, askedRotation(askedTexts(anchor), written.rotated), compromisedKeys(anchor));
  const believed = believedMemory(written, now, policy);
  const remembered = view.seenBundles.addedTo(forgottenMemory(believed, forgetWord(anchor)));
  const memory = withoutGone(remembered, view.pods);
  const anchorIssuances = issuancesOf(view.requests);
  const issuerIssuances = issuancesOf(view.issuerRequests);
  const keptPem = configMaps.find(({ metadata }) => metadata.name === KEPT_ROOTS)?.data?.[TRUST_ROOTS_KEY];
  const kept = knownCertificates(keptPem ?? '');
  const installed = knownCertificates(view.installedIssuer);
  const sharing = { cluster: spec.cluster, members: spec.members ?? [] };
  const known = unique([
    ...anchorIssuances.all,
    ...issuerIssuances.all,
    ...bundledCertificates(view.bundle),
    ...kept,
    ...installed,
    ...memberCertificates(configMaps, sharing),
  ]);
  const bundle = observeBundle(view.bundle, known);
  const generations = rememberedGenerations(memory);
  const issuer = observeIssuer({ certificate: view.issuerCertificate, issuances: issuerIssuances, installed, known });
  const anchors = observeAnchors({
    certificates,
    issuers,
    issuances: anchorIssuances,
    requests: view.requests,
    pointed: clusterIssuer?.spec.ca?.secretName,
    known,
    generations,
    bundled: new Set(bundle?.anchors.map(({ key }) => key)),
    living: issuer.chain?.signer,
    replaced: memory.rotation?.from,
  });
  // A start in the future, by the wrong clock of a node, proves nothing about earlier bundles.
  const isToCome = (time: number): boolean => time > now + policy.skew + policy.grain;
  const believe = <T extends { readonly since: number }>(one: T): T =>
    isToCome(one.since) ? { ...one, since: 0 } : one;
  const signer = observeSigner(clusterIssuer, [...certificates, ...issuers], generations);
  const trust: ObservedTrust = {
    policy,
    memory,
    anchors,
    ...(signer !== undefined && { signer }),
    issuer,
    ...(bundle !== undefined && { bundle }),
    kept: kept.map(({ key }) => key),
    outlived: outlivedRoots(kept, known),
    identity: observeIdentity(identityPods(view.pods, spec.controlPlaneNamespace), view.issuerEnds).map(believe),
    issuerUpdates: issuerUpdates(view.events).filter((time) => !isToCome(time)),
    ...waitedFor(observePods(view.pods, spec.controlPlaneNamespace).map(believe), spec),
    members: observeMembers(configMaps, sharing, known, anchors),
    ...(view.outside !== undefined && { unseen: unseenProxies(view.outside, sharing.members) }),
    ...givenOf(view, known),
    inWindow: isInWindow(spec.windows, now),
    ...(view.probes !== undefined && { probes: observeProbes(view.probes, known) }),
    ...((view.late ?? []).length > 0 && { isLate: true }),
  };
  return { trust, known };
}

function waitedFor(
  pods: readonly PodGroup[],
  { laggards, controlPlaneNamespace }: TrustAnchorSpec,
): Pick<ObservedTrust, 'pods' | 'ignoredPods'> {
  const ignored = (laggards.ignoredNamespaces ?? []).filter((name) => name !== controlPlaneNamespace);
  const isIgnored = ({ workload }: PodGroup): boolean => ignored.includes(workload.split('/')[0] ?? '');
  return { pods: pods.filter((pod) => !isIgnored(pod)), ignoredPods: pods.filter(isIgnored) };
}

function givenOf(
  view: TrustView,
  known: readonly KnownCertificate[],
): Pick<ObservedTrust, 'answers' | 'certifications'> {
  const { anchor, requests, certificates, issuers } = view;
  const { certifies } = anchor.spec;
  const named = [...certificates, ...issuers];
  return {
    answers: observeAnswers(givenAnswers(view), known),
    ...(certifies && { certifications: observeCertifications({ certifies, requests, named, known }) }),
  };
}

function outlivedRoots(kept: readonly KnownCertificate[], known: readonly KnownCertificate[]): readonly string[] {
  return kept.filter(({ key, notAfter }) => (longestRoot(key, known)?.notAfter ?? 0) > notAfter).map(({ key }) => key);
}

function askedTexts({ spec, metadata }: TrustAnchor): readonly (string | undefined)[] {
  return [spec.rotateNow, metadata.annotations?.[ROTATE_NOW_ANNOTATION]];
}

/** Returns the leaked keys in the spec and in an annotation. Invalid ones are refused or reported elsewhere. */
export function compromisedKeys({ spec, metadata }: Pick<TrustAnchor, 'spec' | 'metadata'>): readonly string[] {
  const words = metadata.annotations?.[COMPROMISED_ANNOTATION]?.slice(0, MAX_KEYS_LENGTH).split(/[\s,]+/) ?? [];
  const keys = [...(spec.compromised ?? []), ...words.filter((word) => word !== '')];
  return [...new Set(keys.map((key) => key.toLowerCase()))].slice(0, 2 * MAX_COMPROMISED);
}

const MAX_KEYS_LENGTH = 1_024;

function forgetWord({ metadata }: TrustAnchor): string | undefined {
  return metadata.annotations?.[FORGET_ANNOTATION]?.slice(0, MAX_WORD_LENGTH);
}

const MAX_WORD_LENGTH = 253;

function rememberedGenerations({ current, rotation }: AnchorMemory): readonly number[] {
  return [rotation?.to, current?.generation].flatMap((generation) => generation ?? []);
}

function unique(certificates: readonly KnownCertificate[]): readonly KnownCertificate[] {
  return [...new Set(certificates)].filter(({ x509 }) => x509.ca);
}

/** Number of significant characters of a request for a rotation. */
const MAX_LENGTH = 253;

/**
 * Returns one string for all requests for a rotation, in the spec and in an annotation. If none of them is new, returns
 * the string that was handled last: the removal of a request requests nothing.
 */
export function askedRotation(texts: readonly (string | undefined)[], served: string | undefined): string | undefined {
  const asked = texts.flatMap((text) => (text === undefined || text === '' ? [] : [wordOf(text)]));
  if (asked.length === 0) return served;
  const known = served?.split(SEPARATOR) ?? [];
  return asked.every((word) => known.includes(word)) ? served : [...new Set(asked)].join(SEPARATOR);
}

const SEPARATOR = ' and ';

/** Encodes a string as one word, so that different ones stay different. */
function wordOf(text: string): string {
  return encodeURIComponent(text.slice(0, MAX_LENGTH).toWellFormed());
}

interface IssuerSources {
  /** Its Certificate. */
  readonly certificate: Certificate | undefined;
  readonly issuances: Issuances;
  /** The issuer in the values of an installation without cert-manager. */
  readonly installed: readonly KnownCertificate[];
  readonly known: readonly KnownCertificate[];
}

/** Returns the identity issuer; during a renewal the previous one, which its Secret still contains. */
function observeIssuer({ certificate, issuances, installed, known }: IssuerSources): ObservedIssuer {
  const issued = certificate && issuances.of(certificate)?.chain;
  const chain = issuerChain(issued ?? installed, known);
  const revision = certificate?.status?.revision;
  return {
    state: certificate === undefined ? 'missing' : issuanceState(certificate),
    ...(chain !== undefined && { chain }),
    ...(revision !== undefined && { revision }),
  };
}

function issuerChain(
  [issuer, ...bridges]: readonly KnownCertificate[],
  known: readonly KnownCertificate[],
): IssuerChain | undefined {
  const signer = issuer && signerOf(issuer, [...bridges, ...known]);
  if (issuer === undefined || signer === undefined) return undefined;
  return {
    signer,
    notBefore: issuer.notBefore,
    notAfter: issuer.notAfter,
    bridges: bridges.map((bridge) => caCertificate(bridge, known)),
  };
}

/** Returns the generation with whose Secret the ClusterIssuer signs; undefined if there is none. */
function observeSigner(
  issuer: Issuer | undefined,
  named: readonly (Certificate | Issuer)[],
  generations: readonly number[],
): number | 'other' | undefined {
  if (issuer === undefined) return undefined;
  const { secretName = '' } = issuer.spec.ca ?? {};
  if (!anchorNames().includes(secretName)) return 'other';
  const found = named.find(({ metadata }) => metadata.name === secretName);
  return found === undefined ? generationOfName(secretName, generations) : generationOf(found);
}
