import { distance } from 'fastest-levenshtein';

const MAX_COMPOUNDS = 2;

/** Common names of switches. A longer name that begins with one of them means something else. */
const SWITCHES: readonly string[] = ['enable', 'enabled', 'disable', 'disabled'];

/** Returns the candidates of which `word` is most likely a typo, best first; none if all are too different. */
export function suggest(word: string, candidates: Iterable<string>): readonly string[] {
  const isSwitch = SWITCHES.includes(plain(word));
  const near = [...candidates]
    .map((candidate) => ({ candidate, ...slips(word, candidate) }))
    .filter(({ candidate, off }) => off <= tolerated(Math.max(word.length, candidate.length)))
    .filter(({ candidate }) => !isSwitch || SWITCHES.includes(plain(candidate)));
  const compounds = near.filter(({ isCompound }) => isCompound);
  return near
    .filter(({ isCompound }) => !isCompound || compounds.length <= MAX_COMPOUNDS)
    .filter(({ candidate, isCompound }) => !isCompound || plain(candidate).length <= 2 * plain(word).length)
    .sort((a, b) => a.off - b.off || (a.candidate < b.candidate ? -1 : 1))
    .map(({ candidate }) => candidate);
}

/** Returns `did you mean …?` to append to a message; empty without a similar name. */
export function didYouMean(similar: string | undefined): string {
  return similar === undefined ? '' : ` (did you mean "${similar}"?)`;
}

/**
 * Returns the number of different letters. Case and separators, which are often confused, do not count; half of a
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

/** One typo in three letters, at most three. */
function tolerated(length: number): number {
  return Math.min(3, Math.floor(length / 3));
}
