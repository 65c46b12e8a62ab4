import { createHash } from 'node:crypto';
import { counted } from '#base/counted';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { MINUTE } from '#base/time-units';
import { NEVER_INJECTED, requestsProxy } from '#lib/checks/policy/pod-sets';
import { isWhole, itemsOf } from '../../live/observation';
import type { ObservedPod } from '../../live/pods';
import type { ObservedNamespace } from '../../live/workloads';
import {
  earliest,
  named,
  restartOf,
  type StatusFinding,
  type StatusInput,
  statusFinding,
  workloadId,
} from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { TRAFFIC_FINDINGS } from '../traffic-findings';
import { trustRootsIn } from '../x509';

/** The time that a new pod may take until its proxy is ready. */
const STARTING = 5 * MINUTE;

/** Checks the pods that have a proxy, and those that should have one. */
export function checkMeshedPods(input: StatusInput): readonly StatusFinding[] {
  return [
    ...checkNamespaces(input),
    ...checkProxies(input),
    ...checkReady(input),
    ...checkRestarts(input),
    ...checkRoots(input),
  ];
}

function checkNamespaces({ intent, seen }: StatusInput): readonly StatusFinding[] {
  const namespaces = itemsOf(seen.namespaces);
  if (namespaces === undefined) return [];
  const byName = new Map(namespaces.map((one) => [one.name, one]));
  return intent.injected.flatMap((namespace) => {
    const observed = byName.get(namespace);
    if (observed === undefined && !isWhole(seen.namespaces)) return [];
    const problem = faultOf(namespace, observed);
    return problem === undefined ? [] : [statusFinding(problem)];
  });
}

function faultOf(namespace: string, observed: ObservedNamespace | undefined): Problem | undefined {
  if (observed === undefined) return STATUS_FINDINGS.namespaceInjectionDiffersMissing({ namespace });
  const { isExempt, inject } = observed;
  if (isExempt) return STATUS_FINDINGS.namespaceInjectionDiffersExempt({ namespace });
  if (requestsProxy(inject)) return undefined;
  return inject === undefined
    ? STATUS_FINDINGS.namespaceInjectionDiffersUnset({ namespace })
    : STATUS_FINDINGS.namespaceInjectionDiffers({ namespace, inject });
}

function checkProxies({ seen, kubectl }: StatusInput): readonly StatusFinding[] {
  const namespaces = new Map((itemsOf(seen.namespaces) ?? []).map((one) => [one.name, one]));
  const bare = (itemsOf(seen.pods) ?? []).filter(
    (pod) => pod.proxy === undefined && !pod.isOver && shouldHaveProxy(pod, namespaces.get(pod.namespace)),
  );
  return [...byNamespace(bare)].map(([namespace, pods]) => {
    const workloads = pods.map(workloadId);
    return statusFinding(
      STATUS_FINDINGS.podsWithoutProxy({
        pods: counted(pods.length, 'pod'),
        namespace,
        workloads: named(pods.map(({ workload }) => workload)),
        ...restartOf(kubectl, workloads),
      }),
      earliest(pods.map(({ created }) => created)),
    );
  });
}

/** The rules of the injector: no proxy on the host network; else the pod's annotation, or its namespace's. */
function shouldHaveProxy(pod: ObservedPod, namespace: ObservedNamespace | undefined): boolean {
  if (pod.isHostNetwork || pod.component !== undefined || NEVER_INJECTED.includes(pod.namespace)) return false;
  return namespace !== undefined && !namespace.isExempt && requestsProxy(pod.inject ?? namespace.inject);
}

