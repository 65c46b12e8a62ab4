import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { MINUTE } from '#base/time-units';
import { isWhole, itemsOf } from '../live/observation';
import type { ObservedPod } from '../live/pods';
import type { ObservedEvent } from '../live/workloads';
import { issuedTo } from '../status/x509';
import type { DoctorInput } from './fact';
import { workloadOf, workloadOfPod } from './mesh';

interface EventState {
  /** The longest time between two attempts. Each attempt repeats the Event. */
  readonly repeatsMs: number;
  /** Whether other objects show that the reported problem is over. */
  readonly over: (input: DoctorInput) => (event: ObservedEvent) => boolean;
}

/** The API server keeps an Event for an hour, even if its problem is over. */
const STATES = {
  FailedCreatePodSandBox: { repeatsMs: 20 * MINUTE, over: mounted },
  FailedMount: { repeatsMs: 20 * MINUTE, over: mounted },
  FailedCreate: { repeatsMs: 20 * MINUTE, over: created },
  IssuerUpdateSkipped: { repeatsMs: Number.POSITIVE_INFINITY, over: takenUp },
  // A proxy without a certificate requests one far more often than every 10 minutes.
  IssuerValidationFailed: { repeatsMs: 10 * MINUTE, over: issued },
} as const satisfies Readonly<Record<string, EventState>>;

/** Returns the Events of a reason that report a problem that still exists. */
export function lastingEvents(reason: keyof typeof STATES, input: DoctorInput): readonly ObservedEvent[] {
  const { repeatsMs, over } = STATES[reason];
  const isOver = over(input);
  return (itemsOf(input.seen.events) ?? []).filter(
    (event) => event.reason === reason && input.now - (event.last ?? 0) < repeatsMs && !isOver(event),
  );
}

/** Nodes set up the network of a pod, and mount all its volumes, before its first container starts. */
function mounted({ seen }: DoctorInput): ReturnType<EventState['over']> {
  const waiting = new Map(
    (itemsOf(seen.pods) ?? []).flatMap((pod) =>
      pod.isOver || pod.isReady || pod.hasStarted ? [] : [[`${pod.namespace} Pod/${pod.name}` as string, pod] as const],
    ),
  );
  return ({ namespace, object, last = 0 }) => {
    const pod = waiting.get(`${namespace} ${object}`);
    return pod === undefined || (pod.created ?? 0) > last;
  };
}

/** Whether a workload got pods after the refusal: a newer pod exists, or the workload lacks no pod. */
function created({ seen }: DoctorInput): ReturnType<EventState['over']> {
  const newest = new Map<string, number>();
  for (const pod of itemsOf(seen.pods) ?? []) {
    const id = workloadOfPod(pod);
    newest.set(id, Math.max(newest.get(id) ?? 0, pod.created ?? 0));
  }
  const lacking = new Map([
    ...(itemsOf(seen.workloads) ?? []).map((one) => [workloadOf(one), one.ready < one.wanted] as const),
    ...(itemsOf(seen.controllers) ?? []).map((one) => [workloadOf(one), one.lacksPods] as const),
  ]);
  return ({ namespace, object, last = 0 }) => {
    const id = workloadOfPod({ namespace, workload: object });
    const [kind] = object.split('/');
    // The status of the Deployment reports that its pods are refused.
    if (kind === 'ReplicaSet' || (newest.get(id) ?? 0) > last) return true;
    const list = LISTED.get(kind ?? '');
    return list !== undefined && !(lacking.get(id) ?? !isWhole<unknown>(seen[list]));
  };
}

/** The lists that show whether a workload lacks pods. Workloads of other kinds are not listed. */
const LISTED: ReadonlyMap<string, 'workloads' | 'controllers'> = new Map([
  ['DaemonSet', 'workloads'],
  ['Job', 'controllers'],
  ['StatefulSet', 'controllers'],
]);

/** Identity reads its issuer when it starts, and when the issuer changes. */
function takenUp(input: DoctorInput): ReturnType<EventState['over']> {
  const { seen, mesh } = input;
  const pods = identityPods(input);
  const [leaf] = issuedTo(`${mesh.namespace}/${IDENTITY_ISSUER}`, seen);
  const start = leaf === undefined ? 0 : Date.parse(leaf.validFrom);
  return ({ namespace, last = 0 }) =>
    namespace !== mesh.namespace || pods.every(({ created: at = 0 }) => at >= last) || start > last;
}

/** A proxy that became ready after the Event has a certificate. */
function issued(input: DoctorInput): ReturnType<EventState['over']> {
  const { seen, mesh } = input;
  const starts = identityPods(input).map(({ created: at = 0 }) => at);
  const proven = (itemsOf(seen.pods) ?? []).reduce(
    (latest, { proxy, created: at = 0 }) => (proxy?.isReady ? Math.max(latest, at) : latest),
    0,
  );
  return ({ namespace, last = 0 }) =>
    namespace !== mesh.namespace || proven > last || (starts.length > 0 && starts.every((at) => at > last));
}

function identityPods({ seen, mesh }: DoctorInput): readonly ObservedPod[] {
  return (itemsOf(seen.pods) ?? []).filter((pod) => workloadOfPod(pod) === mesh.identity && !pod.isOver);
}
