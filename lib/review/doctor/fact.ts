import type { Problem } from '#base/findings/problem';
import type { Change, Time } from '../live/fields';
import type { DoctorObservation } from '../live/observation';
import { APPLICATION_FINDINGS } from '../status/application-findings';
import { findingsOf, type StatusFinding, timeText } from '../status/finding';
import { STATUS_FINDINGS } from '../status/findings';
import { DOCTOR_FINDINGS } from './findings';
import type { Mesh } from './mesh';

/** A part of the mesh that a fact breaks or needs, such as `workload:Deployment linkerd/linkerd-identity`. */
export type Subject = `${SubjectKind}:${string}`;

/** The kinds of subjects, each with the lists that show the state of its subjects. */
export const SUBJECT_LISTS = {
  access: ['servers', 'authorizations'],
  admission: ['quotas', 'events'],
  anchor: ['trustAnchors'],
  eviction: ['budgets'],
  application: ['applications'],
  certificate: ['certificates', 'requests'],
  config: ['configs'],
  destination: [],
  identity: [],
  injection: [],
  issuer: ['issuers'],
  issuing: ['events'],
  kinds: ['resources'],
  leader: ['leases'],
  namespace: ['namespaces'],
  node: ['nodes'],
  policy: ['policies'],
  proxies: ['pods'],
  renewals: ['workloads', 'leases'],
  request: ['requests'],
  roots: ['bundles'],
  scheduling: ['nodes'],
  start: ['pods', 'events', 'controllers'],
  sync: ['trustBundles'],
  webhook: ['webhooks', 'endpoints'],
  workload: ['workloads'],
} as const satisfies Readonly<Record<string, readonly (keyof DoctorObservation)[]>>;

type SubjectKind = keyof typeof SUBJECT_LISTS;

/** The harm that a finding does to the mesh. */
export interface Harm {
  /** 0: connections between meshed pods fail; 1: pods do not start, or start without a proxy; 2: anything else. */
  readonly rank: 0 | 1 | 2;
  /** When the harm begins, or began. */
  readonly at: Time;
}

/** A finding in a graph of causes. It follows from the findings that break one of its needs. */
export interface Fact extends StatusFinding {
  readonly breaks?: readonly Subject[];
  readonly needs?: readonly Subject[];
  readonly harm?: Harm;
  /** Observations that support the finding, one line each. */
  readonly evidence?: readonly string[];
}

/** The input of each rule. */
export interface DoctorInput {
  readonly mesh: Mesh;
  readonly seen: DoctorObservation;
  readonly now: Time;
  /** The kubectl command with the context of the cluster. */
  readonly kubectl: string;
}

export type DoctorRule = (input: DoctorInput) => readonly Fact[];

type Names = string | undefined | readonly (string | undefined)[];

type SubjectNames = { readonly [K in SubjectKind]?: Names };

/** Returns the subjects with the given names by kind, each once. Undefined names are left out. */
export function subjects(names: SubjectNames): readonly Subject[] {
  const kinds = Object.keys(names) as SubjectKind[];
  const all = kinds.flatMap((kind) =>
    [names[kind]].flat().flatMap((name) => (name === undefined ? [] : [`${kind}:${name}` as const])),
  );
  return [...new Set(all)];
}

/** Returns a finding with the severity of its code. */
export const doctorFinding = findingsOf(DOCTOR_FINDINGS, STATUS_FINDINGS, APPLICATION_FINDINGS);

/** The other parts of a fact. Subjects may be given as names by kind. */
interface FactParts extends Pick<Fact, 'harm' | 'evidence'> {
  /** When the problem began, or happened. */
  readonly since?: Time | undefined;
  readonly breaks?: readonly Subject[] | SubjectNames;
  readonly needs?: readonly Subject[] | SubjectNames;
}

/** Returns a finding with the subjects that it breaks and needs. */
export function doctorFact(problem: Problem, { since, breaks, needs, ...others }: FactParts): Fact {
  const listed = (of: NonNullable<FactParts['needs']>) => (isList(of) ? of : subjects(of));
  return {
    ...doctorFinding(problem, since),
    ...(breaks && { breaks: listed(breaks) }),
    ...(needs && { needs: listed(needs) }),
    ...others,
  };
}

function isList(of: readonly Subject[] | SubjectNames): of is readonly Subject[] {
  return Array.isArray(of);
}

/** Returns the manager that last wrote an object, and the time, as evidence. */
export function writtenBy(change: Change | undefined): readonly string[] {
  if (change === undefined) return [];
  return [`last written by ${change.manager}${change.at === undefined ? '' : ` on ${timeText(change.at)}`}`];
}
