import type { StatusFinding } from './finding';
import type { FleetStatus } from './status';

/** Pods start at any time, so they hold the end of a soak, and do not begin it again. */
const STARTING = 'proxies-starting';

/**
 * Warnings and notes that hold a promotion: something is not known, or not over yet. An error always does; the others
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

/** Whether nothing begins a soak again. */
export function isSoaking(status: FleetStatus): boolean {
  return [status, ...status.clusters].every(
    ({ findings }) => !findings.some((one) => one.problem.code !== STARTING && holds(one)),
  );
}

function holds({ severity, problem }: StatusFinding): boolean {
  return severity === 'error' || HOLDING.includes(problem.code);
}
