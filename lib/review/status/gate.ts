import { type StatusFinding, statusFinding } from './finding';
import { STATUS_FINDINGS } from './findings';
import type { FleetStatus } from './status';

/** Pods start at any time, so they hold the end of a soak, and do not begin it again. */
const STARTING = 'proxies-starting';

/**
 * Warnings and notes that block a promotion: something is not known, or not over yet. An error always does; the others
 * are about what a promotion does not make worse, such as old proxies.
 */
const HOLDING: readonly string[] = [
  'application-contested',
  'application-progressing',
  'application-stale',
  'applications-apart',
  'applications-unread',
  'cluster-unpromoted',
  'linkerd-config-progressing',
  'list-unread',
  'objects-differ',
  'objects-uncompared',
  'operator-behind',
  'proxies-restarting',
  'ring-output-unread',
  STARTING,
];

/** Whether a promotion may follow. */
export function isOpen(status: FleetStatus): boolean {
  return [status, ...status.clusters].every(({ findings }) => !findings.some(holds));
}

/** How long a gate waits, by one clock in milliseconds. */
export interface GateTimes {
  readonly deadline: number;
  /** How long the clusters must have been healthy; as given, for messages. */
  readonly soak: { readonly ms: number; readonly text: string };
  /** The time from one look at the clusters to the next. */
  readonly pause: number;
}

/**
 * Decides what follows from a look at the clusters: the status with which the gate ends, or since when they soak.
 *
 * @param since the begin of the soak, by earlier looks; undefined if none is under way
 */
export function gateStep(
  found: FleetStatus,
  { now, since }: { readonly now: number; readonly since: number | undefined },
  { deadline, soak, pause }: GateTimes,
): { readonly result: FleetStatus } | { readonly since: number | undefined } {
  const soakingSince = isSoaking(found) ? (since ?? now) : undefined;
  const isSoaked = now - (soakingSince ?? now) >= soak.ms;
  if (isSoaked && isOpen(found)) return { result: found };
  if (now + pause <= deadline) return { since: soakingSince };
  return { result: soakingSince === undefined || isSoaked ? found : unsoaked(found, soak.text) };
}

function unsoaked(found: FleetStatus, soak: string): FleetStatus {
  return { ...found, findings: [...found.findings, statusFinding(STATUS_FINDINGS.soakUnfinished({ soak }))] };
}

/** Whether nothing begins a soak again. */
function isSoaking(status: FleetStatus): boolean {
  return [status, ...status.clusters].every(
    ({ findings }) => !findings.some((one) => one.problem.code !== STARTING && holds(one)),
  );
}

function holds({ severity, problem }: StatusFinding): boolean {
  return severity === 'error' || HOLDING.includes(problem.code);
}