function checkReady({ seen, now, kubectl }: StatusInput): readonly StatusFinding[] {
  const unready = (itemsOf(seen.pods) ?? []).filter(
    ({ proxy, isOver }) => proxy !== undefined && !proxy.isReady && !isOver,
  );
  const isLate = ({ created = 0 }: ObservedPod) => now - created > STARTING;
  const parametersOf = ([namespace, pods]: readonly [string, readonly ObservedPod[]]) => ({
    pods: counted(pods.length, 'pod'),
    namespace,
    workloads: named(pods.map(({ workload }) => workload)),
    kubectl,
    pod: pods[0]?.name ?? '',
  });
  const isWaiting = ({ proxy }: ObservedPod) => proxy?.waiting !== undefined;
  const late = [...byNamespace(unready.filter((pod) => isLate(pod) && !isWaiting(pod)))].map(parametersOf);
  const waiting = [...byNamespace(unready.filter((pod) => isLate(pod) && isWaiting(pod)))].map(([namespace, pods]) => {
    const [first] = pods.toSorted((a, b) => Number(isHeldUp(b)) - Number(isHeldUp(a)));
    return statusFinding(notStarted({ ...parametersOf([namespace, pods]), pod: first?.name ?? '' }, first));
  });
  const starting = [...byNamespace(unready.filter((one) => !isLate(one)))].map(parametersOf);
  return [
    ...late.map((parameters) => statusFinding(STATUS_FINDINGS.proxiesNotReady(parameters))),
    ...waiting,
    ...starting.map(({ pod: _, ...parameters }) => statusFinding(STATUS_FINDINGS.proxiesStarting(parameters))),
  ];
}

/** Whether a container has run and failed, so that it has logs. */
function isHeldUp({ troubled }: ObservedPod): boolean {
  return troubled[0]?.ended !== undefined;
}

type NotStarted = Parameters<typeof STATUS_FINDINGS.proxiesNotReady>[0];

function notStarted(parameters: NotStarted, pod: ObservedPod | undefined): Problem {
  const [container] = pod?.troubled ?? [];
  if (container?.ended === undefined) {
    const reason = container?.reason ?? pod?.unscheduled?.message ?? pod?.proxy?.waiting ?? '';
    return STATUS_FINDINGS.proxiesNotReadyWaiting({ ...parameters, reason });
  }
  const { name, reason, message } = container;
  return STATUS_FINDINGS.proxiesNotReadyFailing({ ...parameters, container: name, reason, message });
}

/** How long the restart of a proxy is reported: the period over which the success rate is measured. */
const LATELY = 10 * MINUTE;

function checkRestarts({ seen, now, kubectl }: StatusInput): readonly StatusFinding[] {
  const restarted = (itemsOf(seen.pods) ?? []).filter(
    ({ proxy, isOver }) => proxy?.ended !== undefined && now - proxy.ended.at < LATELY && !isOver,
  );
  return [...byNamespace(restarted)].map(([namespace, pods]) =>
    statusFinding(
      TRAFFIC_FINDINGS.proxiesRestarting({
        pods: counted(pods.length, 'pod'),
        namespace,
        workloads: named(pods.map(({ workload }) => workload)),
        reason: named(pods.map(({ proxy }) => proxy?.ended?.reason ?? '')),
        kubectl,
        pod: pods[0]?.name ?? '',
      }),
      earliest(pods.map(({ proxy }) => proxy?.ended?.at)),
    ),
  );
}

function checkRoots({ intent, seen, kubectl }: StatusInput): readonly StatusFinding[] {
  // With a TrustAnchor, the operator checks this: after a rotation, nearly all pods have older roots for a while.
  if (itemsOf(seen.trustAnchors)?.length !== 0 && seen.trustAnchors.is !== 'absent') return [];
  const roots = trustRootsIn(intent.controlPlane, seen);
  if (roots === undefined) return [];
  const current = createHash('sha256').update(roots).digest('hex');
  // Pods of the control plane read the roots when they start; releases before 2.12 set no hash.
  const outdated = (itemsOf(seen.pods) ?? []).filter(
    ({ proxy, isOver, component }) =>
      proxy?.roots !== undefined && proxy.roots !== current && !isOver && component === undefined,
  );
  if (outdated.length === 0) return [];
  const workloads = outdated.map(workloadId);
  return [
    statusFinding(
      STATUS_FINDINGS.podsWithOtherRoots({
        pods: counted(outdated.length, 'pod'),
        workloads: named(workloads),
        ...restartOf(kubectl, workloads),
      }),
      earliest(outdated.map(({ created }) => created)),
    ),
  ];
}

function byNamespace(pods: readonly ObservedPod[]): ReadonlyMap<string, readonly ObservedPod[]> {
  const found = grouped(pods.map((pod) => [pod.namespace, pod] as const));
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
