import type { Problem } from '#base/findings/problem';
import { suggest } from '#base/suggest';
import { PLATFORM_FINDINGS } from './findings';

/** One of several parts of equal size, such as the second of eight. */
export interface Shard {
  /** Number of the part: 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** A selection of a platform's clusters. */
export interface ClusterChoice {
  /** Names, or patterns with `*`, to match. */
  readonly only?: string | readonly string[];
  /** The part to select; every cluster is in exactly one part. */
  readonly shard?: Shard;
  /** Select only the output for all clusters (the Argo CD objects), and no single cluster. */
  readonly argocd?: boolean;
}

/** The selected clusters, and the problems of the selection. */
export interface ChosenClusters {
  readonly names: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/** Selects clusters by name. Clusters are assigned to shards in turn, so that a new one does not move earlier ones. */
export function chooseClusters(names: readonly string[], choice: ClusterChoice): ChosenClusters {
  const { only, shard } = choice;
  const patterns = only === undefined ? ['*'] : [only].flat();
  const meant = names.filter((name) => patterns.some((pattern) => isLike(name, pattern)));
  const unknown = only === undefined ? [] : patterns.flatMap((pattern) => checkPattern(pattern, names));
  const problems = [...unknown, ...(shard === undefined ? [] : checkShard(shard)), ...checkChoice(choice)];
  if (shard === undefined) return { names: new Set(meant), problems };
  const part = meant.filter((_, index) => index % shard.count === shard.index - 1);
  return { names: new Set(part), problems };
}

/** Whether clusters are selected by name or by shard. */
export function isPart({ only, shard }: ClusterChoice): boolean {
  return only !== undefined || shard !== undefined;
}

/** Checks that `argocd` is not combined with a selection of clusters. */
export function checkChoice(choice: ClusterChoice): readonly Problem[] {
  return choice.argocd === true && isPart(choice) ? [PLATFORM_FINDINGS.argumentRefusedSelection()] : [];
}

/** Parses `2/8`; undefined if it is not a shard. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return checkShard(shard).length === 0 ? shard : undefined;
}

function isLike(name: string, pattern: string): boolean {
  if (!pattern.includes('*')) return name === pattern;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, from);
    if (found === -1 || found + part.length > name.length - last.length) return false;
    from = found + part.length;
  }
  return true;
}

function checkPattern(pattern: string, names: readonly string[]): readonly Problem[] {
  if (names.some((name) => isLike(name, pattern))) return [];
  const clusters = names.join(', ') || 'none';
  return [PLATFORM_FINDINGS.clusterUnknown({ pattern, clusters, similar: suggest(pattern, names)[0] })];
}

function checkShard({ index, count }: Shard): readonly Problem[] {
  if (Number.isSafeInteger(index) && Number.isSafeInteger(count) && index >= 1 && index <= count) return [];
  return [PLATFORM_FINDINGS.argumentRefusedShard({ shard: `${index}/${count}` })];
}
