import { type CatalogueEntry, type CodesOf, entriesOf } from '#base/findings/catalogue';
import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { shellWord } from '#base/shell-word';
import type { Time } from '../live/fields';
import type { StatusObservation } from '../live/observation';
import type { ObservedPod } from '../live/pods';
import { APPLICATION_FINDINGS } from './application-findings';
import { type RestartParameters, STATUS_FINDINGS } from './findings';
import type { ClusterIntent } from './intent';
import { INTENT_FINDINGS } from './intent-findings';
import { TRAFFIC_FINDINGS } from './traffic-findings';

/** The codes of findings about a live cluster. */
export type StatusCode =
  | CodesOf<typeof STATUS_FINDINGS>
  | CodesOf<typeof INTENT_FINDINGS>
  | CodesOf<typeof APPLICATION_FINDINGS>
  | CodesOf<typeof TRAFFIC_FINDINGS>;

/** A finding about a live cluster. */
export interface StatusFinding {
  readonly severity: CatalogueEntry['severity'];
  readonly problem: Problem;
  /** Since when the problem exists, if known. */
  readonly since?: Time;
}

/** The input of each rule. */
export interface StatusInput {
  readonly intent: ClusterIntent;
  readonly seen: StatusObservation;
  readonly now: Time;
  /** The kubectl command with the context of the cluster. */
  readonly kubectl: string;
}

export type StatusRule = (input: StatusInput) => readonly StatusFinding[];

/** Returns a function that makes findings, with the severities of their codes in these catalogues. */
export function findingsOf(...catalogues: readonly Parameters<typeof entriesOf>[0][]) {
  const severities = new Map(
    catalogues.flatMap((one) => entriesOf(one).map(({ code, severity }) => [code, severity] as const)),
  );
  return (problem: Problem, since?: Time): StatusFinding => {
    const severity = severities.get(problem.code) ?? 'error';
    return { severity, problem, ...(since !== undefined && { since }) };
  };
}

/** Returns a finding with the severity of its code. */
export const statusFinding = findingsOf(STATUS_FINDINGS, APPLICATION_FINDINGS, INTENT_FINDINGS, TRAFFIC_FINDINGS);

/** Formats a date and time in UTC. */
export function timeText(time: Time): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const MAX_NAMED = 5;

/** Lists each name once, up to a maximum number. */
export function named(names: readonly string[]): string {
  return listed([...new Set(names)], MAX_NAMED);
}

/** Returns `namespace/kind/name` of the workload of a pod. */
export function workloadId({ namespace, workload }: Pick<ObservedPod, 'namespace' | 'workload'>): string {
  return `${namespace}/${workload}`;
}

const RESTARTABLE: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** Returns the parameters of a fix that restarts some workloads: `namespace/kind/name`. */
export function restartOf(kubectl: string, workloads: readonly string[]): RestartParameters {
  const unique = [...new Set(workloads)];
  const [namespace = '', kind = '', name = ''] = unique[0]?.split('/') ?? [];
  const command = RESTARTABLE.includes(kind)
    ? `-n ${shellWord(namespace)} rollout restart ${shellWord(`${kind.toLowerCase()}/${name}`)}`
    : undefined;
  return { kubectl, workload: `${kind} ${namespace}/${name}`, command, others: unique.length - 1 };
}

/** Returns the earliest of some times; undefined if there is none. */
export function earliest(times: readonly (Time | undefined)[]): Time | undefined {
  const known = times.flatMap((time) => time ?? []);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.min(a, b));
}
