import type { CaCertificate, IssuerChain } from '../chain';
import type { AnchorMemory } from '../memory';
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
} from '../observed';
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

/** Parts with a watch each, so that each may be late independently. */
export const WATCHED: readonly Watched[] = ['anchors', 'signer', 'issuer', 'bundle', 'pods', 'identity'];

/** For each part that the operator sees late, the version that it sees. */
export type Lateness = Partial<Readonly<Record<Watched, Before>>>;

/** Everything that the operator sees: its decision depends on nothing else. */
export interface Seen
  extends Omit<Shown, 'issuer' | 'identity'>,
    Pick<
      State,
      'abort' | 'answer' | 'certification' | 'heard' | 'isEnding' | 'isForeign' | 'leaked' | 'lost' | 'memory'
    > {
  /** The time by the operator's clock. */
  readonly now: number;
  readonly issuer: ObservedIssuer;
  readonly identity: readonly ObservedIdentity[];
  readonly issuerUpdates: readonly number[];
  /** The leaves in use, if the operator probes proxies. */
  readonly leaves?: State['leaves'] | undefined;
}

type View = (state: State, late: Lateness, ahead: number) => Seen;

/** The view of the operator in a scenario. */
export function viewOf({ probes, evidence, clocks }: Scenario): View {
  const issuerOf = once(observedIssuer);
  const identityOf = once((identity: State['identity']) =>
    identity.map((one, index) => observedReplica(one, index, { evidence, clocks })),
  );
  const updatesOf = once((identity: State['identity']) =>
    identity.flatMap(({ loadedAt }) => (evidence === 'events' && loadedAt !== undefined ? [loadedAt] : [])),
  );
  return (state, late, ahead) => {
    const { abort, answer, certification, heard, isEnding, isForeign, leaked, leaves, lost, memory } = state;
    const { signer } = late.signer?.shown ?? state;
    const { bundle, kept } = late.bundle?.shown ?? state;
    const { pods, starts } = late.pods?.shown ?? state;
    const { identity } = late.identity?.shown ?? state;
    // Without object spreads, which are slow: this runs for each decision.
    return {
      now: state.now + ahead,
      anchors: (late.anchors?.shown ?? state).anchors,
      signer,
      issuer: issuerOf((late.issuer?.shown ?? state).issuer),
      bundle,
      kept,
      pods,
      starts,
      identity: identityOf(identity),
      issuerUpdates: updatesOf(identity),
      leaves: probes && leaves,
      abort,
      answer,
      certification,
      heard,
      isEnding,
      isForeign,
      leaked,
      lost,
      memory,
    };
  };
}

function once<P extends object, T>(compute: (part: P) => T): (part: P) => T {
  const known = new WeakMap<P, T>();
  return (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const result = compute(part);
    known.set(part, result);
    return result;
  };
}

/** Returns the operator's view. */
export function observe(seen: Seen, scenario: Scenario): ObservedTrust {
  const {
    memory,
    anchors,
    signer,
    issuer,
    bundle,
    kept,
    pods,
    starts,
    identity,
    certification,
    heard,
    leaves = [],
  } = seen;
  return {
    policy: { ...scenario.policy, abort: seen.abort, ...(seen.leaked && { compromised: seen.leaked }) },
    memory: rememberedBy(memory, leaves),
    anchors: anchors.map((anchor) => observedAnchor(anchor, seen)),
    ...(signer !== undefined && { signer }),
    issuer,
    ...(bundle.length > 0 && { bundle: { hash: hashOf(bundle), anchors: bundle.map((key) => root(key, seen)) } }),
    kept,
    answers: givenAnswers(seen),
    ...(certification !== undefined && { certifications: [observedCertification(certification, seen)] }),
    identity,
    issuerUpdates: seen.issuerUpdates,
    pods: [...pods.map((pod) => podGroup(pod, starts)), ...identity.map(controlPlane)],
    members: heard === undefined ? [] : [observedMember(heard)],
    inWindow: true,
    ...(scenario.probes !== undefined && { probes: observedProbes(leaves, seen.now, scenario.probes) }),
  };
}

/** Returns the memory without old chains of proxies that have a new chain by now, which a probe would find. */
function rememberedBy(memory: AnchorMemory, leaves: State['leaves']): AnchorMemory {
  const { rotation } = memory;
  if (rotation?.oldChains === undefined) return memory;
  const oldChains = rotation.oldChains.filter(({ pod }) => leaves.some(({ chain }) => chain.signer === pod));
  return { ...memory, rotation: { ...rotation, oldChains } };
}

function observedProbes(leaves: State['leaves'], now: number, probes: NonNullable<Scenario['probes']>): ObservedProbes {
  const round = { gates: true, since: now };
  if (probes === 'no answers') return { ...round, presented: [], unreached: ['a pod'] };
  const presented = leaves.map(({ chain }) => ({ pod: chain.signer, chain: asChain(chain) }));
  const lies = [{ pod: 'a stranger', chain: asChain({ signer: 'Z' }) }, { pod: 'another one' }];
  return { ...round, presented: [...presented, ...(probes === 'lies' ? lies : [])], unreached: [] };
}

