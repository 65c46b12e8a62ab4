import type { Value } from '../../kubernetes/values';
import type { Assignment, ValuePath } from './assignment';
import { FlagReader } from './flag-reader';
import { showStart } from './show-part';

/** Helm's bounds: strvals.MaxIndex and strvals.MaxNestedNameLevel (helm.sh/helm/v3/pkg/strvals/parser.go). */
const MAX_INDEX = 65_536;
const MAX_NESTING = 30;

/** Turns the text after a key of a flag into a value. */
export type ReadText = (text: string) => Value;

/**
 * Reads a flag in Helm's syntax: `a.b=1,c[0].d=x,e={1,2},f\.g=y`. Helm passes over empty keys and unfinished indexes
 * here and there; they are refused.
 *
 * @throws SyntaxError where the text is no list of keys and values
 */
export function parseSetFlag(text: string, read: ReadText): readonly Assignment[] {
  return parseFlag(text, (reader) => readValue(reader, read));
}

/**
 * Reads a flag whose values are JSON: `a.b={"c":1},d[0]=null`. No value is null.
 *
 * @throws SyntaxError where the text is no list of keys and JSON
 */
export function parseJsonFlag(text: string): readonly Assignment[] {
  return parseFlag(text, readJson);
}

function parseFlag(text: string, read: (reader: FlagReader) => Value): readonly Assignment[] {
  const reader = new FlagReader(text);
  const assignments: Assignment[] = [];
  while (!reader.isAtEnd) assignments.push({ path: readPath(reader, assignments.length > 0), value: read(reader) });
  return assignments;
}

function readPath(reader: FlagReader, afterComma: boolean): ValuePath {
  const first = readKey(reader, afterComma);
  const path: [string, ...(string | number)[]] = [first.key];
  let { stop } = first;
  while (stop !== '=') {
    if (stop === '.') {
      const next = readKey(reader);
      path.push(next.key);
      stop = next.stop;
    } else {
      path.push(readIndex(reader));
      stop = readAfterIndex(reader);
    }
  }
  if (path.filter((step) => typeof step === 'string').length > MAX_NESTING + 1) {
    throw new SyntaxError(`${showStart(path[0])} is nested more than ${MAX_NESTING} levels deep`);
  }
  return path;
}

/** A text after a comma that is perhaps no key, but the rest of a value that has a comma. */
function readKey(reader: FlagReader, afterComma = false): { readonly key: string; readonly stop: string } {
  const { text: key, stop } = reader.readUntil('=[,.');
  if (stop === undefined || stop === ',')
    throw new SyntaxError(`key ${afterComma ? showStart(key) : `"${key}"`} has no value`);
  if (key === '') throw new SyntaxError(`a key is empty before "${stop}"`);
  return { key, stop };
}

function readIndex(reader: FlagReader): number {
  const { text, stop } = reader.readUntil(']');
  const index = /^\+?\d+$/.test(text) && stop !== undefined ? Number(text) : Number.NaN;
  if (!(index <= MAX_INDEX))
    throw new SyntaxError(`"[" comes before ${showStart(text)}, not an index of a list: 0 to ${MAX_INDEX} and a "]"`);
  return index;
}

function readAfterIndex(reader: FlagReader): string {
  const { text, stop } = reader.readUntil('[.=');
  if (text !== '' || stop === undefined)
    throw new SyntaxError(`after an index comes ${showStart(text)}, not "=", "." or "["`);
  return stop;
}

function readValue(reader: FlagReader, read: ReadText): Value {
  if (!reader.skip('{')) return read(reader.readUntil(',').text);
  const items: Value[] = [];
  for (;;) {
    const { text, stop } = reader.readUntil(',}');
    if (stop === undefined) throw new SyntaxError('a list must end with "}"');
    items.push(read(text));
    if (stop === '}') break;
  }
  if (!reader.skip(',') && !reader.isAtEnd)
    throw new SyntaxError(`after a list comes ${showStart(reader.rest)}, not ","`);
  return items;
}

/** JSON ends at the first comma or end where what was read is whole. */
function readJson(reader: FlagReader): Value {
  const { rest } = reader;
  let end = -1;
  do {
    const comma = rest.indexOf(',', end + 1);
    end = comma === -1 ? rest.length : comma;
    const value = jsonOf(rest.slice(0, end));
    if (value !== undefined) {
      reader.advance(end + 1);
      return value;
    }
  } while (end < rest.length);
  throw new SyntaxError(`${showStart(rest)} does not begin with JSON`);
}

function jsonOf(text: string): Value | undefined {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
