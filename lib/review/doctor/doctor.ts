import { MINUTE } from '#base/time-units';
import type { Time } from '../live/fields';
import { DOCTOR_LISTS, type DoctorObservation, itemsOf, resourcesIn } from '../live/observation';
import { named, type StatusFinding } from '../status/finding';
import { STATUS_FINDINGS } from '../status/findings';
import type { ClusterIntent } from '../status/intent';
import { checkLists, readList } from '../status/rules/reading';
import { clusterStatus } from '../status/status';
import { withConsequences } from './consequences';
import { type DoctorInput, type DoctorRule, doctorFinding, type Fact, SUBJECT_LISTS } from './fact';
import { DOCTOR_FINDINGS } from './findings';
import { type Diagnosis, diagnose } from './graph';
import { controlPlanesIn, meshIn, meshOnly } from './mesh';
import { checkBudgets } from './rules/budgets';
import { checkCertificates } from './rules/certificates';
import { checkCluster } from './rules/cluster';
import { checkServers } from './rules/servers';
import { checkTrust } from './rules/trust';
import { checkWebhooks } from './rules/webhooks';
import { checkWorkloads } from './rules/workloads';
import { factOf } from './status-facts';
import { aboutPatient, type Patient, patientOf, type Symptom, symptomFacts, wellFact } from './symptom';

/** The observed objects of one cluster, and the symptom to explain. */
export interface DoctorReportInput {
  readonly seen: DoctorObservation;
  /** The cluster in an output; absent without one. */
  readonly output?: ClusterIntent;
  readonly now: Time;
  readonly kubectl: string;
  /** Findings about unreadable parts of the output. */
  readonly unreadOutput?: readonly StatusFinding[];
  /** Absent to examine the whole mesh. */
  readonly symptom?: Symptom;
}

/** The causes of the problems in a cluster. */
export interface DoctorReport {
  readonly time: Time;
  /** Errors, and findings with consequences. The cause that harms the mesh most, or first, comes first. */
  readonly causes: readonly Cause[];
  /** Warnings and notes without consequences. */
  readonly others: readonly StatusFinding[];
  /** The number of objects that were read, by resource. */
  readonly read: Readonly<Record<string, number>>;
}

export interface Cause extends Diagnosis {
  /** Unreadable resources, which may contain the cause of this cause. */
  readonly unread: readonly string[];
}

/** Returns the causes of the problems in a cluster; undefined if no object in the cluster matches the symptom. */
export function doctorReport(given: DoctorReportInput): DoctorReport | undefined {
  const { seen, output, now, kubectl, symptom, unreadOutput = [] } = given;
  if (seen.unreachable !== undefined) {
    return alone(doctorFinding(STATUS_FINDINGS.clusterUnreachable({ reason: seen.unreachable, kubectl })), given);
  }
  const unread = [
    ...unreadOutput,
    ...checkLists([
      ...DOCTOR_LISTS.map((name) => readList(name, seen[name])),
      { resources: API_GROUPS, reading: seen.resources },
    ]),
  ];
  const mesh = meshIn(seen, output);
  if (mesh === undefined) {
    const problem = unread.length > 0 ? DOCTOR_FINDINGS.meshMissingUnread() : DOCTOR_FINDINGS.meshMissingAbsent();
    return { ...alone(doctorFinding(problem), given), others: unread };
  }
  const input: DoctorInput = { mesh, seen, now, kubectl };
  const patient = symptom && patientOf(symptom, input);
  if (symptom !== undefined && patient === undefined) return undefined;
  const remarks = [...checkClock(seen.clocks, now), ...checkControlPlanes(input)];
  const { facts, isAsked } = factsOf(input, patient);
  const diagnoses = diagnose(withConsequences(facts, input), now).filter(({ chain, alsoCaused }) =>
    [...chain, ...alsoCaused].some(isAsked),
  );
  const isCause = ({ cause, chain }: Diagnosis) => cause.severity === 'error' || chain.length > 1;
  return {
    time: now,
    causes: diagnoses.filter(isCause).map((one) => ({ ...one, unread: unreadOf(one.cause, seen) })),
    others: [...remarks, ...unread, ...diagnoses.filter((one) => !isCause(one)).map(({ cause }) => cause)],
    read: readIn(seen),
  };
}

