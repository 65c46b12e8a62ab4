import { isMap, type Value, type Values } from '#base/values';

/** Helm's bounds: strvals.MaxIndex and strvals.MaxNestedNameLevel (helm.sh/helm/v3/pkg/strvals/parser.go). */
const MAX_INDEX = 65_536;
const MAX_NESTING = 30;

type ReadText<V> = (text: string) => V;

/**
 * Parses a flag in Helm's syntax: `a.b=1,c[0].d=x,e={1,2},f\.g=y`. Helm ignores some empty keys and unfinished indexes,
 * which are refused here.
 *
 * @throws SyntaxError if the text is not a list of keys and values
 */
export function parseSetFlag<V>(text: string, read: ReadText<V>): readonly Assignment<V | readonly V[]>[] {
  return parseFlag(text, (reader) => readValue(reader, read));
}

/**
 * Parses a flag whose values are JSON: `a.b={"c":1},d[0]=null`. A missing value is null.
 *
 * @throws SyntaxError if the text is not a list of keys and JSON
 */
export function parseJsonFlag(text: string): readonly Assignment<Value>[] {
  return parseFlag(text, readJson);
}

function parseFlag<V>(text: string, read: (reader: FlagReader) => V): readonly Assignment<V>[] {
  const reader = new FlagReader(text);
  const assignments: Assignment<V>[] = [];
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

/** After a comma, the text may be the rest of a value, which is not shown in full. */
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
    throw new SyntaxError(`"[" is followed by ${showStart(text)} instead of an index from 0 to ${MAX_INDEX} and a "]"`);
  return index;
}

function readAfterIndex(reader: FlagReader): string {
  const { text, stop } = reader.readUntil('[.=');
  if (text !== '' || stop === undefined)
    throw new SyntaxError(`an index is followed by ${showStart(text)} instead of "=", "." or "["`);
  return stop;
}

function readValue<V>(reader: FlagReader, read: ReadText<V>): V | readonly V[] {
  if (!reader.skip('{')) return read(reader.readUntil(',').text);
  const items: V[] = [];
  for (;;) {
    const { text, stop } = reader.readUntil(',}');
    if (stop === undefined) throw new SyntaxError('a list must end with "}"');
    items.push(read(text));
    if (stop === '}') break;
  }
  if (!reader.skip(',') && !reader.isAtEnd)
    throw new SyntaxError(`a list is followed by ${showStart(reader.rest)} instead of ","`);
  return items;
}

/** Reads up to the first comma, or the end of the text, at which the JSON is complete. */
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

/** A backslash escapes the next character. */
class FlagReader {
  private position = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  get rest(): string {
    return this.text.slice(this.position);
  }

  skip(expected: string): boolean {
    const isNext = this.text.startsWith(expected, this.position);
    if (isNext) this.position += expected.length;
    return isNext;
  }

  /** Skips a number of UTF-16 code units. */
  advance(length: number): void {
    this.position += length;
  }

  /** Reads to one of the characters in `stops`, and skips it; `stop` is undefined at the end of the text. */
  readUntil(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let text = '';
    while (!this.isAtEnd) {
      const character = this.next();
      if (stops.includes(character)) return { text, stop: character };
      text += character === '\\' ? this.next() : character;
    }
    return { text, stop: undefined };
  }

  private next(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.position) ?? 0);
    if (this.isAtEnd) return '';
    this.position += character.length;
    return character;
  }
}

type ValuePath = readonly [string, ...(string | number)[]];

/** One `key=value` of a `--set` flag. */
export interface Assignment<V> {
  readonly path: ValuePath;
  readonly value: V;
}

/** How a kind of values stores its maps. */
export interface MapsOf<V, M extends V> {
  isMap(value: V | undefined): value is M;
  get(map: M, key: string): V | undefined;
  /** Returns the map, or a copy of it, with a value set. */
  set(map: M, key: string, value: V): M;
  create(): M;
}

const PLAIN_MAPS: MapsOf<Value, Values> = {
  isMap: (value): value is Values => value !== undefined && isMap(value),
  get: (map, key) => (Object.hasOwn(map, key) ? map[key] : undefined),
  set: (map, key, value) => ({ ...map, [key]: value }),
  create: () => ({}),
};

/**
 * Returns values with one value set. Creates missing maps and lists on the path, and fills gaps in lists with null.
 *
 * @throws SyntaxError if the path leads through another type
 */
export function assign(values: Values, assignment: Assignment<Value>): Values {
  return assignIn(PLAIN_MAPS, values, assignment);
}

/** Does the same as {@link assign} for values of another kind. */
export function assignIn<V, M extends V>(
  maps: MapsOf<V, M>,
  values: M,
  { path: [key, ...rest], value }: Assignment<V>,
): M {
  return maps.set(values, key, replaced(maps, { before: maps.get(values, key), path: rest, value, at: key }));
}

interface AssignedPlace<V> {
  readonly before: V | undefined;
  readonly path: readonly (string | number)[];
  readonly value: V;
  readonly at: string;
}

function replaced<V, M extends V>(maps: MapsOf<V, M>, { before, path, value, at }: AssignedPlace<V>): V {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'string') {
    if (before !== undefined && !maps.isMap(before)) throw misplaced(at, 'a map', before);
    return assignIn(maps, before ?? maps.create(), { path: [step, ...rest], value });
  }
  if (before !== undefined && !Array.isArray(before)) throw misplaced(at, 'a list', before);
  const list: (V | null)[] = [...((before ?? []) as readonly V[])];
  while (list.length <= step) list.push(null);
  // Helm replaces any other item of a list with a map.
  const inside = list[step] ?? undefined;
  const kept = typeof rest[0] === 'string' && !maps.isMap(inside) ? undefined : inside;
  list[step] = replaced(maps, { before: kept, path: rest, value, at: `${at}[${step}]` });
  return list as V;
}

function misplaced(at: string, what: string, value: unknown): SyntaxError {
  return new SyntaxError(`"${at}" is ${showPart(value)}, not ${what}`);
}

const MAX_SHOWN = 8;

/** Shows only the type of long values, because they may be secret. */
function showPart(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'a map, or an integer of a flag';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (text.length <= MAX_SHOWN + 2) return text;
  return typeof value === 'string' ? `a text of ${value.length} characters` : `a ${typeof value}`;
}

function showStart(text: string): string {
  return text.length <= MAX_SHOWN ? `"${text}"` : `a text of ${text.length} characters`;
}
