import { isLetter, isSpace, isUpper, lowerRune, upperRune } from '../go/unicode';

/** The kinds of words in xstrings, the package that sprig uses for its cases. */
type WordKind = 'number' | 'upper' | 'alphabet' | 'connector' | 'punctuation' | 'other' | 'none';

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

function isConnector(character: string): boolean {
  return character === '-' || character === '_' || isSpace(character);
}

function isPunctuation(character: string): boolean {
  return /^\p{P}$/u.test(character);
}

function isNumber(character: string): boolean {
  return /^\p{N}$/u.test(character);
}

/** Whether a character is a letter other than an ideograph of CJK: those are words of another kind. */
function isAlphabet(character: string): boolean {
  return isLetter(character) && !/^[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]$/u.test(character);
}

/** Converts `some_words` to `SomeWords`. */
export function camelCase(text: string): string {
  const characters = [...text];
  const start = characters.findIndex((character) => !isConnector(character));
  // If a text has only connectors, xstrings writes the last one twice.
  if (start < 0) return text + (characters.at(-1) ?? '');
  const first = characters[start] ?? '';
  return characters.slice(0, start).join('') + camelWords(first, characters.slice(start + 1));
}

function camelWords(first: string, rest: readonly string[]): string {
  let wasUpper = isUpper(first);
  let current = upperRune(first);
  let cased = '';
  for (const character of rest) {
    const previous = current;
    current = character;
    if (!isConnector(previous)) {
      const lowers = wasUpper && isUpper(character);
      if (lowers) current = lowerRune(character);
      wasUpper = lowers;
      cased += previous;
    } else if (isConnector(character)) {
      cased += previous;
    } else {
      wasUpper = isUpper(character);
      current = upperRune(character);
    }
  }
  return cased + current;
}

/** Converts `FirstName` to `first_name`, with any connector. */
export function separatedCase(text: string, connector: string): string {
  return new CaseWriter(splitWords(text), connector).write();
}

class CaseWriter {
  private at = 0;
  private cased = '';

  constructor(
    private readonly words: readonly Word[],
    private readonly connector: string,
  ) {}

  write(): string {
    while (this.at < this.words.length - 1) {
      const kind = this.kindAt(this.at);
      this.take();
      if (kind === 'connector' || kind === 'punctuation') continue;
      if (kind === 'number') this.takeAlphanumerics();
      else if (this.kindAt(this.at) === 'number' && !this.takeNumber()) break;
      if (!endsWord(this.kindAt(this.at))) this.cased += this.connector;
    }
    while (this.at < this.words.length) this.take();
    return this.cased;
  }

  private kindAt(index: number): WordKind {
    return this.words[index]?.kind ?? 'none';
  }

  private take(): void {
    const word = this.words[this.at++];
    if (word !== undefined) this.cased += lowered(word, this.connector);
  }

  private takeAlphanumerics(): void {
    while (this.kindAt(this.at) === 'alphabet' || this.kindAt(this.at) === 'number') this.take();
  }

  /** Digits before lower-case letters start a word, other digits end the previous one. Returns whether more follows. */
  private takeNumber(): boolean {
    if (this.at === this.words.length - 1) return false;
    const startsWord = this.kindAt(this.at + 1) === 'alphabet';
    if (startsWord) this.cased += this.connector;
    this.take();
    if (startsWord) this.takeAlphanumerics();
    return true;
  }
}

function endsWord(kind: WordKind): boolean {
  return kind === 'none' || kind === 'punctuation' || kind === 'connector';
}

function lowered({ kind, text }: Word, connector: string): string {
  if (kind !== 'upper' && kind !== 'connector') return text;
  return [...text]
    .map((character) => (isConnector(character) ? connector : isUpper(character) ? lowerRune(character) : character))
    .join('');
}

/** A character with the invalid units before it, which Go skips. */
const PARTS = /[\ufffd\p{Cs}]*[^\ufffd\p{Cs}]|[\ufffd\p{Cs}]+/gsu;
const INVALID = /[\ufffd\p{Cs}]/gu;

function splitWords(text: string): Word[] {
  const parts = text.match(PARTS) ?? [];
  const characters = parts.map((part, at) => part.replace(INVALID, '') || (parts[at - 1] ?? part).replace(INVALID, ''));
  const words: Word[] = [];
  for (let i = 0; i < characters.length; ) {
    const kind = kindAt(characters[i] ?? '');
    const end = endOfWord(characters, i, kind);
    words.push({ kind, text: parts.slice(i, end).join('') });
    i = end;
  }
  return words;
}

function kindAt(character: string): WordKind {
  if (isConnector(character)) return 'connector';
  if (isPunctuation(character)) return 'punctuation';
  if (isUpper(character)) return 'upper';
  if (isAlphabet(character)) return 'alphabet';
  return isNumber(character) ? 'number' : 'other';
}

function isLowerAlphabet(character: string): boolean {
  return isAlphabet(character) && !isUpper(character);
}

function endOfWord(characters: readonly string[], start: number, kind: WordKind): number {
  if (kind === 'upper') return endOfUpperWord(characters, start);
  return endOfRun(characters, start + 1, CONTINUES[kind]);
}

const CONTINUES: Readonly<Record<Exclude<WordKind, 'upper'>, (character: string) => boolean>> = {
  connector: isConnector,
  punctuation: isPunctuation,
  alphabet: isLowerAlphabet,
  number: isNumber,
  other: (character) => kindAt(character) === 'other',
  none: () => false,
};

/** `HTTPStatus` is HTTP and Status: the last upper-case letter belongs to the letters after it. */
function endOfUpperWord(characters: readonly string[], start: number): number {
  if (!isUpper(characters[start + 1] ?? '')) return endOfRun(characters, start + 1, isLowerAlphabet);
  const end = endOfRun(characters, start + 1, isUpper);
  return end < characters.length && isAlphabet(characters[end] ?? '') ? end - 1 : end;
}

function endOfRun(characters: readonly string[], from: number, belongs: (character: string) => boolean): number {
  let end = from;
  while (end < characters.length && belongs(characters[end] ?? '')) end++;
  return end;
}
