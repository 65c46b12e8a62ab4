import { counted } from '../../../../packages/base/counted';
import { compareReleases, linesBetween } from '../../../linkerd/releases/lines';
import { type Look, named, restartOf, type StatusFinding, statusFinding, workloadId } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { isWhole, itemsOf, type Observation, type ObservedPod, type ObservedWorkload } from '../observation';

/** Checks the release of the control plane and of each proxy, and the workloads of the mesh itself. */
export function checkWorkloads(look: Look): readonly StatusFinding[] {
  return [...checkRelease(look), ...checkProxies(look), ...checkAvailable(look)];
}

/**
 * Returns the oldest release that pods of the control plane run; without ready pods, that of its template. Undefined if
 * unknown.
 */
export function runningRelease({ intent, seen }: Pick<Look, 'intent' | 'seen'>): string | undefined {
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

function checkRelease(look: Look): readonly StatusFinding[] {
  const [running, intended] = [runningRelease(look), look.intent.release];
  if (running === undefined || intended === undefined || running === intended) return [];
  const { kubectl, intent } = look;
  const namespace = intent.controlPlane ?? '';
  return [statusFinding(STATUS_FINDINGS.controlPlaneReleaseDiffers({ running, intended, kubectl, namespace }))];
}

/** Returns the meshed pods by the release of their proxies, the newest release first. */
export function proxiesByRelease({ pods }: Observation): ReadonlyMap<string, readonly ObservedPod[]> {
  const byRelease = new Map<string, ObservedPod[]>();
  for (const pod of itemsOf(pods) ?? []) {
    if (pod.proxy === undefined || pod.isOver) continue;
    const { release = 'unknown' } = pod.proxy;
    const others = byRelease.get(release);
    if (others === undefined) byRelease.set(release, [pod]);
    else others.push(pod);
  }
  return new Map([...byRelease].sort(([a], [b]) => compareReleases(b, a) || (a < b ? -1 : 1)));
}

function checkProxies({ intent, seen, kubectl }: Look): readonly StatusFinding[] {
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

function checkAvailable({ intent, seen, kubectl }: Look): readonly StatusFinding[] {
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
