import type { StatusFinding } from './finding';
import type { FleetStatus } from './status';

/**
 * Warnings that hold a promotion: something is not known, or not over yet. An error always does; other warnings are
 * about what a promotion does not make worse, such as old proxies.
 */
const HOLDING: readonly string[] = [
  'application-progressing',
  'applications-apart',
  'applications-unread',
  'list-unread',
  'operator-behind',
];

/** Whether a promotion may follow. */
export function isOpen(status: FleetStatus): boolean {
  return [status, ...status.clusters].every(({ findings }) => !findings.some(holds));
}

function holds({ severity, problem }: StatusFinding): boolean {
  return severity === 'error' || HOLDING.includes(problem.code);
}
