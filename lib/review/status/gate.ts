import { type StatusFinding, statusFinding } from './finding';
import { STATUS_FINDINGS } from './findings';
import type { FleetStatus } from './status';

/** Pods start at any time. Starting proxies delay the end of the soak, but do not restart the soak. */
const STARTING = 'proxies-starting';

/**
 * Warnings and notes that block a promotion, because the state is unknown or still changes. Every error blocks it, too.
 * A promotion does not make the problems of other warnings worse, such as old proxies.
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

/** Whether the findings permit a promotion. */
export function isOpen(status: FleetStatus): boolean {
  return [status, ...status.clusters].every(({ findings }) => !findings.some(holds));
}

/** The times of `--wait`, in milliseconds of one clock. */
export interface GateTimes {
  readonly deadline: number;
  /** How long the clusters must have no errors; `text` is the value as given, for messages. */
  readonly soak: { readonly ms: number; readonly text: string };
  /** The time between two observations of the clusters. */
  readonly pause: number;
}

/**
 * Decides whether `--wait` ends: returns the status with which it ends, or the start of the soak.
 *
 * @param since the start of the soak by earlier observations; undefined if no soak is in progress
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

/** Whether no finding restarts the soak. */
function isSoaking(status: FleetStatus): boolean {
  return [status, ...status.clusters].every(
    ({ findings }) => !findings.some((one) => one.problem.code !== STARTING && holds(one)),
  );
}

function holds({ severity, problem }: StatusFinding): boolean {
  return severity === 'error' || HOLDING.includes(problem.code);
}
