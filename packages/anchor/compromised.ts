import { listed } from '#base/findings/listed';
import type { AnchorKey, Time } from './chain';
import { cleanSince, mayTrust, workloadsOf } from './knowledge';
import { believedReports, knownKeys, mustGo, reportedKeys, trustingMembers, vouchersFor, vouchings } from './leaks';
import { memberLaggards } from './member-laggards';
import type { AnchorMemory, RememberedLeak } from './memory';
import type { ObservedTrust } from './observed';
import type { AnchorAction, AnchorPlan, Exposure, Milestone, RestartWave } from './plan';
import { anchorsAt } from './policy';
import { waveActions } from './restarts';
import { spreadBy } from './times';
import { restartableIn } from './way';
import { emergencyTime } from './worst-plan';

/** Adds the consequences of leaked keys to a plan: which pods trust them, and the restarts that end this. */
export function withCompromised(plan: Omit<AnchorPlan, 'report'>, observed: ObservedTrust, now: Time): typeof plan {
  const { compromised: named = [] } = observed.policy;
  const { compromised: before, vouched: _, ...others } = plan.memory;
  const reported = reportedKeys(observed);
  const vouched = vouchings(observed, others);
  const keep = { ...others, ...(vouched.length > 0 && { vouched }) };
  const seen = { ...plan.memory, vouched };
  const known = knownKeys(observed, seen);
  const believed = believedReports(reported, observed, seen);
  const leaked = [...new Set([...named.filter((key) => known.has(key)), ...believed])];
  const unknown = named.filter((key) => !known.has(key));
  if (named.length + leaked.length === 0) return { ...plan, memory: keep };
  const leak: Leak = { named, untrusted: [...leaked, ...vouchersFor(leaked, observed)] };
  const memory = { ...keep, compromised: rememberedLeak(leaked, before, observed, now) };
  const exposure = exposureOf(leaked, leak, { observed, memory, now });
  const planned = { ...plan, memory };
  const forget = forgetting(exposure, leak, observed, memory);
  const isAwaited = plan.memory.rotation === undefined && isReplacedElsewhere(leak, observed);
  const join = isAwaited ? memberLaggards(observed, memory, now) : undefined;
  // The plan's own restarts keep its wave: otherwise, pods that nothing recreates would block them for ever.
  const asked = plan.actions.some((action) => action.do === 'restart-laggards') ? plan.wave : undefined;
  const wave = asked ?? forget ?? plan.wave ?? join?.wave;
  const isResting = plan.phase === 'Stable' && !exposure.isOver;
  return {
    ...planned,
    exposure,
    ...(isResting && { phase: 'Compromised' }),
    ...(wave && { wave }),
    milestones: [
      ...plan.milestones,
      unknown.length > 0 ? unknownKeys(unknown, observed) : distrusted(exposure, leak, planned, { observed, now }),
    ],
    actions: [
      ...plan.actions,
      ...(isRestarting(plan) || observed.policy.paused || !isDue(leaked, observed)
        ? []
        : [...forgetActions(exposure, leak, planned, { observed, wave, now }), ...(join?.restarts ?? [])].slice(0, 1)),
    ],
  };
}

interface Leak {
  /** The leaked keys that a user of this cluster named. */
  readonly named: readonly AnchorKey[];
  /** The anchors that nothing may trust: those whose keys leaked, and those that certified one of them. */
  readonly untrusted: readonly AnchorKey[];
}

/** Restarts are due at once if a user of this cluster named a key; if another cluster reports it, only in a window. */
function isDue(leaked: readonly AnchorKey[], { policy: { compromised = [] }, inWindow }: ObservedTrust): boolean {
  return inWindow || leaked.some((key) => compromised.includes(key));
}

function isRestarting({ actions }: Pick<AnchorPlan, 'actions'>): boolean {
  return actions.some((action) => action.do === 'restart-laggards' || action.do === 'restart-identity');
}

function rememberedLeak(
  keys: readonly AnchorKey[],
  before: RememberedLeak | undefined,
  observed: ObservedTrust,
  now: Time,
): RememberedLeak {
  const isNew = before === undefined || keys.some((key) => !before.keys.includes(key));
  if (!isNew) return { ...before, keys: [...keys] };
  const workloads = restartableIn({ pods: everyPod(observed) });
  return { keys: [...keys], since: now, until: now + emergencyTime(observed.policy, workloads.size) };
}

