import type { AnchorKey, Time } from './chain';
import type { RememberedBundle } from './memory';
import type { AnchorPolicy, PodGroup } from './observed';
import type { Laggards } from './plan';

type Delays = Pick<AnchorPolicy, 'lag' | 'skew'>;

/** Returns the anchors that pods are known to trust; none if their bundle is unknown. */
export function anchorsKnownTo(
  { hash, since }: Pick<PodGroup, 'hash' | 'since'>,
  bundles: readonly RememberedBundle[],
  { lag, skew }: Delays,
): ReadonlySet<AnchorKey> {
  if (hash !== undefined) return new Set(bundles.find((bundle) => bundle.hash === hash)?.keys);
  return inForce(bundles, since - lag - skew, since + skew);
}

/**
 * Whether a pod may trust one of these keys. A pod whose bundle is unknown may trust any key.
 */
export function mayTrust(
  { hash, since }: Pick<PodGroup, 'hash' | 'since'>,
  keys: readonly AnchorKey[],
  bundles: readonly RememberedBundle[],
  { lag, skew }: Delays,
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

/**
 * Returns the anchors that all bundles between two times contain: a pod that started then trusts each of them. Empty
 * bundles are ignored, because no pod starts with one.
 */
function inForce(bundles: readonly RememberedBundle[], from: Time, to: Time): ReadonlySet<AnchorKey> {
  const [first] = bundles;
  if (isForgotten(bundles, from, to)) return new Set();
  if (first === undefined || first.since > from) return startedWithFirst(bundles, to);
  return heldByAll(bundlesIn(bundles, from, to));
}

function isForgotten(bundles: readonly RememberedBundle[], from: Time, to: Time): boolean {
  return bundles.some(
    ({ until }, index) => until !== undefined && until <= to && (bundles[index + 1]?.since ?? from) > from,
  );
}

/** Returns the bundles between two times, one of which a pod that started then has read. */
export function bundlesIn(bundles: readonly RememberedBundle[], from: Time, to: Time): readonly RememberedBundle[] {
  return bundles.filter(({ since, keys }, index) => since <= to && endOf(bundles, index) > from && keys.length > 0);
}

/** Returns the time at which the next bundle replaced a bundle. */
export function endOf(bundles: readonly RememberedBundle[], index: number): Time {
  return bundles[index]?.until ?? bundles[index + 1]?.since ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns the anchors of pods that started after an initial time without a bundle: those that all recorded bundles
 * contain.
 */
function startedWithFirst(bundles: readonly RememberedBundle[], to: Time): ReadonlySet<AnchorKey> {
  const [first, ...others] = bundles;
  if (first === undefined || first.keys.length > 0) return new Set();
  return heldByAll(others.filter(({ since, keys }) => since <= to && keys.length > 0));
}

function heldByAll([one, ...others]: readonly RememberedBundle[]): ReadonlySet<AnchorKey> {
  return new Set(one?.keys.filter((key) => others.every(({ keys }) => keys.includes(key))));
}

/** No pods. */
export const NO_LAGGARDS: Laggards = { pods: 0, workloads: [] };

/** Returns a predicate: may a pod lack one of these anchors? Results are cached by bundle: most pods share a few. */
export function lacks(
  keys: readonly AnchorKey[],
  bundles: readonly RememberedBundle[],
  delays: Delays,
): (pod: PodGroup) => boolean {
  const byHash = new Map<string, boolean>();
  return (pod) => {
    const found = byHash.get(pod.hash ?? '');
    if (found !== undefined) return found;
    const known = anchorsKnownTo(pod, bundles, delays);
    const isLacking = !keys.every((key) => known.has(key));
    if (pod.hash) byHash.set(pod.hash, isLacking);
    return isLacking;
  };
}

/** Returns the pods that are not known to trust all of these anchors, by workload. */
export function laggardsOf(
  pods: readonly PodGroup[],
  keys: readonly AnchorKey[],
  bundles: readonly RememberedBundle[],
  delays: Delays,
): Laggards {
  return workloadsOf(pods.filter(lacks(keys, bundles, delays)));
}

/** Returns pods by workload, the workload of the oldest pod first. */
export function workloadsOf(pods: readonly PodGroup[]): Laggards {
  const byWorkload = new Map<string, { pods: number; since: number }>();
  let count = 0;
  for (const group of pods) {
    count += group.pods;
    const one = byWorkload.get(group.workload);
    const since = Math.min(one?.since ?? group.since, group.since);
    byWorkload.set(group.workload, { pods: (one?.pods ?? 0) + group.pods, since });
  }
  const workloads = [...byWorkload].map(([workload, entry]) => ({ workload, ...entry }));
  return {
    pods: count,
    workloads: workloads.toSorted((a, b) => a.since - b.since || (a.workload < b.workload ? -1 : 1)),
  };
}

/** Returns since when all bundles have contained these anchors. */
export function heldSince(bundles: readonly RememberedBundle[], keys: readonly AnchorKey[]): Time | undefined {
  // Bundles that are no longer recorded may have lacked any anchor.
  const lacking = bundles.findLastIndex(
    ({ keys: held, until }) => until !== undefined || !keys.every((key) => held.includes(key)),
  );
  return bundles[lacking + 1]?.since;
}

/** Returns since when no bundle has had one of these keys; undefined while the present one has. */
export function cleanSince(bundles: readonly RememberedBundle[], keys: readonly AnchorKey[]): Time | undefined {
  // Bundles that are no longer recorded may have contained any anchor.
  const last = bundles.findLastIndex(
    (bundle) => bundle.until !== undefined || keys.some((key) => bundle.keys.includes(key)),
  );
  return bundles[last + 1]?.since;
}
