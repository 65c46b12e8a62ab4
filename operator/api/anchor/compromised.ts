import { listed } from '../kubernetes/listed';
import type { AnchorKey, Time } from './chain';
import { bundlesIn, isForgotten, workloadsOf } from './knowledge';
import type { AnchorMemory, RememberedBundle, RememberedLeak } from './memory';
import type { AnchorPolicy, ObservedTrust, PodGroup } from './observed';
import type { AnchorAction, AnchorPlan, Exposure, Milestone, RestartWave } from './plan';
import { isCompromised } from './policy';
import { spreadBy } from './times';
import { emergencyTime } from './worst-plan';

/**
 * Whether a pod may trust one of these keys. One whose bundle is unknown may trust any: only what is known to be
 * without them counts.
 */
export function mayTrust(
  { hash, since }: Pick<PodGroup, 'hash' | 'since'>,
  keys: readonly AnchorKey[],
  bundles: readonly RememberedBundle[],
  { lag, skew }: Pick<AnchorPolicy, 'lag' | 'skew'>,
): boolean {
  const has = (bundle: RememberedBundle): boolean => keys.some((key) => bundle.keys.includes(key));
  if (hash !== undefined) {
    const given = bundles.find((bundle) => bundle.hash === hash);
    return given === undefined || has(given);
  }
  const from = since - lag - skew;
  const read = bundlesIn(bundles, from, since + skew);
  const isKnown = bundles[0] !== undefined && bundles[0].since <= from && !isForgotten(bundles, from, since + skew);
  return !isKnown || read.length === 0 || read.some(has);
}

/** Adds to a plan what follows from keys that leaked: who trusts them, and the restarts after which nobody does. */
export function withCompromised(plan: Omit<AnchorPlan, 'told'>, observed: ObservedTrust, now: Time): typeof plan {
  const { compromised = [] } = observed.policy;
  const { compromised: before, ...others } = plan.memory;
  if (compromised.length === 0) return { ...plan, memory: others };
  const known = knownKeys(observed, plan.memory);
  const [ours, unknown] = [compromised.filter((key) => known.has(key)), compromised.filter((key) => !known.has(key))];
  const leak = rememberedLeak(ours, before, observed, now);
  const memory = { ...others, compromised: leak };
  const exposure = exposureOf(compromised, observed, memory, now);
  const wave = forgetting(exposure, observed, memory) ?? plan.wave;
  const isResting = plan.phase === 'Stable' && !exposure.isOver;
  return {
    ...plan,
    memory,
    exposure,
    ...(isResting && { phase: 'Compromised' }),
    ...(wave && { wave }),
    milestones: [
      ...plan.milestones,
      unknown.length > 0 ? unknownKeys(unknown) : distrusted(exposure, plan, observed, now),
    ],
    actions: [...plan.actions, ...forgetActions(exposure, plan, observed, { wave, now })],
  };
}

/** Returns the keys that are, or were, of anchors in this mesh. */
function knownKeys(observed: ObservedTrust, { bundles, current, rotation, compromised }: AnchorMemory): Set<AnchorKey> {
  const keys = [
    ...observed.anchors.map(({ certificate }) => certificate?.key),
    ...(observed.bundle?.anchors ?? []).map(({ key }) => key),
    ...observed.kept,
    ...observed.members.flatMap(({ roots = [], signing }) => [...roots, ...signing]),
    ...bundles.flatMap((bundle) => bundle.keys),
    ...(compromised?.keys ?? []),
    ...[observed.issuer.chain?.signer, current?.key, rotation?.from, rotation?.key],
  ];
  return new Set(keys.filter((key) => key !== undefined));
}

function rememberedLeak(
  keys: readonly AnchorKey[],
  before: RememberedLeak | undefined,
  { pods, policy }: ObservedTrust,
  now: Time,
): RememberedLeak {
  const isNew = before === undefined || keys.some((key) => !before.keys.includes(key));
  if (!isNew) return { ...before, keys: [...keys] };
  const workloads = new Set(pods.flatMap(({ workload, restartable }) => (restartable ? [workload] : [])));
  return { keys: [...keys], since: now, until: now + emergencyTime(policy, workloads.size) };
}

/** Returns since when no bundle has had one of these keys; undefined while the present one has. */
function cleanSince(bundles: readonly RememberedBundle[], keys: readonly AnchorKey[]): Time | undefined {
  // Dropped bundles may have had any.
  const last = bundles.findLastIndex(
    (bundle) => bundle.until !== undefined || keys.some((key) => bundle.keys.includes(key)),
  );
  return bundles[last + 1]?.since;
}