/** Returns the report of a cluster as text, in a fixed order. */
export function reportText(report: Report): string {
  const {
    signing,
    adopted,
    certifier = '',
    holds = [],
    certifiers = [],
    certified = [],
    isCovered,
    request = '',
    given,
  } = report;
  const { compromised = [], distrusts = [], vouched = [] } = report;
  const text = `${signing.toSorted().join('')}/${adopted.toSorted().join('')}`;
  const more = `${certifier}${holds.join('')}?${request}${given ? answerId(given) : ''}|${certifiers.join('')}=${certified.join('')}${isCovered ? '!' : ''}${compromised.map((key) => `-${key}`).join('')}${distrusts.map((key) => `~${key}`).join('')}${vouched.map(answerId).join('')}`;
  return more === '?|=' ? text : `${text}/${more}`;
}

/** The trust domain of the cluster that is certified. */
export const DOMAIN = 'other.example';

const ONLY_ITS_OWN = { permits: [DOMAIN], limitsUris: true } as const;

function observedMember({ request, given: _, holds = [], ...report }: Report): ObservedMember {
  const asked = request && { request: { key: request, subject: request, isKeySupported: true, ...ONLY_ITS_OWN } };
  const roots = [...new Set([...report.signing, ...holds])];
  return { name: OTHER, ...report, roots, ...asked };
}

function givenAnswers({ answer, heard }: Seen): readonly GivenAnswer[] {
  const given = heard?.given;
  return [
    ...(answer === undefined ? [] : [{ place: 'spec', certificates: [givenCertificate(answer)] } as const]),
    ...(given === undefined ? [] : [{ place: 'member', certificates: [givenCertificate(given)] } as const]),
  ];
}

function observedCertification(made: Certified, { anchors }: Seen): ObservedCertification {
  const generation = anchors.find(({ certificate }) => certificate?.key === made.by)?.generation;
  const certificate: CaCertificate = { ...caCertificate(made), constrained: true, ...ONLY_ITS_OWN };
  const signed = { ...(generation !== undefined && { generation }), certificate };
  return { cluster: OTHER, key: made.key, state: 'issued', since: 0, ...signed };
}

/** The name of the other one of two clusters. */
export const OTHER = 'other';

/** Returns the hash of its bundle that a pod carries. */
export function hashOf(bundle: readonly string[]): string {
  let hash = '';
  for (const key of bundle) hash += key;
  return hash;
}

function observedReplica(
  { since, issuer }: State['identity'][number],
  index: number,
  { evidence, clocks }: Pick<Scenario, 'evidence' | 'clocks'>,
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

/** The name of the workload of pods with this bundle. */
export function workloadOf(bundle: readonly string[]): string {
  return `pods-${hashOf(bundle)}`;
}

function podGroup(bundle: readonly string[], starts: State['starts'] = {}): PodGroup {
  const hash = hashOf(bundle);
  return { workload: workloadOf(bundle), pods: 1, since: starts[hash] ?? 0, hash, restartable: true };
}

function observedAnchor(anchor: WorldAnchor, seen: Seen): ObservedAnchor {
  const { generation, bundled, asked, isIssuing, certificate, hasIssuer, pathLength, answered } = anchor;
  const key = nextKey(anchor, seen);
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

/** The key of the next certificate of an anchor; a new one if the Secret was lost. */
export function nextKey(
  { certificate, generation }: WorldAnchor,
  { lost, isForeign }: Pick<State, 'lost' | 'isForeign'>,
): Key {
  const letter = String.fromCharCode(64 + generation + (isForeign ? 1 : 0));
  return certificate?.key ?? letter + "'".repeat(lost);
}

/** The id of a given certificate. */
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

/** Returns a chain in the form that the operator's verification reads, valid at any time. */
export function asChain({ signer, over, beyond }: Chain): IssuerChain {
  const bridges = [
    ...(over === undefined ? [] : [caCertificate({ key: signer, by: over })]),
    ...(over === undefined || beyond === undefined ? [] : [caCertificate({ key: over, by: beyond })]),
  ];
  return { signer, notBefore: -FOREVER, notAfter: FOREVER, bridges };
}

function root(key: Key, { now, isEnding }: Seen): CaCertificate {
  const certificate = caCertificate({ key, by: key });
  return isEnding && key === 'A' ? { ...certificate, notAfter: now + 1 } : certificate;
}

function caCertificate({ key, by }: Certified, pathLength?: number): CaCertificate {
  const limit = pathLength === undefined ? {} : { pathLength };
  return { key, signer: by, notBefore: -FOREVER, notAfter: 2 * FOREVER, ...limit };
}

/** Whether a part is the same in two states. */
export function isSamePart(one: Shown, other: Shown, part: Watched): boolean {
  if (part === 'pods') return isSame(one.pods, other.pods) && isSame(one.starts, other.starts);
  if (part === 'bundle') return isSame(one.bundle, other.bundle) && isSame(one.kept, other.kept);
  return isSame(one[part], other[part]);
}

/** A part that was changed and changed back is the same again. */
function isSame(one: Shown[Watched] | Shown['starts'], other: Shown[Watched] | Shown['starts']): boolean {
  return one === other || (typeof one === 'object' && typeof other === 'object' && numberOf(one) === numberOf(other));
}

const numbers = new WeakMap<object, number>();
const numbersOfTexts = new Map<string, number>();

/** Returns the same number for objects of the same content. There are far fewer contents than states. */
export function numberOf(part: object): number {
  const known = numbers.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  const number = numbersOfTexts.get(text) ?? numbersOfTexts.size;
  numbersOfTexts.set(text, number);
  numbers.set(part, number);
  return number;
}