function exposureOf(
  keys: readonly AnchorKey[],
  { untrusted }: Leak,
  { observed, memory, now }: LeakView & { readonly memory: { readonly compromised: RememberedLeak } },
): Exposure {
  const { since, until } = memory.compromised;
  return { keys, ...trustIn(untrusted, { observed, memory, now }), since, until };
}

/**
 * Returns the leaked keys that this cluster reports as distrusted: all that are named in it or reported to it, with the
 * anchors that certified them, once nothing in it trusts any of them; none before.
 */
export function distrustedKeys(view: LeakView): readonly AnchorKey[] {
  const { observed } = view;
  const keys = [...new Set([...(observed.policy.compromised ?? []), ...reportedKeys(observed)])];
  if (keys.length === 0) return [];
  const untrusted = [...keys, ...vouchersFor(keys, observed)];
  return trustIn(untrusted, view).isOver ? untrusted : [];
}

/** Includes the pods of ignored namespaces, which may trust a key as well. */
function everyPod({ pods, ignoredPods = [] }: ObservedTrust): ObservedTrust['pods'] {
  return [...pods, ...ignoredPods];
}

function trustIn(
  untrusted: readonly AnchorKey[],
  { observed, memory: { bundles }, now }: LeakView,
): Pick<Exposure, 'pods' | 'workloads' | 'inBundle' | 'isOver'> {
  const { policy, kept, anchors, isLate } = observed;
  const trusting = workloadsOf(everyPod(observed).filter((pod) => mayTrust(pod, untrusted, bundles, policy)));
  const clean = cleanSince(bundles, untrusted);
  const isHeld =
    kept.some((key) => untrusted.includes(key)) ||
    anchors.some(({ certificate }) => certificate !== undefined && untrusted.includes(certificate.key));
  // By then the last pod that started with an earlier bundle has been observed, too.
  const isSettled = clean !== undefined && now >= spreadBy(clean, policy) + policy.lag;
  const inBundle = clean === undefined || isHeld;
  const isOver = isSettled && !isHeld && trusting.pods === 0 && isLate !== true;
  return { ...trusting, inBundle, isOver };
}

interface LeakView {
  readonly observed: ObservedTrust;
  readonly memory: AnchorMemory;
  readonly now: Time;
}

/** Returns the wave in which pods forget the keys, once the bundle is without them. */
function forgetting(
  { inBundle, pods }: Exposure,
  { untrusted }: Leak,
  { anchors, policy }: ObservedTrust,
  { bundles, current, rotation }: AnchorMemory,
): RestartWave | undefined {
  const since = cleanSince(bundles, untrusted);
  if (inBundle || pods === 0 || since === undefined) return undefined;
  const key = rotation?.key ?? current?.key;
  const generation = anchors.find(({ certificate }) => certificate?.key === key)?.generation ?? current?.generation;
  return {
    reason: 'forget',
    generation: generation ?? 0,
    key: key ?? '',
    since: spreadBy(since, policy),
    forgets: untrusted,
  };
}

/** Restarts workloads within the usual limits; with `Never`, only identity, which is not a workload of the user. */
function forgetActions(
  { workloads }: Exposure,
  { untrusted }: Leak,
  { memory }: Pick<AnchorPlan, 'memory'>,
  { observed, wave, now }: Omit<LeakView, 'memory'> & { readonly wave: RestartWave | undefined },
): readonly AnchorAction[] {
  const { policy, identity, bundle } = observed;
  if (wave?.reason !== 'forget') return [];
  if (policy.laggards === 'Never' && now >= wave.since) {
    const isTrusting = identity.some(({ since }) => mayTrust({ since }, untrusted, memory.bundles, policy));
    return isTrusting && bundle !== undefined ? [{ do: 'restart-identity', bundle: bundle.hash }] : [];
  }
  return waveActions(wave, workloads, { policy, pods: everyPod(observed) }, now);
}

/**
 * Whether another cluster still has an untrusted anchor. It replaces the anchor once pods of this cluster trust the
 * next one.
 */
function isReplacedElsewhere({ untrusted }: Leak, { members }: ObservedTrust): boolean {
  return members.some((one) => anchorsAt(one).some((key) => untrusted.includes(key)));
}

/** Type of the milestone that is reached when nothing trusts a leaked key. */
export const DISTRUSTED = 'Distrusted';

const MAX_NAMED = 3;

/** Reason of a milestone that asks for another key. */
export const UNKNOWN_KEY = 'UnknownKey';

