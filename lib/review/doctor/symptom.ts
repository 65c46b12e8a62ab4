import { counted } from '#base/counted';
import { NEVER_INJECTED, requestsProxy } from '../../checks/policy/pod-sets';
import { isWhole, itemsOf } from '../live/observation';
import type { ObservedPod } from '../live/pods';
import { type DoctorInput, doctorFinding, type Fact, type Subject, subjects } from './fact';
import { DOCTOR_FINDINGS } from './findings';
import { workloadOf, workloadOfPod } from './mesh';
import { podChecks } from './rules/containers';

/** The subject of the user's question: a namespace, or a pod or a workload in it. */
export interface Symptom {
  readonly namespace: string;
  /** Name of a pod or of a workload. */
  readonly name?: string;
}

/** The pods and workloads of a symptom. */
export interface Patient {
  readonly symptom: Symptom;
  readonly pods: readonly ObservedPod[];
  /** `Deployment shop/web`. */
  readonly workloads: readonly string[];
}

/** Returns the pods and workloads of a symptom; undefined if the cluster contains none of them. */
export function patientOf(symptom: Symptom, input: Pick<DoctorInput, 'seen'>): Patient | undefined {
  const { seen } = input;
  const { namespace, name } = symptom;
  const own = (itemsOf(seen.pods) ?? []).filter((pod) => pod.namespace === namespace && !pod.isOver);
  const pods = own.filter((pod) => name === undefined || pod.name === name || pod.workload.split('/')[1] === name);
  const known = [
    ...(itemsOf(seen.workloads) ?? []).filter((one) => one.namespace === namespace).map(workloadOf),
    ...(itemsOf(seen.events) ?? [])
      .filter((one) => one.namespace === namespace && !one.object.startsWith('ReplicaSet/'))
      .map(({ object }) => workloadOfPod({ namespace, workload: object })),
  ].filter((id) => name === undefined || id.endsWith(` ${namespace}/${name}`));
  const workloads = [...new Set([...known, ...pods.map(workloadOfPod)])];
  const isKnown = name === undefined && itemsOf(seen.namespaces)?.some((one) => one.name === namespace);
  return workloads.length === 0 && !isKnown && isAllRead(symptom, input) ? undefined : { symptom, pods, workloads };
}

function isAllRead({ name }: Symptom, { seen }: Pick<DoctorInput, 'seen'>): boolean {
  const lists = [seen.pods, seen.workloads, ...(name === undefined ? [seen.namespaces] : [])];
  return lists.every((reading) => isWhole<unknown>(reading));
}

/** Returns why the pods of a symptom have no proxy, and why they do not run if no other fact explains it. */
export function symptomFacts(
  { pods, workloads }: Patient,
  facts: readonly Fact[],
  input: DoctorInput,
): readonly Fact[] {
  const bare = pods.filter(({ proxy }) => proxy === undefined);
  const outside = bare.flatMap((pod) => {
    const problem = outsideBecause(pod, input);
    return problem === undefined ? [] : [doctorFinding(problem)];
  });
  const explained = new Set(facts.flatMap(({ breaks = [] }) => breaks));
  const own = workloads.filter((id) => subjects({ start: id }).every((subject) => !explained.has(subject)));
  return [...uniqueFacts(outside), ...own.flatMap(podChecks(input))];
}

/** Pods of one workload have no proxy for the same reason. */
function uniqueFacts(facts: readonly Fact[]): readonly Fact[] {
  return [...new Map(facts.map((fact) => [fact.problem.what, fact])).values()];
}

/** Checks the reasons in the order in which the API server and the injector apply them. */
function outsideBecause(pod: ObservedPod, { seen, mesh, kubectl }: DoctorInput) {
  const { namespace } = pod;
  const subject = workloadOfPod(pod);
  const found = itemsOf(seen.namespaces)?.find(({ name }) => name === namespace);
  if (found === undefined || mesh.intent.workloads.includes(subject)) return undefined;
  if (found.isExempt || NEVER_INJECTED.includes(namespace)) {
    return DOCTOR_FINDINGS.podsOutsideExempt({ subject, namespace, kubectl });
  }
  if (pod.isHostNetwork) return DOCTOR_FINDINGS.podsOutsideHostNetwork({ subject });
  if (pod.inject !== undefined && !requestsProxy(pod.inject)) {
    return DOCTOR_FINDINGS.podsOutsideOptedOut({ subject, value: pod.inject });
  }
  return requestsProxy(pod.inject ?? found.inject)
    ? undefined
    : DOCTOR_FINDINGS.podsOutsideNotRequested({ subject, namespace, kubectl });
}

/** Reports the state of the pods if no finding is about them. */
export function wellFact({ symptom, pods }: Patient, input: DoctorInput): Fact {
  const { namespace, name } = symptom;
  const { kubectl } = input;
  const count = (of: (pod: ObservedPod) => boolean) => pods.filter(of).length;
  const state = `${counted(pods.length, 'pod')}, ${count(({ isReady }) => isReady)} ready, ${count(
    ({ proxy }) => proxy?.isReady === true,
  )} with a ready proxy`;
  const subject = name === undefined ? `The namespace ${namespace}` : `${namespace}/${name}`;
  const problem =
    pods.length > 0 || isAllRead(symptom, input)
      ? DOCTOR_FINDINGS.podsUnexplained({ subject, state, kubectl, namespace })
      : DOCTOR_FINDINGS.podsUnread({ subject });
  return doctorFinding(problem);
}

const OF_NAMESPACES: ReadonlyMap<string, (pod: ObservedPod, input: DoctorInput) => boolean> = new Map([
  ['pods-without-proxy', (pod, input) => pod.proxy === undefined && outsideBecause(pod, input) === undefined],
  ['proxies-not-ready', ({ proxy }) => proxy?.isReady === false],
  ['proxies-starting', ({ proxy }) => proxy?.isReady === false],
]);

/** Returns a predicate: is a finding about the pods of a symptom? */
export function aboutPatient({ symptom, pods, workloads }: Patient, input: DoctorInput): (fact: Fact) => boolean {
  const own = new Set<Subject>(subjects({ start: workloads, workload: workloads, access: workloads }));
  return ({ problem: { code, parameters = {} }, breaks = [] }) => {
    if (breaks.some((one) => own.has(one))) return true;
    const { namespace } = parameters as Readonly<Record<string, unknown>>;
    if (namespace !== symptom.namespace) return false;
    if (code === 'namespace-injection-differs' || code === 'namespace-terminating') return true;
    const isOfState = OF_NAMESPACES.get(code);
    return isOfState !== undefined && pods.some((pod) => isOfState(pod, input));
  };
}