/** The tolerated difference of clocks. It includes the time between two renewals of a Lease, and the reading time. */
const CLOCKS = 2 * MINUTE;

function checkClock(clocks: DoctorObservation['clocks'], now: Time): readonly StatusFinding[] {
  const times = itemsOf(clocks) ?? [];
  if (times.length === 0) return [];
  const off = now - Math.max(...times);
  if (Math.abs(off) < CLOCKS) return [];
  const minutes = Math.round(Math.abs(off) / MINUTE);
  const problem =
    off > 0 ? DOCTOR_FINDINGS.clockDiffersAhead({ minutes }) : DOCTOR_FINDINGS.clockDiffersBehind({ minutes });
  return [doctorFinding(problem)];
}

/** Only one control plane is examined. Most clusters have only one. */
function checkControlPlanes({ seen, mesh }: DoctorInput): readonly StatusFinding[] {
  const unexamined = controlPlanesIn(seen).filter((one) => one !== mesh.namespace);
  if (unexamined.length === 0) return [];
  return [doctorFinding(DOCTOR_FINDINGS.meshesSeveral({ namespace: mesh.namespace, others: named(unexamined) }))];
}

const API_GROUPS = 'API groups';

const RULES: readonly DoctorRule[] = [
  checkCluster,
  checkWorkloads,
  checkBudgets,
  checkCertificates,
  checkWebhooks,
  checkTrust,
  checkServers,
];

function factsOf(input: DoctorInput, patient: Patient | undefined) {
  const { mesh, seen, now, kubectl } = input;
  const { findings } = clusterStatus({ intent: mesh.intent, seen: meshOnly(seen, mesh), now, kubectl });
  // `checkLists` reports unreadable lists.
  const observed = findings.filter(({ problem }) => problem.code !== 'list-unread').map((one) => factOf(one, input));
  const facts = [...RULES.flatMap((rule) => rule(input)), ...observed];
  if (patient === undefined) return { facts, isAsked: () => true };
  const about = facts.filter(aboutPatient(patient, input));
  const own = symptomFacts(patient, facts, input);
  const asked = new Set([...about, ...own]);
  if (asked.size === 0) {
    const well = wellFact(patient, input);
    return { facts: [...facts, well], isAsked: (fact: Fact) => fact === well };
  }
  return { facts: [...facts, ...own], isAsked: (fact: Fact) => asked.has(fact) };
}

function alone(finding: StatusFinding, { seen, now }: DoctorReportInput): DoctorReport {
  return {
    time: now,
    causes: [{ cause: finding, chain: [finding], alsoCaused: [], harm: { rank: 2, at: now }, unread: [] }],
    others: [],
    read: readIn(seen),
  };
}

function unreadOf({ needs = [] }: Fact, seen: DoctorObservation): readonly string[] {
  const kinds = needs.flatMap((subject) => {
    const kind = subject.slice(0, subject.indexOf(':')) as keyof typeof SUBJECT_LISTS;
    return [...SUBJECT_LISTS[kind]];
  });
  const unread = [...new Set(kinds)].filter((kind) => seen[kind].is === 'forbidden' || seen[kind].is === 'failed');
  return unread.flatMap((kind) => (kind === 'resources' ? [API_GROUPS] : resourcesIn(kind)));
}

function readIn(seen: DoctorObservation): DoctorReport['read'] {
  const counts = new Map<string, number>();
  for (const name of DOCTOR_LISTS) {
    const reading = seen[name];
    const resources = resourcesIn(name).join(' and ');
    // Several lists may contain objects of one resource, e.g. ConfigMaps.
    if (reading.is === 'read') counts.set(resources, (counts.get(resources) ?? 0) + reading.items.length);
  }
  return Object.fromEntries(counts);
}
