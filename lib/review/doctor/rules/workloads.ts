import { INJECTOR_WEBHOOK, LEASE_NAME } from '../../../../operator/api/names';
import { MINUTE } from '../../../../operator/api/time-units';
import { POD_SECURITY_ENFORCE } from '../../../linkerd/annotations';
import { CERT_MANAGER_LEASE } from '../../live/lists';
import { earliest, named } from '../../status/finding';
import { itemsOf, type Time } from '../../status/observation';
import type { ExaminedEvent, ExaminedPod, ExaminedWorkload } from '../examination';
import { type DoctorLook, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf, workloadOf, workloadOfPod } from '../mesh';

/** Checks why workloads of the mesh have too few pods, and whose pods the API server refuses. */
export function checkWorkloads(look: DoctorLook): readonly Fact[] {
  const workloads = new Map((itemsOf(look.seen.workloads) ?? []).map((one) => [workloadOf(one), one]));
  const checkPods = podChecks(look);
  return [
    ...look.mesh.intent.workloads.flatMap((id) => {
      const workload = workloads.get(id);
      if (workload === undefined) return [];
      if (workload.wanted === 0) return scaledDown(workload, look);
      return workload.ready < workload.wanted ? checkPods(id) : [];
    }),
    ...checkRefusals(look),
    ...checkLeaders(look),
  ];
}

/** Whether a workload that the mesh cannot do without is scaled down. Extensions may be, on purpose. */
function scaledDown(workload: ExaminedWorkload, { mesh, kubectl }: DoctorLook): readonly Fact[] {
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
      breaks: subjects('workload', id),
      needs: [],
    },
  ];
}

/** Returns what tells why the pods of a workload do not become ready, by the first pod of each reason. */
export function podChecks(look: DoctorLook): (id: string) => readonly Fact[] {
  const unready = new Map<string, ExaminedPod[]>();
  for (const pod of itemsOf(look.seen.pods) ?? []) {
    if (pod.isOver || pod.isReady) continue;
    const id = workloadOfPod(pod);
    const others = unready.get(id);
    if (others === undefined) unready.set(id, [pod]);
    else others.push(pod);
  }
  const failures = mountFailures(look);
  return (id) => {
    const pods = unready.get(id) ?? [];
    const unscheduled = pods.find((pod) => pod.unscheduled !== undefined);
    const troubled = pods.find((pod) => pod.troubled.length > 0);
    const waiting = pods.filter((pod) => pod.unscheduled === undefined && pod.troubled.length === 0);
    const [unmounted] = waiting.flatMap(({ namespace, name }) => failures.get(`${namespace} Pod/${name}`) ?? []);
    return [
      ...(unscheduled === undefined ? [] : [notScheduled(id, unscheduled, look)]),
      ...(troubled === undefined ? [] : troubles(id, troubled, look)),
      ...(unmounted === undefined ? [] : [notMounted(id, unmounted, look)]),
    ];
  };
}

/** Returns the Events about volumes that are not mounted, by their pods: `shop Pod/web-1`. */
function mountFailures({ seen, now }: DoctorLook): ReadonlyMap<string, ExaminedEvent> {
  const recent = (itemsOf(seen.events) ?? []).filter(
    ({ reason, last = 0 }) => reason === 'FailedMount' && now - last < RETRYING,
  );
  return new Map(recent.map((event) => [`${event.namespace} ${event.object}`, event]));
}

/** Pods that wait for a volume, such as one of a Secret that lacks a key: nobody reads the Secret, Events say so. */
function notMounted(id: string, event: ExaminedEvent, { mesh, kubectl }: DoctorLook): Fact {
  const { message, namespace, first } = event;
  return {
    ...doctorFinding(DOCTOR_FINDINGS.volumeNotMounted({ workload: id, message, kubectl, namespace }), first),
    breaks: subjects('start', id),
    needs: containerNeeds(id, mesh),
  };
}

function notScheduled(id: string, { namespace, unscheduled }: ExaminedPod, { kubectl }: DoctorLook): Fact {
  const { message = '', since } = unscheduled ?? {};
  return {
    ...doctorFinding(DOCTOR_FINDINGS.podsUnscheduled({ workload: id, message, kubectl, namespace }), since),
    breaks: subjects('start', id),
    needs: subjects('scheduling', 'any'),
  };
}

/** Reasons for which a node does not run an image. */
const UNPULLABLE: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];

function troubles(id: string, pod: ExaminedPod, { mesh, kubectl }: DoctorLook): readonly Fact[] {
  const { namespace, name, readySince } = pod;
  return pod.troubled.slice(0, 1).map(({ name: container, reason, message, image }) => {
    const problem = UNPULLABLE.includes(reason)
      ? DOCTOR_FINDINGS.imageUnpullable({ workload: id, image, message, kubectl, namespace })
      : DOCTOR_FINDINGS.containerNotStarting({
          workload: id,
          container,
          reason,
          message,
          kubectl,
          namespace,
          pod: name,
        });
    return {
      ...doctorFinding(problem, readySince),
      breaks: subjects('start', id),
      needs: UNPULLABLE.includes(reason) ? [] : containerNeeds(id, mesh),
    };
  });
}

