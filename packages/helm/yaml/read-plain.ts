import { stepsToMake, UNLIMITED } from '../go/budget';
import type { Budget, GoValue } from '../go/values';
import { keyOf, NotPlainError, notPlain, plainValue } from './plain-scalar';
import { readFlow } from './read-flow';

/** Maximum nesting. The complete reader reads deeper documents, and reports its limit. */
const DEEPEST = 100;

/** Line breaks other than `\n`, tabs, and marks of documents. */
const UNUSUAL = /[\t\r\u0085\u00a0\u2028\u2029\ufeff]|^(?:---|\.\.\.)/m;

/** A key on one line. libyaml accepts at most 1,024 characters of a key; this pattern at most 200. */
const ENTRY = /^([A-Za-z0-9_./$][^\s:#"'{}[\],&*!|>%@`]{0,200}|"[^"\\]{0,200}"|'[^']{0,200}'):(?: +(.*))?$/;

const DOUBLE_QUOTED = /^"[^"\\]*(?:\\["\\nt][^"\\]*)*"$/;
const SINGLE_QUOTED = /^'([^']*(?:''[^']*)*)'$/;
/** A line without the quote that ends a scalar, and without a backslash at its end, which would change the folding. */
const UNCLOSED = /^[^"\\]*(?:\\.[^"\\]*)*$/;
const BLOCK = /^\|([-+]?)$/;
/** The start of a scalar without quotes that has no other meaning in YAML. */
const PLAIN = /^(?:[A-Za-z0-9_./\\$(+^~;<=]|-[^\s-]|--+[^\s-]|:[^\s:])/;

/**
 * Reads a document in the forms that charts print: maps and lists in blocks, scalars, and literal block scalars.
 * Returns undefined for every other document, including invalid ones. The result is that of the complete reader, in a
 * tenth of its time.
 */
export function readPlainYaml(text: string, budget: Budget = UNLIMITED): GoValue | undefined {
  if (UNUSUAL.test(text) || text.endsWith(' ')) return undefined;
  try {
    return new PlainReader(text, budget).read();
  } catch (error) {
    if (error instanceof NotPlainError) return undefined;
    throw error;
  }
}

interface Line {
  readonly indent: number;
  readonly content: string;
}

/** Each block reads the lines with its indentation. A line whose indentation matches no block remains at the end. */
class PlainReader {
  private readonly lines: readonly string[];
  private next = 0;
  private current: Line | undefined;

  constructor(
    text: string,
    private readonly budget: Budget,
  ) {
    this.lines = text.split('\n');
    this.advance();
  }

  read(): GoValue {
    if (this.current === undefined) return null;
    const value = this.readBlock(this.current, 0);
    if (this.current !== undefined) throw new NotPlainError();
    return value;
  }

  private advance(): void {
    this.current = undefined;
    while (this.current === undefined && this.next < this.lines.length) {
      const line = this.lines[this.next++] ?? '';
      const indent = indentOf(line);
      if (indent < line.length && line[indent] !== '#') {
        this.current = { indent, content: withoutSpacesAtEnd(line.slice(indent)) };
      }
    }
  }

  private readBlock({ indent, content }: Line, depth: number): GoValue {
    if (depth > DEEPEST) throw new NotPlainError();
    if (isItem(content)) return this.readList(indent, depth);
    // Some templates print an empty value on a separate line.
    if (content !== '{}' && content !== '[]') return this.readMap(indent, depth);
    this.advance();
    return this.readScalar(content);
  }

  private readMap(indent: number, depth: number): GoValue {
    const entries = new Map<string, GoValue>();
    for (let line = this.current; line?.indent === indent && !isItem(line.content); line = this.current) {
      const [, key = '', rest = ''] = ENTRY.exec(line.content) ?? [];
      const value = this.readValue(rest, indent, depth, true);
      entries.set(keyOf(key), value);
    }
    if (entries.size === 0) throw new NotPlainError();
    this.budget.spend(stepsToMake(entries));
    return entries;
  }

  private readList(indent: number, depth: number): GoValue {
    const items: GoValue[] = [];
    for (let line = this.current; line?.indent === indent && isItem(line.content); line = this.current) {
      items.push(this.readItem(line, depth));
    }
    this.budget.spend(1 + stepsToMake(items));
    return items;
  }

  private readItem({ indent, content }: Line, depth: number): GoValue {
    const rest = content.slice(1 + indentOf(content.slice(1)));
    if (!isItem(rest) && !ENTRY.test(rest)) return this.readValue(rest, indent, depth, false);
    // The first entry after a dash is read as if it were on a separate line.
    const inner = { indent: indent + content.length - rest.length, content: rest };
    this.current = inner;
    return this.readBlock(inner, depth + 1);
  }

  private readValue(rest: string, indent: number, depth: number, isEntry: boolean): GoValue {
    const value = withoutComment(rest);
    const [block, chomping = ''] = BLOCK.exec(value) ?? [];
    if (block !== undefined) return this.readLiteral(indent, chomping);
    if (PLAIN.test(value)) return plainValue(this.readPlain(value, value === rest, indent));
    if (value.startsWith("'")) return this.readSingleQuoted(value, value === rest, indent);
    if (value.startsWith('"')) return this.readDoubleQuoted(value, value === rest, indent);
    this.advance();
    return value === '' ? this.readBelow(indent, depth, isEntry) : this.readScalar(value);
  }

  /** Reads a scalar without quotes. It continues in indented lines, until a comment. */
  private readPlain(first: string, goesOn: boolean, indent: number): string {
    const parts = [first];
    for (let part = this.continuation(indent); goesOn && part !== '' && !part.startsWith('#'); ) {
      parts.push(part);
      this.next++;
      part = this.continuation(indent);
    }
    this.advance();
    if (parts.some((part) => part.includes(': ') || part.endsWith(':') || part.includes(' #')))
      throw new NotPlainError();
    return parts.join(' ');
  }

  /** Reads a scalar in single quotes. Two quotes stand for one, so the scalar ends when their number is even. */
  private readSingleQuoted(first: string, goesOn: boolean, indent: number): string {
    const parts = [first];
    let quotes = countQuotes(first);
    while (goesOn && quotes % 2 === 1) {
      const part = this.quotedLine(indent);
      quotes += countQuotes(part);
      parts.push(part);
    }
    this.advance();
    const [, content] = SINGLE_QUOTED.exec(folded(parts, '\n')) ?? notPlain();
    return (content ?? '').replaceAll("''", "'");
  }

  private readDoubleQuoted(first: string, goesOn: boolean, indent: number): string {
    const parts = [first];
    for (let part = first.slice(1); goesOn && UNCLOSED.test(part); ) {
      part = this.quotedLine(indent);
      parts.push(part);
    }
    this.advance();
    const [quoted] = DOUBLE_QUOTED.exec(folded(parts, '\\n')) ?? notPlain();
    return JSON.parse(quoted);
  }

  private quotedLine(indent: number): string {
    const part = this.continuation(indent);
    const line = this.lines[this.next++] ?? notPlain();
    return part === '' && line.trim() !== '' ? notPlain() : part;
  }

  private continuation(indent: number): string {
    const line = this.lines[this.next] ?? '';
    const own = indentOf(line);
    return own > indent ? withoutSpacesAtEnd(line.slice(own)) : '';
  }

  private readBelow(indent: number, depth: number, isEntry: boolean): GoValue {
    const line = this.current;
    if (line === undefined || line.indent < indent) return null;
    if (line.indent > indent) return this.readBlock(line, depth + 1);
    return isEntry && isItem(line.content) ? this.readList(indent, depth + 1) : null;
  }

  private readScalar(value: string): GoValue {
    return value.startsWith('[') || value.startsWith('{') ? readFlow(value, this.budget) : notPlain();
  }

  private readLiteral(indent: number, chomping: string): GoValue {
    const content: string[] = [];
    const inner = this.indentOfLiteral();
    if (inner <= indent) throw new NotPlainError();
    for (; this.next < this.lines.length; this.next++) {
      const line = this.lines[this.next] ?? '';
      const own = indentOf(line);
      if (own < inner && own < line.length) break;
      content.push(line.slice(inner));
    }
    const isLast = this.next === this.lines.length;
    this.advance();
    return chomped(content, chomping, isLast);
  }

  /** Returns the indentation of the next literal block; 0 if all its lines are empty. */
  private indentOfLiteral(): number {
    let at = this.next;
    while (this.lines[at] === '') at++;
    const line = this.lines[at] ?? '';
    const indent = indentOf(line);
    return indent === line.length ? 0 : indent;
  }
}

/** Joins the lines of a quoted scalar: with a space, or with a line break for each empty line. */
function folded(parts: readonly string[], lineBreak: string): string {
  return parts
    .map((part, index) => (part === '' ? lineBreak : index === 0 || parts[index - 1] === '' ? part : ` ${part}`))
    .join('');
}

/** Joins the lines of a literal block. It ends with a line break, except at the end of a text without one. */
function chomped(content: readonly string[], chomping: string, isLast: boolean): string {
  if (chomping === '+' && isLast) throw new NotPlainError();
  if (chomping === '+') return `${content.join('\n')}\n`;
  const end = content.findLastIndex((line) => line !== '') + 1;
  const text = content.slice(0, end).join('\n');
  return chomping === '-' || (isLast && end === content.length) ? text : `${text}\n`;
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 0x20) indent++;
  return indent;
}

function withoutComment(text: string): string {
  if (text.startsWith('#')) return '';
  const start = text.indexOf(' #');
  return start === -1 ? text : withoutSpacesAtEnd(text.slice(0, start));
}

/** A regular expression would take quadratic time for many spaces, and `trimEnd` removes other white space, too. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}

function countQuotes(text: string): number {
  return text.split("'").length - 1;
}

function isItem(content: string): boolean {
  return content.charCodeAt(0) === 0x2d && (content.length === 1 || content.charCodeAt(1) === 0x20);
}
