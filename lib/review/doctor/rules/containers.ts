import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { remembered } from '#base/remembered';
import { CNI_RESOURCE } from '#linkerd/annotations';
import { PROXY_CONTAINER } from '#operator/api/names';
import { isWhole, itemsOf } from '../../live/observation';
import type { ObservedPod, TroubledContainer } from '../../live/pods';
import type { ObservedEvent } from '../../live/workloads';
import { earliest, named } from '../../status/finding';
import { lastingEvents } from '../events';
import { type DoctorInput, doctorFact, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf, workloadOfPod } from '../mesh';

/** Returns a function: why do the pods of this workload not become ready? It reports the first pod of each reason. */
export function podChecks(input: DoctorInput): (id: string) => readonly Fact[] {
  const waitingPods = (itemsOf(input.seen.pods) ?? []).filter(({ isOver, isReady }) => !isOver && !isReady);
  const unready = grouped(waitingPods.map((pod) => [workloadOfPod(pod), pod] as const));
  const failures = eventsOfPods('FailedMount', input);
  const sandboxes = eventsOfPods('FailedCreatePodSandBox', input);
  return (id) => {
    const pods = unready.get(id) ?? [];
    const unscheduled = pods.find((pod) => pod.unscheduled !== undefined);
    const [troubled] = pods.flatMap((pod) => pod.troubled.map((container) => ({ pod, container })));
    const waiting = pods.filter((pod) => pod.unscheduled === undefined && pod.troubled.length === 0);
    const [unmounted] = waiting.flatMap((pod) => {
      const event = failures.get(podId(pod));
      return event === undefined ? [] : [notMounted(id, { pod, event }, input)];
    });
    return [
      ...(unscheduled === undefined ? [] : [notScheduled(id, unscheduled, input)]),
      ...(troubled === undefined ? [] : [notStarting([id], troubled, input)]),
      ...(unmounted === undefined ? [] : [unmounted]),
      ...withoutNetwork(waiting, sandboxes, input),
    ];
  };
}

/** Reported by Events only: Secrets are not read. */
function notMounted(
  id: string,
  { pod, event }: { readonly pod: ObservedPod; readonly event: ObservedEvent },
  { mesh, kubectl }: DoctorInput,
): Fact {
  const { message, namespace, first } = event;
  const problem = DOCTOR_FINDINGS.volumeNotMounted({ workload: id, message, kubectl, namespace });
  return doctorFact(problem, { since: first, breaks: { start: id }, needs: containerNeeds(id, pod, mesh) });
}

function notScheduled(id: string, { namespace, unscheduled }: ObservedPod, { kubectl }: DoctorInput): Fact {
  const { message = '', since } = unscheduled ?? {};
  const problem = DOCTOR_FINDINGS.podsUnscheduled({ workload: id, message, kubectl, namespace });
  return doctorFact(problem, { since, breaks: { start: id }, needs: { scheduling: 'any' } });
}

const UNPULLABLE: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];

interface Failing {
  readonly pod: ObservedPod;
  readonly container: TroubledContainer;
}

function notStarting(workloads: readonly string[], failing: Failing, input: DoctorInput): Fact {
  const { pod, container } = failing;
  const isUnpullable = UNPULLABLE.includes(container.reason);
  const cni = container.name === VALIDATOR ? cniOf(pod, input) : undefined;
  return {
    ...doctorFinding(problemOf(named(workloads), failing, input), pod.readySince),
    breaks: subjects({ start: workloads }),
    needs: [
      ...(isUnpullable || container.isInit ? [] : containerNeeds(workloadOfPod(pod), pod, input.mesh)),
      ...subjects({ workload: cni?.workloads }),
    ],
    ...(cni && { evidence: cni.evidence }),
  };
}

function problemOf(workload: string, { pod, container }: Failing, { kubectl }: DoctorInput): Problem {
  const { namespace, name, proxy, node = '' } = pod;
  const { name: containerName, reason, message, image, isInit, ended } = container;
  if (UNPULLABLE.includes(reason)) {
    return DOCTOR_FINDINGS.imageUnpullable({ workload, image, message, kubectl, namespace });
  }
  const parameters = { workload, container: containerName, reason, message, kubectl, namespace, pod: name };
  if (containerName === VALIDATOR) return DOCTOR_FINDINGS.containerNotStartingValidator({ ...parameters, node });
  if (ended === undefined) return DOCTOR_FINDINGS.containerNotStartingUnstarted(parameters);
  if (ended === 'OOMKilled') return DOCTOR_FINDINGS.containerNotStartingMemory(parameters);
  if (containerName === 'linkerd-init') return DOCTOR_FINDINGS.containerNotStartingInit(parameters);
  return isInit && proxy?.waiting !== undefined
    ? DOCTOR_FINDINGS.containerNotStartingBeforeProxy(parameters)
    : DOCTOR_FINDINGS.containerNotStarting(parameters);
}

/** With the CNI plugin, this init container checks that connections of the pod reach its proxy. */
const VALIDATOR = 'linkerd-network-validator';
const APP = 'k8s-app';

interface CniPlugin {
  readonly workloads: readonly string[];
  readonly pods: ReadonlyMap<string, readonly ObservedPod[]>;
  readonly hasCilium: boolean;
}