function exposureOf(
  keys: readonly AnchorKey[],
  observed: ObservedTrust,
  { bundles, compromised }: AnchorMemory & { readonly compromised: RememberedLeak },
  now: Time,
): Exposure {
  const { since, until } = compromised;
  const { policy, pods, kept, anchors, isLate } = observed;
  const trusting = workloadsOf(pods.filter((pod) => mayTrust(pod, keys, bundles, policy)));
  const clean = cleanSince(bundles, keys);
  const isHeld =
    kept.some((key) => keys.includes(key)) ||
    anchors.some(({ certificate }) => isCompromised(observed, certificate?.key));
  // By then the last pod that started with an earlier bundle has been observed, too.
  const isSettled = clean !== undefined && now >= spreadBy(clean, policy) + policy.lag;
  const inBundle = clean === undefined || isHeld;
  const isOver = isSettled && !isHeld && trusting.pods === 0 && isLate !== true;
  return { keys, ...trusting, inBundle, since, until, isOver };
}

/** Returns the wave in which pods forget the keys, once the bundle is without them. */
function forgetting(
  { keys, inBundle, pods }: Exposure,
  { anchors }: ObservedTrust,
  { bundles, current, rotation }: AnchorMemory,
): RestartWave | undefined {
  const since = cleanSince(bundles, keys);
  if (inBundle || pods === 0 || since === undefined) return undefined;
  const key = rotation?.key ?? current?.key;
  const generation = anchors.find(({ certificate }) => certificate?.key === key)?.generation ?? current?.generation;
  return { reason: 'forget', generation: generation ?? 0, key: key ?? '', since };
}

/**
 * Restarts pods that trust one of the keys: at any hour, within the limits of all restarts. With `Never`, only identity,
 * which is not a workload of the user.
 */
function forgetActions(
  { workloads, keys }: Exposure,
  plan: Pick<AnchorPlan, 'actions' | 'memory'>,
  { policy, pods, identity, bundle }: ObservedTrust,
  { wave, now }: { readonly wave: RestartWave | undefined; readonly now: Time },
): readonly AnchorAction[] {
  const isBusy = plan.actions.some((action) => action.do === 'restart-laggards' || action.do === 'restart-identity');
  if (wave?.reason !== 'forget' || policy.paused || isBusy || now < spreadBy(wave.since, policy)) return [];
  if (policy.laggards === 'Never') {
    const isTrusting = identity.some(({ since }) => mayTrust({ since }, keys, plan.memory.bundles, policy));
    return isTrusting && bundle !== undefined ? [{ do: 'restart-identity', bundle: bundle.hash }] : [];
  }
  const restartable = new Set(pods.flatMap(({ restartable: can, workload }) => (can ? [workload] : [])));
  // A pod that started without them and seems to trust them would seem to the next time, too.
  const wanted = workloads.flatMap(({ workload, since }) =>
    since < spreadBy(wave.since, policy) && restartable.has(workload) ? [workload] : [],
  );
  return wanted.length === 0 ? [] : [{ do: 'restart-laggards', workloads: wanted, generation: wave.generation }];
}

/** Type of the milestone that nothing trusts a key that leaked. */
export const DISTRUSTED = 'Distrusted';

/** Maximum number of named keys and workloads. */
const MOST_NAMED = 3;

function unknownKeys(keys: readonly AnchorKey[]): Milestone {
  return {
    ...open(
      'UnknownKey',
      `no anchor of this mesh has the key ${listed(keys, MOST_NAMED)}, which spec.compromised or the annotation names: take one of status.anchors, or remove it if nothing trusts it any more`,
    ),
    isWrong: true,
  };
}

function distrusted(
  exposure: Exposure,
  { memory: { rotation } }: Pick<AnchorPlan, 'memory'>,
  { policy, isLate }: ObservedTrust,
  now: Time,
): Milestone {
  const { keys, pods, workloads, inBundle, isOver, until } = exposure;
  const names = keys.map((key) => key.slice(0, 8));
  const who = `who has the key ${listed(names, MOST_NAMED)}`;
  if (isOver) {
    return { type: DISTRUSTED, status: true, reason: 'NothingTrusts', message: `no pod and no bundle trusts ${who}` };
  }
  const number = inBundle ? `${pods} pods and the bundle trust ${who}` : `${pods} pods trust ${who}`;
  const limit = until > now ? { until } : {};
  if (policy.paused) return open('Paused', `${number}: nothing changes that while spec.paused is true`);
  if (inBundle && rotation === undefined) {
    return policy.abort
      ? open('Suspended', `${number}: no rotation starts while spec.abort is true`)
      : open('InBundle', `${number}: remove its source, which is not the operator's (previous in Git, a member)`);
  }
  if (inBundle) return { ...open('Replacing', `${number}: another anchor takes its place`), ...limit };
  if (pods === 0 || isLate) return open('Settling', `no pod is seen that trusts ${who}: that is to hold`);
  const left = listed(
    workloads.map(({ workload }) => workload),
    MOST_NAMED,
  );
  const action =
    policy.laggards === 'Never' ? 'restart' : 'being restarted, or to be deleted where nothing recreates them';
  return { ...open('Restarting', `${number}: ${left} (${action})`), ...limit };
}

function open(reason: string, message: string): Milestone {
  return { type: DISTRUSTED, status: false, reason, message };
}
