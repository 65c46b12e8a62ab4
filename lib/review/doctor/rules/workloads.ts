import { MINUTE } from '#base/time-units';
import { LEASE_NAME } from '#operator/api/names';
import { CERT_MANAGER_LEASE, itemsOf } from '../../live/observation';
import type { ObservedWorkload } from '../../live/workloads';
import { type DoctorInput, doctorFact, type Fact } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { placeOf, workloadOf } from '../mesh';
import { checkProxies, podChecks } from './containers';
import { checkRefusals } from './refusals';

/** Checks why workloads of the mesh have too few pods, and which pods the API server refuses. */
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
  const problem = DOCTOR_FINDINGS.workloadScaledDown({ workload: id, manager, kubectl, namespace, name });
  return [doctorFact(problem, { since: scaled?.at, breaks: { workload: id } })];
}

/** A Lease may be late by this time, because clocks differ. */
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
    const parts = { since: end, breaks: { leader: workload }, needs: { workload } };
    return doctorFact(DOCTOR_FINDINGS.leaderMissing(parameters), parts);
  });
}
