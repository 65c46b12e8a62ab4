import type { CaCertificate, IssuerChain } from '../../operator/api/anchor/chain';
import type { AnchorMemory } from '../../operator/api/anchor/memory';
import type {
  GivenAnswer,
  GivenCertificate,
  ObservedAnchor,
  ObservedCertification,
  ObservedIdentity,
  ObservedIssuer,
  ObservedMember,
  ObservedProbes,
  ObservedTrust,
  PodGroup,
} from '../../operator/api/anchor/observed';
import { FOREVER, type Scenario } from './scenario';
import type {
  Before,
  Certified,
  Chain,
  Issued,
  Key,
  Report,
  Shown,
  State,
  Watched,
  WorldAnchor,
  WorldIssuer,
} from './state';

/** Parts that are watched one by one, so that each may be late by itself. */
export const WATCHED: readonly Watched[] = ['anchors', 'signer', 'issuer', 'bundle', 'pods', 'identity'];

/** The version that is seen of each part that is not seen as it is. */
export type Lateness = Partial<Readonly<Record<Watched, Before>>>;

/** Shows the operator the world, each part with its delay. */
export function observe(state: State, scenario: Scenario, late: Lateness): ObservedTrust {
  const at = (part: Watched): Shown => late[part]?.shown ?? state;
  const { signer } = at('signer');
  const { bundle, kept } = at('bundle');
  const { pods, starts } = at('pods');
  const { identity } = at('identity');
  const observedIdentity = identity.map((one, index) => observedReplica(one, index, scenario));
  return {
    policy: { ...scenario.policy, abort: state.abort, ...(state.leaked && { compromised: state.leaked }) },
    memory: rememberedBy(state),
    anchors: at('anchors').anchors.map((anchor) => observedAnchor(anchor, state)),
    ...(signer !== undefined && { signer }),
    issuer: observedIssuer(at('issuer').issuer),
    ...(bundle.length > 0 && { bundle: { hash: hashOf(bundle), anchors: bundle.map((key) => root(key, state)) } }),
    kept,
    answers: givenAnswers(state),
    ...(state.certification !== undefined && { certifications: [observedCertification(state.certification, state)] }),
    identity: observedIdentity,
    issuerUpdates: identity.flatMap(({ told }) => (scenario.evidence === 'events' && told !== undefined ? [told] : [])),
    pods: [...pods.map((pod) => podGroup(pod, starts)), ...observedIdentity.map(controlPlane)],
    members: state.heard === undefined ? [] : [observedMember(state.heard)],
    inWindow: true,
    ...(scenario.probes !== undefined && { probes: observedProbes(state, scenario.probes) }),
  };
}

/** What is remembered, without the old chains of proxies that have another one by now, and so would answer with it. */
function rememberedBy({ memory, leaves }: State): AnchorMemory {
  const { rotation } = memory;
  if (rotation?.oldChains === undefined) return memory;
  const oldChains = rotation.oldChains.filter(({ pod }) => leaves.some(({ chain }) => chain.signer === pod));
  return { ...memory, rotation: { ...rotation, oldChains } };
}

/** A round of probes that has just ended. */
function observedProbes({ leaves, now }: State, probes: NonNullable<Scenario['probes']>): ObservedProbes {
  const round = { gates: true, since: now };
  if (probes === 'no answers') return { ...round, presented: [], unreached: ['a pod'] };
  const presented = leaves.map(({ chain }) => ({ pod: chain.signer, chain: asChain(chain) }));
  const lies = [{ pod: 'a stranger', chain: asChain({ signer: 'Z' }) }, { pod: 'another one' }];
  return { ...round, presented: [...presented, ...(probes === 'lies' ? lies : [])], unreached: [] };
}

/** The word of a cluster, in an order of its own. */
export function toldText(told: Report): string {
  const { signing, adopted, certifier = '', certifiers = [], certified = [], isCovered, request = '', given } = told;
  const { compromised = [] } = told;
  const text = `${signing.toSorted().join('')}/${adopted.toSorted().join('')}`;
  const more = `${certifier}?${request}${given ? answerId(given) : ''}|${certifiers.join('')}=${certified.join('')}${isCovered ? '!' : ''}${compromised.map((key) => `-${key}`).join('')}`;
  return more === '?|=' ? text : `${text}/${more}`;
}

/** The trust domain of the cluster that is certified. */
export const DOMAIN = 'other.example';

const ONLY_ITS_OWN = { permits: [DOMAIN], limitsUris: true } as const;

function observedMember({ request, given: _, ...told }: Report): ObservedMember {
  const asked = request && { request: { key: request, subject: request, isKeySupported: true, ...ONLY_ITS_OWN } };
  return { name: OTHER, ...told, roots: told.signing, ...asked };
}

function givenAnswers({ answer, heard }: State): readonly GivenAnswer[] {
  const given = heard?.given;
  return [
    ...(answer === undefined ? [] : [{ place: 'spec', certificates: [givenCertificate(answer)] } as const]),
    ...(given === undefined ? [] : [{ place: 'member', certificates: [givenCertificate(given)] } as const]),
  ];
}

