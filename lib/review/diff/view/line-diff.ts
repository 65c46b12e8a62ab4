import type { DiffLine } from './page';

/** The most lines that are compared with each other: more are told as gone and new. */
const MOST_COMPARED = 400;

/** Lines around those that differ. */
const CONTEXT = 1;

/** The lines of two texts that differ, with one line around them. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  return withContext([
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...same(old.slice(old.length - end)),
  ]);
}

function middle(old: readonly string[], next: readonly string[]): readonly DiffLine[] {
  if (old.length > MOST_COMPARED || next.length > MOST_COMPARED) {
    return [...signed('-', old), ...signed('+', next)];
  }
  const lengths = commonLengths(old, next);
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < next.length) {
    const [gone, come] = [old[row], next[column]];
    if (gone !== undefined && gone === come) {
      lines.push({ sign: ' ', text: gone });
      row++;
      column++;
    } else if (
      come === undefined ||
      (gone !== undefined && at(lengths, row + 1, column) >= at(lengths, row, column + 1))
    ) {
      lines.push({ sign: '-', text: gone ?? '' });
      row++;
    } else {
      lines.push({ sign: '+', text: come });
      column++;
    }
  }
  return lines;
}

/** The lengths of the longest common parts of what follows each pair of lines. */
function commonLengths(old: readonly string[], next: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1));
  for (let row = old.length - 1; row >= 0; row--) {
    const [line, below] = [lengths[row], lengths[row + 1]];
    if (line === undefined || below === undefined) continue;
    for (let column = next.length - 1; column >= 0; column--) {
      line[column] =
        old[row] === next[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, line[column + 1] ?? 0);
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], row: number, column: number): number {
  return lengths[row]?.[column] ?? 0;
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}

function withContext(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isShown = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign !== ' ') for (let near = index - CONTEXT; near <= index + CONTEXT; near++) isShown.add(near);
  }
  return lines.filter((_, index) => isShown.has(index));
}
