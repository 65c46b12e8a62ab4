import { FunctionError } from '../template/values';

/** A pattern that is not well-formed. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

type Token =
  | { readonly kind: 'text'; readonly character: string }
  | { readonly kind: 'any one' }
  | { readonly kind: 'any'; readonly withSlash: boolean }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** Matches a whole text. */
export type PathMatcher = (text: string) => boolean;

/**
 * Returns a matcher for a pattern of Go's `filepath.Match`: `*` and `?` are anything but a slash.
 *
 * @throws PatternError if the pattern is not well-formed
 */
export function filePattern(pattern: string): PathMatcher {
  const tokens = tokensOf([...pattern], { negation: '^', hasDoubleStar: false });
  return (candidate) => matches(tokens, candidate);
}

/** The most patterns that the braces of one may stand for. */
const MOST_ALTERNATIVES = 1000;

/**
 * Returns a matcher for a pattern of github.com/gobwas/glob with slashes as separators, as `.Files.Glob` takes it:
 * `**` also matches slashes, and `{a,b}` either.
 *
 * @throws PatternError if the pattern is not well-formed
 * @throws FunctionError if its braces stand for too many patterns
 */
export function globPattern(pattern: string): PathMatcher {
  // A backslash at the end escapes nothing.
  const isOpen = (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 1;
  const alternatives = alternativesOf([...(isOpen ? pattern.slice(0, -1) : pattern)]).map((characters) =>
    tokensOf(characters, { negation: '!', hasDoubleStar: true }),
  );
  return (candidate) => alternatives.some((tokens) => matches(tokens, candidate));
}

/** What differs between the syntaxes of patterns. */
interface PatternSyntax {
  /** The character that negates a class. */
  readonly negation: '^' | '!';
  /** Whether `**` is more than `*`. */
  readonly hasDoubleStar: boolean;
}

function tokensOf(characters: readonly string[], syntax: PatternSyntax): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; ) {
    const { token, end } = tokenAt(characters, index, syntax);
    tokens.push(token);
    index = end;
  }
  return tokens;
}

/** A token, and the place behind it. */
interface PlacedToken {
  readonly token: Token;
  readonly end: number;
}

function tokenAt(
  characters: readonly string[],
  index: number,
  { negation, hasDoubleStar }: PatternSyntax,
): PlacedToken {
  const next = characters[index + 1];
  switch (characters[index]) {
    case '*': {
      const withSlash = hasDoubleStar && next === '*';
      return { token: { kind: 'any', withSlash }, end: index + (withSlash ? 2 : 1) };
    }
    case '?':
      return { token: { kind: 'any one' }, end: index + 1 };
    case '[':
      return classAt(characters, index + 1, negation);
    case '\\':
      return { token: text(next), end: index + 2 };
    default:
      return { token: text(characters[index]), end: index + 1 };
  }
}

/** Returns the patterns that the braces of a pattern stand for. */
function alternativesOf(characters: readonly string[]): readonly (readonly string[])[] {
  const open = indexOutsideClasses(characters, '{');
  if (open === -1) return [characters];
  const { parts, end } = bracesAt(characters, open);
  const heads = parts.flatMap((part) => alternativesOf([...characters.slice(0, open), ...part]));
  const tails = alternativesOf(characters.slice(end + 1));
  if (heads.length * tails.length > MOST_ALTERNATIVES)
    throw new FunctionError(`the pattern has more than ${MOST_ALTERNATIVES} alternatives`);
  return heads.flatMap((head) => tails.map((tail) => [...head, ...tail]));
}

function bracesAt(characters: readonly string[], open: number): { parts: string[][]; end: number } {
  const parts: string[][] = [[]];
  let depth = 1;
  for (let index = open + 1; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    depth += BRACES.get(character) ?? 0;
    if (depth === 0) return { parts, end: index };
    if (character === ',' && depth === 1) parts.push([]);
    else parts.at(-1)?.push(character);
    if (character === '\\') {
      index += 1;
      parts.at(-1)?.push(characters[index] ?? '');
    }
  }
  // The pattern ends every brace that is open at its end.
  return { parts, end: characters.length };
}

const BRACES: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['}', -1],
]);

function indexOutsideClasses(characters: readonly string[], wanted: string): number {
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    if (character === '\\') index += 1;
    else if (character === wanted) return index;
    else if (character === '[') {
      const end = characters.indexOf(']', index + 1);
      if (end !== -1) index = end;
    }
  }
  return -1;
}

function classAt(characters: readonly string[], start: number, negation: PatternSyntax['negation']): PlacedToken {
  const isNegated = characters[start] === negation;
  let index = isNegated ? start + 1 : start;
  const ranges: (readonly [string, string])[] = [];
  const next = () => {
    if (characters[index] === '\\') index += 1;
    const character = characters[index];
    if (character === undefined || (character === '-' && characters[index - 1] !== '\\')) {
      throw new PatternError('it has a class without an end, or an empty range');
    }
    index += 1;
    return character;
  };
  while (characters[index] !== ']' || ranges.length === 0) {
    if (characters[index] === ']') throw new PatternError('it has an empty class');
    const low = next();
    let high = low;
    if (characters[index] === '-') {
      index += 1;
      high = next();
    }
    ranges.push([low, high]);
  }
  return { token: { kind: 'class', isNegated, ranges }, end: index + 1 };
}

function text(character: string | undefined): Token {
  if (character === undefined) throw new PatternError('it ends with a backslash');
  return { kind: 'text', character };
}

/** Follows all ways through the pattern at once, so that no text takes more than a step per character and token. */
function matches(tokens: readonly Token[], candidate: string): boolean {
  let places = reachable(tokens, [0]);
  for (const character of candidate) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token !== undefined && accepts(token, character)) next.add(token.kind === 'any' ? place : place + 1);
    }
    if (next.size === 0) return false;
    places = reachable(tokens, next);
  }
  return places.has(tokens.length);
}

/** Adds the places behind tokens that may match nothing. */
function reachable(tokens: readonly Token[], from: Iterable<number>): ReadonlySet<number> {
  const places = new Set(from);
  for (const place of places) if (tokens[place]?.kind === 'any') places.add(place + 1);
  return places;
}

function accepts(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'text':
      return token.character === character;
    case 'any one':
      return character !== '/';
    case 'any':
      return token.withSlash || character !== '/';
    case 'class':
      return token.isNegated !== token.ranges.some(([low, high]) => low <= character && character <= high);
  }
}
