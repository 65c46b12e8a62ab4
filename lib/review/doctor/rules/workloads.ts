import { grouped } from '#base/grouped';
import { MINUTE } from '#base/time-units';
import { POD_SECURITY_ENFORCE } from '#lib/linkerd/annotations';
import { INJECTOR_WEBHOOK, LEASE_NAME, PROXY_CONTAINER } from '#operator/api/names';
import type { Time } from '../../live/fields';
import { CERT_MANAGER_LEASE, itemsOf } from '../../live/observation';
import type { ObservedEvent, ObservedPod, ObservedWorkload, TroubledContainer } from '../../live/workloads';
import { earliest, named } from '../../status/finding';
import { lastingEvents } from '../events';
import { type DoctorInput, doctorFinding, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf, workloadOf, workloadOfPod } from '../mesh';

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

/** Returns what tells why the pods of a workload do not become ready, by the first pod of each reason. */
export function podChecks(input: DoctorInput): (id: string) => readonly Fact[] {
  const waitingPods = (itemsOf(input.seen.pods) ?? []).filter(({ isOver, isReady }) => !isOver && !isReady);
  const unready = grouped(waitingPods.map((pod) => [workloadOfPod(pod), pod] as const));
  const failures = new Map(
    lastingEvents('FailedMount', input).map((event) => [`${event.namespace} ${event.object}`, event]),
  );
  return (id) => {
    const pods = unready.get(id) ?? [];
    const unscheduled = pods.find((pod) => pod.unscheduled !== undefined);
    const [troubled] = pods.flatMap((pod) => pod.troubled.map((container) => ({ pod, container })));
    const waiting = pods.filter((pod) => pod.unscheduled === undefined && pod.troubled.length === 0);
    const [unmounted] = waiting.flatMap((pod) => {
      const event = failures.get(`${pod.namespace} Pod/${pod.name}`);
      return event === undefined ? [] : [notMounted(id, { pod, event }, input)];
    });
    return [
      ...(unscheduled === undefined ? [] : [notScheduled(id, unscheduled, input)]),
      ...(troubled === undefined ? [] : [notStarting([id], troubled, input)]),
      ...(unmounted === undefined ? [] : [unmounted]),
    ];
  };
}

/** Known from Events only; the Secret is not read. */
function notMounted(
  id: string,
  { pod, event }: { readonly pod: ObservedPod; readonly event: ObservedEvent },
  { mesh, kubectl }: DoctorInput,
): Fact {
  const { message, namespace, first } = event;
  return {
    ...doctorFinding(DOCTOR_FINDINGS.volumeNotMounted({ workload: id, message, kubectl, namespace }), first),
    breaks: subjects({ start: id }),
    needs: containerNeeds(id, pod, mesh),
  };
}

function notScheduled(id: string, { namespace, unscheduled }: ObservedPod, { kubectl }: DoctorInput): Fact {
  const { message = '', since } = unscheduled ?? {};
  return {
    ...doctorFinding(DOCTOR_FINDINGS.podsUnscheduled({ workload: id, message, kubectl, namespace }), since),
    breaks: subjects({ start: id }),
    needs: subjects({ scheduling: 'any' }),
  };
}

const UNPULLABLE: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];

function notStarting(
  workloads: readonly string[],
  { pod, container }: { readonly pod: ObservedPod; readonly container: TroubledContainer },
  { mesh, kubectl }: DoctorInput,
): Fact {
  const { namespace, name, readySince } = pod;
  const { reason, message, image } = container;
  const workload = named(workloads);
  const isUnpullable = UNPULLABLE.includes(reason);
  const problem = isUnpullable
    ? DOCTOR_FINDINGS.imageUnpullable({ workload, image, message, kubectl, namespace })
    : DOCTOR_FINDINGS.containerNotStarting({
        workload,
        container: container.name,
        reason,
        message,
        kubectl,
        namespace,
        pod: name,
      });
  return {
    ...doctorFinding(problem, readySince),
    breaks: subjects({ start: workloads }),
    needs: isUnpullable ? [] : containerNeeds(workloadOfPod(pod), pod, mesh),
  };
}

const INJECTED: readonly string[] = [PROXY_CONTAINER, 'linkerd-init', 'linkerd-network-validator'];

function checkProxies(input: DoctorInput): readonly Fact[] {
  const own = new Set(input.mesh.intent.workloads);
  const troubled = (itemsOf(input.seen.pods) ?? []).flatMap((pod) => {
    if (pod.proxy === undefined || pod.isReady || pod.isOver || own.has(workloadOfPod(pod))) return [];
    const container = pod.troubled.find(({ name }) => INJECTED.includes(name));
    return container === undefined ? [] : [{ pod, container }];
  });
  const reasons = grouped(
    troubled.map((one) => {
      const { name, reason, image } = one.container;
      return [UNPULLABLE.includes(reason) ? image : `${name} ${reason}`, one] as const;
    }),
  );
  return [...reasons.values()].map((all) => {
    const workloads = [...new Set(all.map(({ pod }) => workloadOfPod(pod)))];
    const since = earliest(all.map(({ pod }) => pod.readySince));
    return { ...notStarting(workloads, all[0], input), harm: { rank: 1, at: since ?? input.now } };
  });
}

/** The Certificates that a workload serves with, if not the one of its name. */
const SERVED: ReadonlyMap<string, readonly string[]> = new Map([
  ['linkerd-destination', ['linkerd-sp-validator', 'linkerd-policy-validator']],
  ['linkerd-identity', ['linkerd-identity-issuer']],
]);

/** A proxy needs the mesh, except for what it waits on. */
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
