import type { Problem } from '#base/findings/problem';
import { remembered } from '#base/remembered';
import { POD_SECURITY_ENFORCE } from '#linkerd/annotations';
import { INJECTOR_WEBHOOK } from '#operator/api/names';
import type { Time } from '../../live/fields';
import { itemsOf } from '../../live/observation';
import { earliest, named } from '../../status/finding';
import { lastingEvents } from '../events';
import { type DoctorInput, doctorFact, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { workloadOf, workloadOfPod } from '../mesh';

/** Pods that the API server refuses. */
interface Refusal {
  readonly namespace: string;
  readonly workload: string;
  readonly message: string;
  readonly since?: Time;
}

/** Deployments report refused pods in their status, other workloads only by Events. */
export const refusalsIn = remembered((input: DoctorInput): readonly Refusal[] => {
  const { seen } = input;
  const ofWorkloads = (itemsOf(seen.workloads) ?? []).flatMap((one) =>
    one.refusal === undefined ? [] : [{ namespace: one.namespace, workload: workloadOf(one), ...one.refusal }],
  );
  const ofEvents = lastingEvents('FailedCreate', input).map(({ namespace, object, message, last }) => ({
    namespace,
    workload: workloadOfPod({ namespace, workload: object }),
    message,
    ...(last !== undefined && { since: last }),
  }));
  return [...ofWorkloads, ...ofEvents];
});

/** Checks which pods the API server refuses, and why. */
export function checkRefusals(input: DoctorInput): readonly Fact[] {
  const all = refusalsIn(input);
  const namespaces = [...new Set(all.map(({ namespace }) => namespace))].sort();
  return namespaces.flatMap((namespace) => {
    const refusals = all.filter((one) => one.namespace === namespace);
    const since = earliest(refusals.map((one) => one.since));
    const workloads = refusals.map(({ workload }) => workload);
    const causes = refusals.flatMap((one) => [...causesOf(one, input), ...limitsOf(one, input)]);
    const problem = DOCTOR_FINDINGS.podsRefused({
      workloads: named(workloads),
      message: refusals[0]?.message ?? '',
      kubectl: input.kubectl,
      namespace,
    });
    const refused: Fact = {
      ...doctorFinding(problem, since),
      breaks: subjects({ start: workloads }),
      needs: [
        ...subjects({ namespace }),
        ...causes.flatMap(({ breaks = [] }) => breaks),
        ...refusals.flatMap(({ message }) => webhooksNamed(message, input)),
      ],
      harm: { rank: 1, at: since ?? input.now },
    };
    return [...uniqueFacts(causes), refused];
  });
}

/** Several workloads may have the same cause. */
function uniqueFacts(facts: readonly Fact[]): readonly Fact[] {
  return [...new Map(facts.map((fact) => [fact.breaks?.join(' '), fact])).values()];
}

const UNSPECIFIED = /failed quota: ([^:]+): must specify (.+)/;
/** A reason of the admission plugin LimitRanger. */
const LIMIT =
  /(?:(?:maximum|minimum) \S+ usage|max limit to request ratio) per (?:Container|Pod|PersistentVolumeClaim) is /;

/** Returns the causes of refusals for resources that containers lack, or that exceed a LimitRange. */
function limitsOf({ namespace, message, since }: Refusal, { kubectl }: DoctorInput): readonly Fact[] {
  const [, name, resources = ''] = UNSPECIFIED.exec(message) ?? [];
  const isLimited = LIMIT.test(message);
  const quota = `${namespace}/${name}`;
  const ofProxy = /\blinkerd-(?:proxy|init|network-validator|debug)\b/.test(resources);
  const problemOf = ofProxy ? DOCTOR_FINDINGS.quotaUnspecifiedProxy : DOCTOR_FINDINGS.quotaUnspecified;
  const found = (problem: Problem, admission: string) => doctorFact(problem, { since, breaks: { admission } });
  return [
    ...(name === undefined ? [] : [found(problemOf({ quota, resources, namespace }), `quota ${quota}`)]),
    ...(isLimited
      ? [found(DOCTOR_FINDINGS.limitRangeRefuses({ namespace, message, kubectl }), `limits ${namespace}`)]
      : []),
  ];
}

/** Returns the quotas, pod security levels and policies that the message of the API server names. */
function causesOf({ namespace, message, since }: Refusal, { seen, kubectl }: DoctorInput): readonly Fact[] {
  const quotas = (itemsOf(seen.quotas) ?? []).filter(
    (one) => one.namespace === namespace && message.includes(`exceeded quota: ${one.name},`),
  );
  const policies = (itemsOf(seen.policies) ?? []).filter(({ name }) =>
    message.includes(`ValidatingAdmissionPolicy '${name}'`),
  );
  const level = itemsOf(seen.namespaces)?.find(({ name }) => name === namespace)?.labels[POD_SECURITY_ENFORCE];
  return [
    ...quotas.map(({ name, exhausted, created }) => {
      const quota = `${namespace}/${name}`;
      const resources = exhausted.length === 0 ? 'the pods request more than is left' : named(exhausted);
      const problem = DOCTOR_FINDINGS.quotaExhausted({ quota, resources, kubectl, namespace, name });
      return doctorFact(problem, { since: created ?? since, breaks: { admission: `quota ${quota}` } });
    }),
    ...(level !== undefined && message.includes(`PodSecurity "${level}:`)
      ? [
          doctorFact(DOCTOR_FINDINGS.podSecurityRefuses({ namespace, level, kubectl }), {
            since,
            breaks: { admission: `security ${namespace}` },
          }),
        ]
      : []),
    ...policies.map(({ name: policy }) => {
      const parts = { since, breaks: { policy: `${policy} ${namespace}` }, needs: { injection: 'pods' } };
      return doctorFact(DOCTOR_FINDINGS.policyRefusesPods({ policy, namespace, kubectl }), parts);
    }),
  ];
}

/** Returns the webhooks that a message of the API server names, and the injection if one of them injects. */
export function webhooksNamed(message: string, { seen }: DoctorInput): readonly Subject[] {
  const named = (itemsOf(seen.webhooks) ?? []).filter(({ hooks }) =>
    hooks.some(({ name }) => message.includes(`webhook "${name}"`)),
  );
  return named.flatMap(({ kind, name, hooks }) => [
    ...subjects({ webhook: `${kind} ${name}` }),
    ...(hooks.some((one) => one.name === INJECTOR_WEBHOOK) ? subjects({ injection: 'pods' }) : []),
  ]);
}