const cniIn = remembered((reading: DoctorInput['seen']['pods']): CniPlugin => {
  const pods = (itemsOf(reading) ?? []).filter(({ isOver }) => !isOver);
  const plugin = pods.filter(({ labels }) => labels[APP] === 'linkerd-cni' || labels[CNI_RESOURCE] !== undefined);
  return {
    workloads: [...new Set(plugin.map(workloadOfPod))],
    pods: grouped(plugin.map((pod) => [pod.node ?? '', pod] as const)),
    hasCilium: pods.some(({ labels }) => labels[APP] === 'cilium'),
  };
});

/** Returns the workloads of the CNI plugin, and evidence of why the plugin may have skipped a pod. */
function cniOf({ node = '' }: ObservedPod, { seen }: DoctorInput) {
  const { workloads, pods, hasCilium } = cniIn(seen.pods);
  const own = pods.get(node) ?? [];
  const missing =
    pods.size === 0 ? 'no pod of the CNI plugin was found' : `no pod of the CNI plugin is on the node ${node}`;
  return {
    workloads,
    evidence: [
      ...(own.length === 0 && isWhole(seen.pods) ? [missing] : []),
      ...own.map(
        ({ namespace, name, isReady }) =>
          `the pod ${namespace}/${name} on the node ${node} is ${isReady ? 'ready' : 'not ready'}`,
      ),
      ...(hasCilium ? [CILIUM] : []),
    ],
  };
}

const CILIUM =
  'Cilium runs in this cluster, and removes the configuration of other CNI plugins unless its value cni.exclusive is false';

const INJECTED: readonly string[] = [PROXY_CONTAINER, 'linkerd-init', VALIDATOR];

/** Checks why proxies of workloads outside the control plane do not start. */
export function checkProxies(input: DoctorInput): readonly Fact[] {
  const own = new Set(input.mesh.intent.workloads);
  const meshed = (itemsOf(input.seen.pods) ?? []).filter(
    (pod) => pod.proxy !== undefined && !pod.isReady && !pod.isOver && !own.has(workloadOfPod(pod)),
  );
  const reasons = grouped(
    meshed.flatMap((pod) => {
      const container = holdingUp(pod);
      if (container === undefined) return [];
      const { name, reason, image } = container;
      return [[UNPULLABLE.includes(reason) ? image : `${name} ${reason}`, { pod, container }] as const];
    }),
  );
  return [
    ...[...reasons.values()].map((all) => {
      const workloads = [...new Set(all.map(({ pod }) => workloadOfPod(pod)))];
      const since = earliest(all.map(({ pod }) => pod.readySince));
      return { ...notStarting(workloads, all[0], input), harm: { rank: 1 as const, at: since ?? input.now } };
    }),
    ...withoutNetwork(meshed, eventsOfPods('FailedCreatePodSandBox', input), input),
  ];
}

/** Returns the container that keeps a proxy from starting. It may be an init container of the application. */
function holdingUp({ troubled, proxy }: ObservedPod): TroubledContainer | undefined {
  const injected = troubled.find(({ name }) => INJECTED.includes(name));
  return injected ?? (proxy?.waiting === undefined ? undefined : troubled.find(({ isInit }) => isInit));
}

/** Only Events report these failures. */
function withoutNetwork(meshed: readonly ObservedPod[], failures: PodEvents, input: DoctorInput): readonly Fact[] {
  const found = meshed.flatMap((pod) => {
    const event = failures.get(podId(pod));
    return event === undefined ? [] : [{ pod, event }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const { kubectl, now } = input;
  const { workloads, evidence } = cniOf(first.pod, input);
  const ids = found.map(({ pod }) => workloadOfPod(pod));
  const since = earliest(found.map(({ event }) => event.first));
  const problem = DOCTOR_FINDINGS.podNetworkFailed({
    workloads: named(ids),
    message: first.event.message,
    kubectl,
    node: first.pod.node ?? '',
  });
  const parts = { since, breaks: { start: ids }, needs: { workload: workloads }, evidence };
  return [doctorFact(problem, { ...parts, harm: { rank: 1, at: since ?? now } })];
}

type PodEvents = ReadonlyMap<string, ObservedEvent>;

function eventsOfPods(reason: 'FailedMount' | 'FailedCreatePodSandBox', input: DoctorInput): PodEvents {
  return new Map(lastingEvents(reason, input).map((event) => [`${event.namespace} ${event.object}`, event]));
}

function podId({ namespace, name }: ObservedPod): string {
  return `${namespace} Pod/${name}`;
}

/** The Certificates of workloads, if their names differ from the names of the workloads. */
const SERVED: ReadonlyMap<string, readonly string[]> = new Map([
  ['linkerd-destination', ['linkerd-sp-validator', 'linkerd-policy-validator']],
  ['linkerd-identity', ['linkerd-identity-issuer']],
]);

/** A proxy needs identity and destination, except for the proxies in the pods of these two. */
function containerNeeds(id: string, { proxy }: ObservedPod, mesh: DoctorInput['mesh']): readonly Subject[] {
  const { namespace, identity, destination } = mesh;
  const place = placeOf(id);
  const served = place.namespace === namespace ? SERVED.get(place.name) : undefined;
  const isProxied = proxy !== undefined;
  return [
    ...subjects({ certificate: (served ?? [place.name]).map((name) => `${place.namespace}/${name}`) }),
    ...(id === destination ? subjects({ kinds: 'linkerd' }) : []),
    ...(isProxied || id === identity ? subjects({ roots: namespace }) : []),
    ...(isProxied && id !== identity ? subjects({ identity: namespace }) : []),
    ...(isProxied && id !== identity && id !== destination ? subjects({ destination: namespace }) : []),
  ];
}
