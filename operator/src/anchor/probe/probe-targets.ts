import { TRUST_ROOT_SHA256 } from '#linkerd/annotations';
import { PROXY_CONTAINER } from '#operator/api/names';
import { type MeshedPod, startOf } from '../objects/meshed-pod';
import { identityPods, isOfControlPlane } from '../observe/observe-pods';

/** A proxy to probe. */
export interface ProbeTarget {
  readonly uid: string;
  /** `namespace/name` of its pod. */
  readonly pod: string;
  readonly host: string;
  readonly port: number;
  /** The name of its identity, for which it terminates TLS. */
  readonly identity: string;
  readonly isTrusted: boolean;
  /** Hash of its bundle; empty for the control plane, and `unknown` if the memory lacks the bundle. */
  readonly bundle: string;
}

/** Limits of a round. */
export const ROUND = { identities: 16, found: 16, suspects: 16, sample: 32 } as const;

/** The input for choosing a round. */
export interface RoundChoice {
  readonly controlPlaneNamespace: string;
  /** The hashes of bundles in the memory: the writer of a pod can give it any other hash. */
  readonly bundles: readonly string[];
  /** Number of the round. */
  readonly round: number;
  /** Pods to probe in each round, `namespace/name`: they presented a chain of the old anchor. */
  readonly found: readonly string[];
  /** Pods to probe again, a few in each round: they presented a chain that a bundle refuses. */
  readonly suspects: readonly string[];
}

/**
 * Chooses the proxies of a round: those of identity, those in `found` and in `suspects`, and a sample of all proxies
 * for each bundle. Consecutive rounds sample different proxies. Depends only on its arguments.
 */
export function chooseTargets(
  pods: readonly MeshedPod[],
  { controlPlaneNamespace, bundles, round, found, suspects }: RoundChoice,
): readonly ProbeTarget[] {
  const [remembered, old, suspected] = [new Set(bundles), new Set(found), new Set(suspects)];
  const targets = pods.flatMap((pod) => targetOf(pod, controlPlaneNamespace, remembered) ?? []);
  const identities = new Set(identityPods(pods, controlPlaneNamespace).map(({ metadata }) => metadata.uid));
  const first = targets.filter(({ uid }) => identities.has(uid)).slice(0, ROUND.identities);
  const held = targets.filter(({ pod }) => old.has(pod)).slice(0, ROUND.found);
  const refused = targets.filter(({ pod }) => suspected.has(pod)).toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  const again = turn(refused, round, ROUND.suspects);
  const chosen = new Map([...first, ...held, ...again].map((target) => [target.uid, target]));
  for (const target of sampleOf(targets, round)) chosen.set(target.uid, target);
  return [...chosen.values()];
}

/** Returns the same number of targets for each bundle, starting where the last round ended. */
function sampleOf(targets: readonly ProbeTarget[], round: number): readonly ProbeTarget[] {
  const strata = [...Map.groupBy(targets, ({ bundle }) => bundle)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const share = Math.max(1, Math.floor(ROUND.sample / Math.max(1, strata.length)));
  // If there are more bundles than samples, each round takes only the next ones.
  const picked = turn(strata, round, ROUND.sample);
  const turns = Math.floor((round * picked.length) / Math.max(1, strata.length));
  // Uids are random: neighbours belong to different workloads.
  return picked.flatMap(([, all]) =>
    turn(
      all.toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
      turns,
      share,
    ),
  );
}

function turn<T>(all: readonly T[], round: number, most: number): readonly T[] {
  if (all.length <= most) return all;
  const from = (round * most) % all.length;
  return [...all.slice(from, from + most), ...all.slice(0, Math.max(0, from + most - all.length))];
}

function targetOf(
  pod: MeshedPod,
  controlPlaneNamespace: string,
  bundles: ReadonlySet<string>,
): ProbeTarget | undefined {
  const { metadata, proxy, status } = pod;
  const { name, namespace, uid, deletionTimestamp } = metadata;
  const host = status?.podIP;
  if (host === undefined || uid === undefined || proxy === undefined) return undefined;
  if (deletionTimestamp !== undefined || startOf(pod, PROXY_CONTAINER) === undefined) return undefined;
  const isTrusted = isOfControlPlane(pod, controlPlaneNamespace);
  const hash = metadata.annotations?.[TRUST_ROOT_SHA256] ?? '';
  const bundle = isTrusted ? '' : bundles.has(hash) ? hash : 'unknown';
  return { uid, pod: `${namespace}/${name}`, host, ...proxy, isTrusted, bundle };
}