function observedCertification(made: Certified, { anchors }: Shown): ObservedCertification {
  const generation = anchors.find(({ certificate }) => certificate?.key === made.by)?.generation;
  const certificate: CaCertificate = { ...caCertificate(made), constrained: true, ...ONLY_ITS_OWN };
  const signed = { ...(generation !== undefined && { generation }), certificate };
  return { cluster: OTHER, key: made.key, state: 'issued', since: 0, ...signed };
}

/** The name of the other cluster, of two. */
export const OTHER = 'other';

/** The mark that a pod carries of the bundle that it was given. */
export function hashOf(bundle: readonly string[]): string {
  return bundle.join('');
}

function observedReplica(
  { since, issuer }: State['identity'][number],
  index: number,
  { evidence, clocks }: Scenario,
): ObservedIdentity {
  const end = evidence === 'metric' ? { issuerEnd: issuer.at + FOREVER + clocks.nodes } : {};
  return { name: replicaName(index), since, ...end };
}

function controlPlane({ name, since }: ObservedIdentity): PodGroup {
  return { workload: name, pods: 1, since, restartable: true };
}

/** The name of a replica of identity. */
export function replicaName(index: number): string {
  return `identity-${index}`;
}

/** The name of the workload of those pods that were given a bundle. */
export function workloadOf(bundle: readonly string[]): string {
  return `pods-${hashOf(bundle)}`;
}

function podGroup(bundle: readonly string[], starts: State['starts'] = {}): PodGroup {
  const hash = hashOf(bundle);
  return { workload: workloadOf(bundle), pods: 1, since: starts[hash] ?? 0, hash, restartable: true };
}

function observedAnchor(anchor: WorldAnchor, state: State): ObservedAnchor {
  const { generation, bundled, asked, isIssuing, certificate, hasIssuer, pathLength, answered } = anchor;
  const key = nextKey(anchor, state);
  const isOpen = isIssuing && asked === 'request' && answered === undefined;
  return {
    ...(isOpen && { request: { key, publicKey: key, subject: '' } }),
    generation,
    bundled,
    askedSigner: asked,
    state: isIssuing ? 'issuing' : 'issued',
    ...(certificate !== undefined && { certificate: caCertificate(certificate, pathLength) }),
    ...(certificate?.beyond !== undefined && {
      above: [caCertificate({ key: certificate.by, by: certificate.beyond })],
    }),
    hasIssuer,
  };
}

/** The key of the next certificate of an anchor. A key that was lost is followed by another one. */
export function nextKey(
  { certificate, generation }: WorldAnchor,
  { lost, isForeign }: Pick<State, 'lost' | 'isForeign'>,
): Key {
  const letter = String.fromCharCode(64 + generation + (isForeign ? 1 : 0));
  return certificate?.key ?? letter + "'".repeat(lost);
}

/** The id of a certificate that was given. */
export function answerId({ key, by }: Certified): string {
  return `${key}<${by}`;
}

function givenCertificate(answer: Certified): GivenCertificate {
  const certificate = { ...caCertificate(answer), notAfter: FOREVER };
  return { ...certificate, id: answerId(answer), publicKey: answer.key, subject: '', isCa: true, isForTls: true };
}

function observedIssuer({ isIssuing, secret }: WorldIssuer): ObservedIssuer {
  if (secret === undefined) return { state: isIssuing ? 'issuing' : 'missing' };
  return { state: isIssuing ? 'issuing' : 'issued', chain: issuerChain(secret), revision: secret.revision };
}

function issuerChain(issued: Issued): IssuerChain {
  return { ...asChain(issued), notBefore: issued.at, notAfter: issued.at + FOREVER };
}

/** The chain as the operator's own verification takes it, at any time. */
export function asChain({ signer, over, beyond }: Chain): IssuerChain {
  const bridges = [
    ...(over === undefined ? [] : [caCertificate({ key: signer, by: over })]),
    ...(over === undefined || beyond === undefined ? [] : [caCertificate({ key: over, by: beyond })]),
  ];
  return { signer, notBefore: -FOREVER, notAfter: FOREVER, bridges };
}

function root(key: Key, { now, isEnding }: Pick<State, 'now' | 'isEnding'>): CaCertificate {
  const certificate = caCertificate({ key, by: key });
  return isEnding && key === 'A' ? { ...certificate, notAfter: now + 1 } : certificate;
}

function caCertificate({ key, by }: Certified, pathLength?: number): CaCertificate {
  const limit = pathLength === undefined ? {} : { pathLength };
  return { key, signer: by, notBefore: -FOREVER, notAfter: 2 * FOREVER, ...limit };
}

/** Tells whether a part was the same at two times. */
export function isSamePart(one: Shown, other: Shown, part: Watched): boolean {
  if (part === 'pods') return isSame(one.pods, other.pods) && textOf(one.starts ?? {}) === textOf(other.starts ?? {});
  if (part === 'bundle') return isSame(one.bundle, other.bundle) && isSame(one.kept, other.kept);
  return isSame(one[part], other[part]);
}

/** A part that was changed and changed back is the same again. */
function isSame(one: Shown[Watched], other: Shown[Watched]): boolean {
  return one === other || (typeof one === 'object' && typeof other === 'object' && textOf(one) === textOf(other));
}

const texts = new WeakMap<object, string>();

/** The same for objects of the same content. */
export function textOf(part: object): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  texts.set(part, text);
  return text;
}
