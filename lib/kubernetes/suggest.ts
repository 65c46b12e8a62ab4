import { distance } from 'fastest-levenshtein';

/** Halves of more compounds than these tell nothing about which of them is meant. */
const MAX_COMPOUNDS = 2;

/** The candidates that `word` is most likely a slip of, best first; none where all are too far off. */
export function suggest(word: string, candidates: Iterable<string>): readonly string[] {
  const near = [...candidates]
    .map((candidate) => ({ candidate, ...slips(word, candidate) }))
    .filter(({ candidate, off }) => off <= tolerated(Math.max(word.length, candidate.length)));
  const compounds = near.filter(({ isCompound }) => isCompound);
  return near
    .filter(({ isCompound }) => !isCompound || compounds.length <= MAX_COMPOUNDS)
    .sort((a, b) => a.off - b.off || (a.candidate < b.candidate ? -1 : 1))
    .map(({ candidate }) => candidate);
}

/** The question whether the first of these was meant, to be put after "the name"; empty where all are too far off. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const [similar] = suggest(word, candidates);
  return similar === undefined ? '' : ` (did you mean "${similar}"?)`;
}

/**
 * Returns the number of letters that are off. Case and separators, which people mix up most, do not count; half of a
 * compound (`replicas` for `replicaCount`, `identity` for `meshIdentity`) counts two.
 */
function slips(word: string, candidate: string): { readonly off: number; readonly isCompound: boolean } {
  const [a, b] = [plain(word), plain(candidate)];
  const stem = a.replace(/s$/, '');
  const isHalf = stem.length > 3 && (b.startsWith(stem) || b.endsWith(a));
  const off = distance(a, b);
  return { off: isHalf ? Math.min(2, off) : off, isCompound: isHalf && off > 2 };
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** One slip in three letters, three at most. */
function tolerated(length: number): number {
  return Math.min(3, Math.floor(length / 3));
}