/** Returns what containers of the control plane read when they start. Others need a certificate for their proxy. */
function containerNeeds(id: string, { namespace, identity, destination }: DoctorLook['mesh']): readonly Subject[] {
  const issuer = subjects('certificate', `${namespace}/linkerd-identity-issuer`);
  if (id === identity) return [...issuer, ...subjects('roots', namespace)];
  const served = id === destination ? ['linkerd-sp-validator', 'linkerd-policy-validator'] : [placeOf(id).name];
  return [
    ...subjects(
      'certificate',
      served.map((name) => `${placeOf(id).namespace}/${name}`),
    ),
    ...subjects('roots', namespace),
    ...subjects('identity', namespace),
    ...(id === destination ? subjects('kinds', 'linkerd') : subjects('destination', namespace)),
  ];
}

/** Pods of one workload that the API server refuses. */
interface Refusal {
  readonly namespace: string;
  readonly workload: string;
  readonly message: string;
  readonly since?: Time;
}

/** The longest time between two attempts of a controller to create a pod. */
const RETRYING = 20 * MINUTE;

/** Deployments report in their status that pods are refused; of others there are only Events. */
export function refusalsIn({ seen, now }: DoctorLook): readonly Refusal[] {
  const ofWorkloads = (itemsOf(seen.workloads) ?? []).flatMap((one) =>
    one.refusal === undefined ? [] : [{ namespace: one.namespace, workload: workloadOf(one), ...one.refusal }],
  );
  const ofEvents = (itemsOf(seen.events) ?? []).flatMap(({ namespace, object, reason, message, last = 0 }) => {
    const [kind = '', name = ''] = object.split('/');
    if (reason !== 'FailedCreate' || kind === 'ReplicaSet' || now - last > RETRYING) return [];
    return [{ namespace, workload: `${kind} ${namespace}/${name}`, message, since: last }];
  });
  return [...ofWorkloads, ...ofEvents];
}

function checkRefusals(look: DoctorLook): readonly Fact[] {
  const all = refusalsIn(look);
  const namespaces = [...new Set(all.map(({ namespace }) => namespace))].sort();
  return namespaces.flatMap((namespace) => {
    const refusals = all.filter((one) => one.namespace === namespace);
    const since = earliest(refusals.map((one) => one.since));
    const workloads = refusals.map(({ workload }) => workload);
    const causes = refusals.flatMap((one) => causesOf(one, look));
    const problem = DOCTOR_FINDINGS.podsRefused({
      workloads: named(workloads),
      message: refusals[0]?.message ?? '',
      kubectl: look.kubectl,
      namespace,
    });
    const refused: Fact = {
      ...doctorFinding(problem, since),
      breaks: subjects('start', workloads),
      needs: [
        ...subjects('namespace', namespace),
        ...causes.flatMap(({ breaks }) => breaks),
        ...refusals.flatMap((one) => webhooksNamed(one, look)),
      ],
      harm: { rank: 1, at: since ?? look.now },
    };
    return [...uniqueFacts(causes), refused];
  });
}

/** Each of several workloads may meet the same cause. */
function uniqueFacts(facts: readonly Fact[]): readonly Fact[] {
  return [...new Map(facts.map((fact) => [fact.breaks.join(' '), fact])).values()];
}

/** Returns what in the cluster refuses pods: objects that the message names as API servers name them. */
function causesOf({ namespace, message, since }: Refusal, { seen, kubectl }: DoctorLook): readonly Fact[] {
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
        breaks: subjects('admission', `quota ${quota}`),
        needs: [],
      };
    }),
    ...(level !== undefined && message.includes(`PodSecurity "${level}:`)
      ? [
          {
            ...doctorFinding(DOCTOR_FINDINGS.podSecurityRefuses({ namespace, level, kubectl }), since),
            breaks: subjects('admission', `security ${namespace}`),
            needs: [],
          },
        ]
      : []),
    ...policies.map(({ name: policy }) => ({
      ...doctorFinding(DOCTOR_FINDINGS.policyRefusesPods({ policy, namespace, kubectl }), since),
      breaks: subjects('policy', `${policy} ${namespace}`),
      needs: subjects('injection', 'pods'),
    })),
  ];
}

function webhooksNamed({ message }: Refusal, { seen }: DoctorLook): readonly Subject[] {
  const named = (itemsOf(seen.webhooks) ?? []).filter(({ hooks }) =>
    hooks.some(({ name }) => message.includes(`webhook "${name}"`)),
  );
  return named.flatMap(({ kind, name, hooks }) => [
    ...subjects('webhook', `${kind} ${name}`),
    ...(hooks.some((one) => one.name === INJECTOR_WEBHOOK) ? subjects('injection', 'pods') : []),
  ]);
}

/** The time for which a Lease may be late: clocks differ. */
const LATE = 5 * MINUTE;

/** Replicas that run, but of which none leads. */
function checkLeaders({ seen, mesh, now, kubectl }: DoctorLook): readonly Fact[] {
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
    return [
      {
        ...doctorFinding(DOCTOR_FINDINGS.leaderMissing(parameters), end),
        breaks: subjects('leader', workload),
        needs: subjects('workload', workload),
      },
    ];
  });
}
