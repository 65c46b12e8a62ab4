import { counted } from '#base/counted';
import { grouped } from '#base/grouped';
import { compareReleases, linesBetween } from '#linkerd/releases/lines';
import { isWhole, itemsOf, type StatusObservation } from '../../live/observation';
import type { ObservedPod } from '../../live/pods';
import type { ObservedWorkload } from '../../live/workloads';
import { named, restartOf, type StatusFinding, type StatusInput, statusFinding, workloadId } from '../finding';
import { STATUS_FINDINGS } from '../findings';

/** Checks the release of the control plane and of each proxy, and the workloads of the mesh itself. */
export function checkWorkloads(input: StatusInput): readonly StatusFinding[] {
  return [...checkRelease(input), ...checkProxies(input), ...checkAvailable(input)];
}

/**
 * Returns the oldest release that ready pods of linkerd-destination run. Without ready pods, returns the release in its
 * template; undefined if unknown.
 */
export function runningRelease({ intent, seen }: Pick<StatusInput, 'intent' | 'seen'>): string | undefined {
  const [running] = (itemsOf(seen.pods) ?? [])
    .flatMap(({ namespace, component, isOver, running: release }) =>
      namespace === intent.controlPlane && component === 'destination' && !isOver ? (release ?? []) : [],
    )
    .sort(compareReleases);
  if (running !== undefined) return running;
  const destination = itemsOf(seen.workloads)?.find(
    ({ namespace, name }) => namespace === intent.controlPlane && name === 'linkerd-destination',
  );
  return destination?.images.destination;
}

function checkRelease(input: StatusInput): readonly StatusFinding[] {
  const [running, intended] = [runningRelease(input), input.intent.release];
  if (running === undefined || intended === undefined || running === intended) return [];
  const { kubectl, intent } = input;
  const namespace = intent.controlPlane ?? '';
  return [statusFinding(STATUS_FINDINGS.controlPlaneReleaseDiffers({ running, intended, kubectl, namespace }))];
}

/** Returns the meshed pods by the release of their proxies, the newest release first. */
export function proxiesByRelease({ pods }: StatusObservation): ReadonlyMap<string, readonly ObservedPod[]> {
  const meshed = (itemsOf(pods) ?? []).filter(({ proxy, isOver }) => proxy !== undefined && !isOver);
  const byRelease = grouped(meshed.map((pod) => [pod.proxy?.release ?? 'unknown', pod] as const));
  return new Map([...byRelease].sort(([a], [b]) => compareReleases(b, a) || (a < b ? -1 : 1)));
}

function checkProxies({ intent, seen, kubectl }: StatusInput): readonly StatusFinding[] {
  const controlPlane = runningRelease({ intent, seen });
  if (controlPlane === undefined) return [];
  return [...proxiesByRelease(seen)].flatMap(([release, pods]) => {
    if (release === 'unknown' || compareReleases(release, controlPlane) >= 0) return [];
    const workloads = pods.map(workloadId);
    const parameters = {
      pods: counted(pods.length, 'pod'),
      release,
      controlPlane,
      workloads: named(workloads),
      ...restartOf(kubectl, workloads),
    };
    const isFar = linesBetween(release, controlPlane).length > 0;
    return [
      statusFinding(
        isFar ? STATUS_FINDINGS.proxiesTooFarBehind(parameters) : STATUS_FINDINGS.proxiesBehind(parameters),
      ),
    ];
  });
}

function checkAvailable({ intent, seen, kubectl }: StatusInput): readonly StatusFinding[] {
  const workloads = itemsOf(seen.workloads);
  if (workloads === undefined) return [];
  const byName = new Map(workloads.map((one) => [`${one.kind} ${one.namespace}/${one.name}`, one]));
  return intent.workloads.flatMap((workload) => {
    const found = byName.get(workload);
    if (found === undefined) {
      return isWhole(seen.workloads) ? [statusFinding(STATUS_FINDINGS.workloadMissing({ workload }))] : [];
    }
    return found.ready >= found.wanted ? [] : [unavailable(workload, found, kubectl)];
  });
}

function unavailable(
  workload: string,
  { kind, namespace, name, ready, wanted, since }: ObservedWorkload,
  kubectl: string,
): StatusFinding {
  const command = `-n ${namespace} describe ${kind.toLowerCase()} ${name}`;
  return statusFinding(STATUS_FINDINGS.workloadUnavailable({ workload, ready, wanted, kubectl, command }), since);
}
