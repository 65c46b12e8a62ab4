import { counted } from '#base/counted';
import { sentence } from '#base/findings/problem';
import { inOneUnit, TIME_UNITS } from '#base/time-units';
import { timeText } from '../finding';
import { type ClusterStatus, type FleetStatus, type RingStatus, SEVERITIES, type Severity, worstOf } from '../status';
import { clustersText, type FindingGroup, groupsOf, MAX_FINDINGS } from './groups';

/** Maximum number of clusters, the worst first; JSON contains all clusters. */
const MAX_ROWS = 100;

/** Renders a status for a terminal: the rings, the clusters, what happens next, and the findings. */
export function statusText(status: FleetStatus): string {
  const { time, clusters, next } = status;
  const healthy = clusters.filter(({ findings }) => worstOf(findings) !== 'error').length;
  const groups = groupsOf(status);
  const sections = [
    `${counted(clusters.length, 'cluster')}, ${healthy} without errors, read on ${timeText(time)}`,
    ...(status.rings.some(({ ring }) => ring !== undefined) ? [ringsTable(status.rings)] : []),
    clustersTable(clusters),
    ...(next.length === 0
      ? []
      : [
          linesText([
            'Next:',
            ...next.map(({ at, what, clusters: of }) => `  ${timeText(at)}  ${what}: ${clustersText(of)}`),
          ]),
        ]),
    ...groups.slice(0, MAX_FINDINGS).map((group) => findingText(group, time)),
    ...(groups.length > MAX_FINDINGS
      ? [`${counted(groups.length - MAX_FINDINGS, 'more finding')}: --format json contains all.`]
      : []),
    ...(groups.length === 0 ? ['No findings.'] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

function ringsTable(rings: readonly RingStatus[]): string {
  return tableText([
    ['RING', 'CLUSTERS', 'HEALTHY', 'RELEASES', 'WORST'],
    ...rings.map(({ ring = '-', clusters, healthy, releases, worst }) => [
      ring,
      `${clusters}`,
      `${healthy}`,
      releases.map((one) => `${one.release} (${one.clusters})`).join(', '),
      worst ?? '-',
    ]),
  ]);
}

function clustersTable(clusters: readonly ClusterStatus[]): string {
  const shown = worstFirst(clusters).slice(0, MAX_ROWS);
  const rest = clusters.length - shown.length;
  const table = tableText([
    ['CLUSTER', 'RING', 'RELEASE', 'PROXIES', 'SLACK', 'FINDINGS'],
    ...shown.map(({ cluster, ring = '-', release = '-', proxies, slack = '-', findings }) => [
      cluster,
      ring,
      release,
      proxiesText(proxies),
      slack,
      countsText(findings),
    ]),
  ]);
  return rest === 0 ? table : `${table}\n  and ${counted(rest, 'more cluster')} with fewer findings`;
}

function worstFirst(clusters: readonly ClusterStatus[]): readonly ClusterStatus[] {
  const rank = ({ findings }: ClusterStatus) => RANKS.indexOf(worstOf(findings));
  return clusters.toSorted((a, b) => rank(a) - rank(b));
}

const RANKS: readonly (Severity | undefined)[] = [...SEVERITIES, undefined];

/** Formats the proxies of a cluster: `120 of edge-26.8.3, 4 of edge-26.7.1`. */
export function proxiesText(proxies: ClusterStatus['proxies']): string {
  return proxies.length === 0 ? '-' : proxies.map(({ release, pods }) => `${pods} of ${release}`).join(', ');
}

/** Counts findings by severity. */
export function countsText(findings: ClusterStatus['findings']): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [counted(count, severity)];
  });
  return counts.length === 0 ? 'none' : counts.join(', ');
}

function findingText({ severity, problem, since, clusters }: FindingGroup, now: number): string {
  const { code, what, why, fix } = problem;
  return linesText([
    `${severity} [${code}]${clusters.length === 0 ? '' : ` ${clustersText(clusters)}`}`,
    `  ${sentence(what)}${since === undefined ? '' : ` ${sinceText(since, now)}`}`,
    `  ${sentence(why)}`,
    `  Fix: ${fix}`,
  ]);
}

/** Joins lines. Escapes line feeds in them, so that no name can start a line with a command of a CI system. */
export function linesText(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll('\n', '\\n')).join('\n');
}

/** Formats a time in the past with the time that has passed since then. */
export function sinceText(since: number, now: number): string {
  return `Since ${timeText(since)} (${inOneUnit(Math.max(0, now - since), TIME_UNITS.slice(1)).join(' ')}).`;
}

/** Aligns the columns of a table. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return linesText(
    rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()),
  );
}
