import type { Value } from './values';
import { stringifyYaml } from './yaml-writer';

/** Below the limits of depth and of values that other readers have, so that they would not refuse the text. */
const MAX_DEPTH = 100;
const MAX_CHARACTERS = 1_000_000;

/**
 * Reads a text that `stringifyYaml` wrote, in a tenth of the time of a parser of YAML. Returns undefined for any other
 * text.
 *
 * The lines are read as if they were written so; then what was read is written again. Only if that gives the same text,
 * it is returned: all parsers read what `stringifyYaml` writes as the data that it was given.
 */
export function readWrittenYaml(text: string): { readonly content: Value } | undefined {
  if (text.length > MAX_CHARACTERS || !text.endsWith('\n')) return undefined;
  try {
    const content = new Guess(text.slice(0, -1).split('\n')).node(0);
    return stringifyYaml(content) === text ? { content } : undefined;
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

/** Takes every line for what it would be in a text of `stringifyYaml`. */
class Guess {
  private line = 0;

  constructor(private readonly lines: readonly string[]) {}

  /** The node that starts in a column of the current line, to which its other lines are indented. */
  node(column: number): Value {
    if (column > 2 * MAX_DEPTH) throw new RangeError('too deep');
    const line = this.lines[this.line] ?? '';
    if (line.startsWith('- ', column)) return this.list(column);
    const colon = colonIn(line, column);
    return colon === undefined ? this.scalar(column, column) : this.map(column, colon);
  }

  private list(column: number): readonly Value[] {
    const items: Value[] = [];
    const start = `${' '.repeat(column)}- `;
    do items.push(this.node(column + 2));
    while (this.lines[this.line]?.startsWith(start));
    return items;
  }

  private map(column: number, first: number): Value {
    const members: Record<string, Value> = {};
    const indentation = ' '.repeat(column);
    for (let colon: number | undefined = first; colon !== undefined; ) {
      const line = this.lines[this.line] ?? '';
      const key = textOf(line.slice(column, colon));
      if (colon + 1 === line.length) {
        this.line += 1;
        members[key] = this.node(column + 2);
      } else {
        members[key] = this.scalar(colon + 2, column + 2);
      }
      const following = this.lines[this.line];
      colon = following?.startsWith(indentation) ? colonIn(following, column) : undefined;
    }
    return members;
  }

  private scalar(column: number, pad: number): Value {
    const text = this.lines[this.line]?.slice(column) ?? '';
    this.line += 1;
    if (text.startsWith('|')) return this.block(text, ' '.repeat(pad));
    if (NUMBER.test(text)) return Number(text);
    const word = WORDS.get(text);
    return word === undefined ? textOf(text) : word();
  }

  private block(header: string, pad: string): string {
    const start = this.line;
    while (this.lines[this.line] === '' || this.lines[this.line]?.startsWith(pad)) this.line += 1;
    const lines = this.lines.slice(start, this.line).map((line) => line.slice(pad.length));
    return lines.join('\n') + (header.endsWith('-') ? '' : '\n');
  }
}

/** The place of the colon after a key that starts in a column; undefined if there is no key. */
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
