import type { LocatedProblem, LocatedWarning } from '../validation/located';
import type { Difference, WriteCounts } from './output/output-writer';

/** What a synthesis did, or, as a check, would do. */
export interface SynthReport extends Readonly<WriteCounts> {
  /** Whether nothing was to be written. */
  readonly check: boolean;
  /** Names of the clusters that were synthesized. */
  readonly clusters: readonly string[];
  /** Clusters of an earlier output that are gone, with the files that were written for them. */
  readonly removedClusters: readonly string[];
  /** Risks that were taken knowingly. */
  readonly warnings: readonly LocatedWarning[];
  /** What a check found; empty otherwise. */
  readonly differences: readonly Difference[];
}

/** All that is wrong, in one error; nothing was written. */
export class SynthError extends Error {
  override readonly name = 'SynthError';

  constructor(readonly problems: readonly LocatedProblem[]) {
    super(formatProblems(problems));
  }
}

/** The problems of each cluster, by construct, with the remedy on a line of its own. */
export function formatProblems(problems: readonly LocatedProblem[]): string {
  const groups = groupBy(problems, ({ path }) => path.split('/', 1).join());
  const texts = [...groups].map(([cluster, ofCluster]) => {
    const byPath = groupBy(ofCluster, ({ path }) => path);
    const lines = [...byPath].flatMap(([path, ofPath]) => [
      `  ${path}`,
      ...ofPath.flatMap(({ message }) => messageLines(message)),
    ]);
    return [`${cluster}: ${counted(ofCluster.length, 'problem')}`, ...lines].join('\n');
  });
  return [...texts, `Nothing was written: ${counted(problems.length, 'problem')}.`].join('\n\n');
}

/** Warnings, differences and a summary. */
export function formatReport(report: SynthReport): string {
  const warnings = report.warnings.map(
    ({ path, problem }) => `warning: ${path}: ${problem.what}\n  ${problem.why}\n  Fix: ${problem.fix}`,
  );
  const differences = report.differences.map(({ path, difference }) => `${difference}: ${path}`);
  return [...warnings, ...differences, summary(report)].join('\n');
}

function summary({ check, clusters, removedClusters, ...counts }: SynthReport): string {
  const files = counts.written + counts.unchanged;
  const removed = removedClusters.length > 0 ? `, removed ${removedClusters.join(', ')}` : '';
  const subject = `${counted(clusters.length, 'cluster')}, ${counted(files, 'file')}`;
  if (!check) {
    return `${subject}: ${counts.written} written, ${counts.deleted} deleted, ${counts.unchanged} unchanged${removed}`;
  }
  const outdated = counts.written + counts.deleted;
  return outdated === 0
    ? `${subject}: up to date`
    : `${subject}: ${counted(outdated, 'difference')}${removed}; run without --check to write`;
}

function messageLines(message: string): readonly string[] {
  const fix = message.lastIndexOf(' Fix: ');
  return fix === -1 ? [`    - ${message}`] : [`    - ${message.slice(0, fix)}`, `      ${message.slice(fix + 1)}`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