function unknownKeys(keys: readonly AnchorKey[], { issuer: { chain } }: ObservedTrust): Milestone {
  const message = `no anchor of this mesh has the key ${listed(keys, MAX_NAMED)}, which spec.compromised or the annotation names: give one of status.anchors`;
  // Without the memory, it is unknown which anchor certified the key; an attacker may have that certificate.
  const lost = chain
    ? `. If this status was lost, the signing anchor may have certified the key: name the key of that anchor, too (${chain.signer})`
    : '';
  return { ...open(UNKNOWN_KEY, `${message}${lost}`), isWrong: true };
}

function distrusted(
  exposure: Exposure,
  leak: Leak,
  { memory: { rotation } }: Pick<AnchorPlan, 'memory'>,
  { observed, now }: Omit<LeakView, 'memory'>,
): Milestone {
  const { policy, isLate } = observed;
  const { keys, pods, workloads, inBundle, isOver, until } = exposure;
  const names = keys.map((key) => key.slice(0, 8));
  const leaked = `a leaked key (${listed(names, MAX_NAMED)})`;
  if (isOver) return distrustedHere(leaked, trustingMembers(keys, observed));
  const number = inBundle ? `${pods} pods and the bundle trust ${leaked}` : `${pods} pods trust ${leaked}`;
  const limit = until > now ? { until } : {};
  if (policy.paused) return open('Paused', `${number}: nothing changes while spec.paused is true`);
  if (inBundle && rotation === undefined) return inBundleOf(leak, number, observed);
  if (inBundle) return { ...open('Replacing', `${number}: another anchor is replacing it`), ...limit };
  if (pods === 0 || isLate)
    return open('Settling', `no pod seems to trust ${leaked} any more: waiting until this is certain`);
  const left = listed(
    workloads.map(({ workload }) => workload),
    MAX_NAMED,
  );
  const action =
    policy.laggards === 'Never' ? 'restart them' : 'being restarted; delete pods that no controller recreates';
  return { ...open('Restarting', `${number}: ${left} (${action})`), ...limit };
}

/** Nothing in this cluster trusts the keys. What other clusters trust is known only from their reports. */
function distrustedHere(leaked: string, members: ReturnType<typeof trustingMembers>): Milestone {
  if (members.length === 0) {
    const message = `no pod and no bundle trusts ${leaked}`;
    return { type: DISTRUSTED, status: true, reason: 'NothingTrusts', message };
  }
  const reports = members.map(({ name, updated }) =>
    updated === undefined ? `${name} (no report)` : `${name} (report of ${new Date(updated).toISOString()})`,
  );
  const message = `nothing here trusts ${leaked}, but these clusters have not reported the same: ${listed(reports, MAX_NAMED)}. Name the key there, too`;
  return open('MembersTrust', message);
}

function inBundleOf({ untrusted }: Leak, number: string, observed: ObservedTrust): Milestone {
  const { policy, anchors, issuer, members } = observed;
  const own = [issuer.chain?.signer, ...anchors.map(({ certificate }) => certificate?.key)].find(
    (key) => key !== undefined && untrusted.includes(key),
  );
  if (own !== undefined && !mustGo(observed, own)) {
    const message = `${number}: another cluster reports that this key leaked. Name it, or the key ${own} of this cluster's anchor, in spec.compromised, and the anchor is replaced`;
    return { ...open('Reported', message), isWrong: true };
  }
  if (policy.abort) return open('Suspended', `${number}: no rotation starts while spec.abort is true`);
  const theirs = members.flatMap((member) =>
    anchorsAt(member)
      .filter((key) => untrusted.includes(key))
      .map((key) => ({ name: member.name, key, isKnown: member.compromised?.includes(key) === true })),
  );
  const [first] = theirs.toSorted((a, b) => Number(a.isKnown) - Number(b.isKnown));
  if (first === undefined) {
    return open(
      'InBundle',
      `${number}: remove it from its source, which the operator does not manage (previous in Git)`,
    );
  }
  return first.isKnown
    ? open('Members', `${number}: cluster ${first.name} is replacing its anchor ${first.key.slice(0, 8)}`)
    : {
        ...open('Members', `${number}: name the key ${first.key} in spec.compromised of cluster ${first.name}`),
        isWrong: true,
      };
}

function open(reason: string, message: string): Milestone {
  return { type: DISTRUSTED, status: false, reason, message };
}
