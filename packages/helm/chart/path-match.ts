import { isSameValue } from '#base/same-value';
import { byteLength, bytesOf, stringOf } from '../go/go-string';
import { type Budget, FunctionError } from '../go/values';

/** Thrown for an invalid pattern. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

type Token =
  | { readonly kind: 'text'; readonly character: string }
  | { readonly kind: 'any one' }
  | { readonly kind: 'any'; readonly withSlash: boolean }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  /** Matches no character, and continues at each of several tokens. */
  | { readonly kind: 'fork'; readonly places: number[] };

/** Matches a whole text. */
export type PathMatcher = (text: string) => boolean;

/**
 * Returns a matcher for a pattern of Go's `filepath.Match`: `*` and `?` match no slash.
 *
 * @throws PatternError if the pattern is not well-formed
 */
export function filePattern(pattern: string, budget: Budget): PathMatcher {
  return matcherOf(pattern, { negation: '^', isGlob: false }, budget);
}

/**
 * Returns a matcher for a pattern of github.com/gobwas/glob with slashes as separators, as in `.Files.Glob`: `**` also
 * matches slashes, and `{a,b}` matches either alternative.
 *
 * @throws PatternError if the pattern is not well-formed
 */
export function globPattern(pattern: string, budget: Budget): PathMatcher {
  let end = pattern.length;
  while (pattern.charAt(end - 1) === '\\') end -= 1;
  // A backslash at the end escapes nothing.
  const isOpen = (pattern.length - end) % 2 === 1;
  return matcherOf(isOpen ? pattern.slice(0, -1) : pattern, { negation: '!', isGlob: true }, budget);
}

interface PatternSyntax {
  readonly negation: '^' | '!';
  /** Whether `**` differs from `*`, and braces contain alternatives. */
  readonly isGlob: boolean;
}

function matcherOf(pattern: string, syntax: PatternSyntax, budget: Budget): PathMatcher {
  budget.spend(1 + STEPS_PER_CHARACTER * pattern.length);
  const tokens = new TokenReader([...pattern], syntax).read();
  const isMixed = syntax.isGlob && tokens.length > 1 && !isCounted(tokens) && tokens.some(isOfOneCharacter);
  const row = isMixed && isRow(tokens) ? tokens : undefined;
  const isUnsure = isMixed && row === undefined;
  return (candidate) => {
    if (row !== undefined && !ASCII.test(candidate)) return matchesRow(row, candidate, budget);
    const isMatch = matches(tokens, candidate, budget);
    if (isUnsure && !ASCII.test(candidate) && (isMatch || mayMatch(tokens, candidate))) {
      throw new FunctionError(
        `Helm compares the pattern ${JSON.stringify(pattern)} with bytes of the file name ${JSON.stringify(candidate)}, and may cut a character: use * instead of ?, [] and {}, or a name in ASCII`,
      );
    }
    return isMatch;
  };
}

function isRow(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind }) => kind !== 'any' && kind !== 'fork');
}

/** Whether all tokens are equal and exclude characters: gobwas/glob then compares the number of characters. */
function isCounted(tokens: readonly Token[]): boolean {
  return tokens.every((token) => isNegated(token) && isSameValue(token, tokens[0]));
}

/** Whether a token matches one character. Next to tokens of any length, gobwas/glob counts it so, but cuts bytes. */
function isOfOneCharacter({ kind }: Token): boolean {
  return kind !== 'text' && kind !== 'any';
}

function isNegated(token: Token | undefined): boolean {
  return token?.kind === 'any one' || (token?.kind === 'class' && token.isNegated);
}

