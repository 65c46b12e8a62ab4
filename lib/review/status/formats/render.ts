import type { StatusFinding } from '../finding';
import type { FleetStatus } from '../status';
import type { StatusFormat } from './formats';
import { statusGithub } from './github';
import { statusHtml } from './html';
import { statusText } from './text';

/** Renders a status in a format. */
export function renderStatus(status: FleetStatus, format: StatusFormat): string {
  if (format === 'json') return statusJson(status);
  if (format === 'html') return statusHtml(status);
  return format === 'github' ? statusGithub(status) : statusText(status);
}

/** The format that docs/status.md describes. Times are RFC 3339. */
function statusJson({ time, rings, clusters, next, findings }: FleetStatus): string {
  const data = {
    version: 1,
    time: isoTime(time),
    rings,
    clusters: clusters.map((one) => ({
      ...one,
      next: one.next.map(({ at, what }) => ({ at: isoTime(at), what })),
      findings: one.findings.map(findingData),
    })),
    next: next.map(({ at, ...event }) => ({ at: isoTime(at), ...event })),
    findings: findings.map(findingData),
  };
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

/** Returns a finding as JSON contains it. */
export function findingData({ severity, problem: { code, what, why, fix, parameters = {} }, since }: StatusFinding) {
  return { severity, code, what, why, fix, parameters, ...(since !== undefined && { since: isoTime(since) }) };
}

/** Formats a time as RFC 3339. */
export function isoTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
