import { INJECTOR_WEBHOOK, LEASE_NAME } from '../../../../operator/api/names';
import { MINUTE } from '../../../../packages/base/time-units';
import { POD_SECURITY_ENFORCE } from '../../../linkerd/annotations';
import type { Time } from '../../live/fields';
import { CERT_MANAGER_LEASE, itemsOf } from '../../live/observation';
import type { ObservedWorkload } from '../../live/workloads';
import { earliest, named } from '../../status/finding';
import { lastingEvents } from '../events';
import { type DoctorInput, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf, workloadOf, workloadOfPod } from '../mesh';
import { checkProxies, podChecks } from './containers';

/** Checks why workloads of the mesh have too few pods, and whose pods the API server refuses. */
export function checkWorkloads(input: DoctorInput): readonly Fact[] {
  const workloads = new Map((itemsOf(input.seen.workloads) ?? []).map((one) => [workloadOf(one), one]));
  const checkPods = podChecks(input);
  return [
    ...input.mesh.intent.workloads.flatMap((id) => {
      const workload = workloads.get(id);
      if (workload === undefined) return [];
      if (workload.wanted === 0) return scaledDown(workload, input);
      return workload.ready < workload.wanted ? checkPods(id) : [];
    }),
    ...checkProxies(input),
    ...checkRefusals(input),
    ...checkLeaders(input),
  ];
}

/** Extensions may be scaled down on purpose. */
function scaledDown(workload: ObservedWorkload, { mesh, kubectl }: DoctorInput): readonly Fact[] {
  const { certManager, cainjector, trustManager, operator, identity, destination, injector } = mesh;
  const id = workloadOf(workload);
  const needed = [certManager, cainjector, trustManager, operator, identity, destination, injector];
  if (workload.kind !== 'Deployment' || !needed.includes(id)) return [];
  const { namespace, name, scaled } = workload;
  const manager = scaled?.manager ?? '';
  return [
    {
      ...doctorFinding(
        DOCTOR_FINDINGS.workloadScaledDown({ workload: id, manager, kubectl, namespace, name }),
        scaled?.at,
      ),
      breaks: subjects({ workload: id }),
    },
  ];
}

interface Refusal {
  readonly namespace: string;
  readonly workload: string;
  readonly message: string;
  readonly since?: Time;
}

/** Deployments report in their status that pods are refused; of others there are only Events. */
export function refusalsIn(input: DoctorInput): readonly Refusal[] {
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
}

function checkRefusals(input: DoctorInput): readonly Fact[] {
  const all = refusalsIn(input);
  const namespaces = [...new Set(all.map(({ namespace }) => namespace))].sort();
  return namespaces.flatMap((namespace) => {
    const refusals = all.filter((one) => one.namespace === namespace);
    const since = earliest(refusals.map((one) => one.since));
    const workloads = refusals.map(({ workload }) => workload);
    const causes = refusals.flatMap((one) => causesOf(one, input));
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
        ...refusals.flatMap((one) => webhooksNamed(one, input)),
      ],
      harm: { rank: 1, at: since ?? input.now },
    };
    return [...uniqueFacts(causes), refused];
  });
}

/** Each of several workloads may meet the same cause. */
function uniqueFacts(facts: readonly Fact[]): readonly Fact[] {
  return [...new Map(facts.map((fact) => [fact.breaks?.join(' '), fact])).values()];
}

/** Objects that the message names as API servers name them. */
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
      const resources = exhausted.length === 0 ? 'less than the pods request' : named(exhausted);
      return {
        ...doctorFinding(
          DOCTOR_FINDINGS.quotaExhausted({ quota, resources, kubectl, namespace, name }),
          created ?? since,
        ),
        breaks: subjects({ admission: `quota ${quota}` }),
      };
    }),
    ...(level !== undefined && message.includes(`PodSecurity "${level}:`)
      ? [
          {
            ...doctorFinding(DOCTOR_FINDINGS.podSecurityRefuses({ namespace, level, kubectl }), since),
            breaks: subjects({ admission: `security ${namespace}` }),
          },
        ]
      : []),
    ...policies.map(({ name: policy }) => ({
      ...doctorFinding(DOCTOR_FINDINGS.policyRefusesPods({ policy, namespace, kubectl }), since),
      breaks: subjects({ policy: `${policy} ${namespace}` }),
      needs: subjects({ injection: 'pods' }),
    })),
  ];
}

function webhooksNamed({ message }: Refusal, { seen }: DoctorInput): readonly Subject[] {
  const named = (itemsOf(seen.webhooks) ?? []).filter(({ hooks }) =>
    hooks.some(({ name }) => message.includes(`webhook "${name}"`)),
  );
  return named.flatMap(({ kind, name, hooks }) => [
    ...subjects({ webhook: `${kind} ${name}` }),
    ...(hooks.some((one) => one.name === INJECTOR_WEBHOOK) ? subjects({ injection: 'pods' }) : []),
  ]);
}

/** The time for which a Lease may be late: clocks differ. */
const LATE = 5 * MINUTE;

function checkLeaders({ seen, mesh, now, kubectl }: DoctorInput): readonly Fact[] {
  const leaders = [
    [LEASE_NAME, mesh.operator],
    [CERT_MANAGER_LEASE, mesh.certManager],
  ] as const;
  const workloads = itemsOf(seen.workloads) ?? [];
  return leaders.flatMap(([lease, workload]) => {
    const running = workloads.find((one) => workloadOf(one) === workload)?.running ?? 0;
    const found = (itemsOf(seen.leases) ?? []).find(({ name }) => name === lease);
    if (workload === undefined || running === 0 || found?.renewed === undefined) return [];
    const end = found.renewed + found.durationSeconds * 1000;
    if (now < end + LATE) return [];
    const parameters = {
      workload,
      lease: `${found.namespace}/${lease}`,
      holder: found.holder,
      kubectl,
      ...placeOf(workload),
    };
    return {
      ...doctorFinding(DOCTOR_FINDINGS.leaderMissing(parameters), end),
      breaks: subjects({ leader: workload }),
      needs: subjects({ workload }),
    };
  });
}