/** Whether Helm may match a candidate that does not match here: it may compare single bytes with a negated class. */
function mayMatch(tokens: readonly Token[], candidate: string): boolean {
  const start = tokens.slice(
    0,
    tokens.findIndex(({ kind }) => kind !== 'text'),
  );
  const text = start.map((token) => (token.kind === 'text' ? token.character : '')).join('');
  return tokens.some((token) => token.kind === 'class' && token.isNegated) && candidate.startsWith(text);
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * Matches parts of fixed lengths as gobwas/glob does: it counts characters, and cuts the last character of each part
 * down to its first byte. So `?` in `a?b` does not match a character of several bytes, but `?` in `a?` does.
 */
function matchesRow(tokens: readonly Token[], candidate: string, budget: Budget): boolean {
  budget.spend(tokens.length + candidate.length);
  if ([...candidate].length !== tokens.length) return false;
  const bytes = bytesOf(candidate);
  let at = 0;
  for (let index = 0; index < tokens.length; ) {
    const end = partEnd(tokens, index);
    const rest = [...stringOf(bytes.subarray(at))];
    if (rest.length < end - index) return false;
    const length = byteLength(rest.slice(0, end - index - 1).join('')) + 1;
    const part = [...stringOf(bytes.subarray(at, at + length))];
    const isAccepted =
      part.length === end - index && part.every((each, offset) => acceptsInRow(tokens[index + offset], each));
    if (!isAccepted) return false;
    at += length;
    index = end;
  }
  return true;
}

/** Adjacent texts are one part. */
function partEnd(tokens: readonly Token[], start: number): number {
  let end = start + 1;
  while (tokens[start]?.kind === 'text' && tokens[end]?.kind === 'text') end += 1;
  return end;
}

/** Classes read a byte that is not a character as U+FFFD. */
function acceptsInRow(token: Token | undefined, character: string): boolean {
  return token !== undefined && accepts(token, token.kind === 'text' ? character : character.toWellFormed());
}

/** Each character may become a token. */
const STEPS_PER_CHARACTER = 4;

interface Braces {
  readonly begin: number[];
  readonly ends: (Token & { readonly kind: 'fork' })[];
}

class TokenReader {
  private readonly tokens: Token[] = [];
  private readonly open: Braces[] = [];

  constructor(
    private readonly characters: readonly string[],
    private readonly syntax: PatternSyntax,
  ) {}

  read(): readonly Token[] {
    for (let index = 0; index < this.characters.length; ) {
      if (this.syntax.isGlob && this.readBrace(this.characters[index])) index += 1;
      else {
        const { token, end } = tokenAt(this.characters, index, this.syntax);
        this.tokens.push(token);
        index = end;
      }
    }
    // The end of the pattern closes open braces.
    while (this.open.length > 0) this.close();
    return this.tokens;
  }

  private readBrace(character: string | undefined): boolean {
    const braces = this.open.at(-1);
    if (character === '{') {
      const begin: number[] = [];
      this.tokens.push({ kind: 'fork', places: begin });
      begin.push(this.tokens.length);
      this.open.push({ begin, ends: [] });
    } else if (character === ',' && braces !== undefined) {
      const end = { kind: 'fork', places: [] } as const satisfies Token;
      this.tokens.push(end);
      braces.ends.push(end);
      braces.begin.push(this.tokens.length);
    } else if (character === '}' && braces !== undefined) {
      this.close();
    } else {
      return false;
    }
    return true;
  }

  private close(): void {
    for (const { places } of this.open.pop()?.ends ?? []) places.push(this.tokens.length);
  }
}

interface PlacedToken {
  readonly token: Token;
  readonly end: number;
}

function tokenAt(characters: readonly string[], index: number, { negation, isGlob }: PatternSyntax): PlacedToken {
  const next = characters[index + 1];
  switch (characters[index]) {
    case '*': {
      const withSlash = isGlob && next === '*';
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

/** Follows all paths through the pattern in parallel, so a text takes at most one step for each character and token. */
function matches(tokens: readonly Token[], candidate: string, budget: Budget): boolean {
  let places = reachable(tokens, [0], budget);
  for (const character of candidate) {
    places = reachable(tokens, behind(tokens, places, character, budget), budget);
    if (places.size === 0) return false;
  }
  return places.has(tokens.length);
}

function behind(
  tokens: readonly Token[],
  places: ReadonlySet<number>,
  character: string,
  budget: Budget,
): ReadonlySet<number> {
  const next = new Set<number>();
  for (const place of places) {
    const token = tokens[place];
    if (token === undefined || !accepts(token, character)) continue;
    if (token.kind === 'class') budget.spend(token.ranges.length / RANGES_PER_STEP);
    next.add(token.kind === 'any' ? place : place + 1);
  }
  return next;
}

const RANGES_PER_STEP = 10;

function reachable(tokens: readonly Token[], from: Iterable<number>, budget: Budget): ReadonlySet<number> {
  const places = new Set(from);
  for (const place of places) {
    const token = tokens[place];
    if (token?.kind === 'any') places.add(place + 1);
    else if (token?.kind === 'fork') for (const to of token.places) places.add(to);
  }
  budget.spend(places.size);
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
    case 'fork':
      return false;
  }
}
