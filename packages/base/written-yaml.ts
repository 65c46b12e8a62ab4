import { RecentMap } from './remembered';
import type { Value } from './values';
import { stringifyAround } from './yaml-writer';

/** Below the limits of the other readers, so that they would accept the text, too. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 1_000_000;

/**
 * Reads a text that `stringifyYaml` wrote, in a tenth of the time of a YAML parser. Returns undefined for any other
 * text. Equal blocks, in this text or in another one, are the same objects: do not change them.
 *
 * The reader assumes that `stringifyYaml` wrote the lines, and writes the result again. It returns the result only if
 * this gives the same text: all parsers read the output of `stringifyYaml` as the data that it was given.
 */
export function readWrittenYaml(text: string): { readonly content: Value } | undefined {
  if (text.length > MAX_CHARACTERS || !text.endsWith('\n')) return undefined;
  try {
    const guess = new Guess(text.slice(0, -1));
    const content = guess.node(0);
    return stringifyAround(guess.written, content) === text ? { content } : undefined;
  } catch {
    return undefined;
  }
}

/** Without -0, which JSON does not have. */
const NUMBER = /^(?!-0\.0$)-?\d+(?:\.\d+)?(?:e[-+]\d+)?$/;
const WORDS: ReadonlyMap<string, () => Value> = new Map<string, () => Value>([
  ['null', () => null],
  ['true', () => true],
  ['false', () => false],
  ['{}', () => ({})],
  ['[]', () => []],
]);
const DOUBLE_QUOTED = /"(?:[^"\\]|\\.)*"/y;

/** The value of a key, with its text. The text equals what `stringifyYaml` writes for the value. */
interface Block {
  readonly content: object;
  readonly text: string;
}

/**
 * Cached blocks, by the lines of key and block, which determine how a block is read and written. The objects of a fleet
 * have most blocks in common.
 */
const blocks = new RecentMap<Block>(({ length }) => length);
/** Blocks that are indented further are not cached: most are small, and each would be compared once for each level. */
const MAX_COLUMN = 20;

/** Reads every line as `stringifyYaml` would have written it. */
class Guess {
  /** The texts of blocks that need not be written again. */
  readonly written = new Map<object, string>();
  private start = 0;
  private end = -1;
  /** The current line; undefined after the last line. */
  private line: string | undefined;

  constructor(private readonly text: string) {
    this.next();
  }

  /** Reads the node that starts in a column of the current line. Its other lines are indented to that column. */
  node(column: number): Value {
    if (column > 2 * MAX_DEPTH) throw new RangeError('too deep');
    const line = this.line ?? '';
    if (line.startsWith('- ', column)) return this.list(column);
    const colon = colonIn(line, column);
    return colon === undefined ? this.scalar(column, column) : this.map(column, colon);
  }

  /** Moves to the line after the current one, or after the line that ends at an index. */
  private next(end = this.end): void {
    this.start = end + 1;
    const found = this.text.indexOf('\n', this.start);
    this.end = found === -1 ? this.text.length : found;
    this.line = this.start > this.text.length ? undefined : this.text.slice(this.start, this.end);
  }

  private list(column: number): readonly Value[] {
    const items: Value[] = [];
    const start = `${' '.repeat(column)}- `;
    do items.push(this.node(column + 2));
    while (this.line?.startsWith(start));
    return items;
  }

  private map(column: number, first: number): Value {
    const members: Record<string, Value> = {};
    const indentation = ' '.repeat(column);
    for (let colon: number | undefined = first; colon !== undefined; ) {
      const line = this.line ?? '';
      const key = textOf(line.slice(column, colon));
      members[key] = colon + 1 === line.length ? this.below(key, column + 2) : this.scalar(colon + 2, column + 2);
      colon = this.line?.startsWith(indentation) ? colonIn(this.line, column) : undefined;
    }
    return members;
  }

  private below(key: string, column: number): Value {
    const [first, start] = [this.start, this.end + 1 + column];
    const end = column > MAX_COLUMN ? undefined : this.endOfBlock(column);
    const lines = this.text.slice(first, end);
    const known = end === undefined ? undefined : blocks.get(lines);
    if (known !== undefined) {
      this.next(end);
      this.written.set(known.content, known.text);
      return known.content as Value;
    }
    this.next();
    const content = this.node(column);
    if (end === undefined || typeof content !== 'object' || content === null) return content;
    const text = this.text.slice(start, end);
    const written = stringifyAround(this.written, content, { key, pad: ' '.repeat(column) });
    if (written !== text) throw new SyntaxError('it is written differently');
    this.written.set(content, text);
    blocks.set(lines, { content, text });
    return content;
  }

  /** The end of the lines after the current one that are empty or indented to a column. */
  private endOfBlock(column: number): number {
    const next = nextBlock(column);
    next.lastIndex = this.end;
    return next.exec(this.text)?.index ?? this.text.length;
  }

  private scalar(column: number, pad: number): Value {
    const text = this.line?.slice(column) ?? '';
    if (text.startsWith('|')) return this.block(text, pad);
    this.next();
    if (NUMBER.test(text)) return Number(text);
    const word = WORDS.get(text);
    return word === undefined ? textOf(text) : word();
  }

  private block(header: string, column: number): string {
    const [start, end] = [this.end, this.endOfBlock(column)];
    this.next(end);
    const lines = this.text.slice(start, end).replaceAll(`\n${' '.repeat(column)}`, '\n');
    return `${lines.slice(1)}${header.endsWith('-') ? '' : '\n'}`;
  }
}

/** The index of the colon after a key that starts in a column; undefined if there is no key. */
function colonIn(line: string, column: number): number | undefined {
  let end: number;
  if (line[column] === '"') {
    DOUBLE_QUOTED.lastIndex = column;
    end = DOUBLE_QUOTED.test(line) ? DOUBLE_QUOTED.lastIndex : line.length;
  } else if (line[column] === "'") {
    end = line.indexOf("'", column + 1) + 1;
  } else {
    end = line.indexOf(': ', column);
    if (end === -1) end = line.length - 1;
  }
  return line[end] === ':' && (end + 1 === line.length || line[end + 1] === ' ') ? end : undefined;
}

function textOf(text: string): string {
  if (text.startsWith('"')) return JSON.parse(text);
  return text.startsWith("'") ? text.slice(1, -1) : text;
}

const nextBlocks: RegExp[] = [];

/** Matches the start of a line that is indented less than a column. */
function nextBlock(column: number): RegExp {
  nextBlocks[column] ??= new RegExp(`\\n {0,${column - 1}}[^ \\n]`, 'g');
  return nextBlocks[column];
}
