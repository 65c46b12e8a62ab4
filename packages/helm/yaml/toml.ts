import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { MAX_DEPTH } from '#base/max-depth';
import { Room, STEPS_PER_LISTED_BYTE, spendToWrite, stepsToMake } from '../go/budget';
import { formatFloat } from '../go/float-format';
import { compareStrings } from '../go/go-string';
import { elementsOf, entriesOf, isGoObject, isNil } from '../go/reflect';
import { DeclaredFields } from '../go/struct-object';
import { formatTime } from '../go/time-layouts';
import { timeFromText, timeObject, timeOf } from '../go/time-object';
import { type Budget, FunctionError, GoInt, type GoObject, type GoValue } from '../go/values';
import { DATE_MARK, markDates } from './toml-1-0';

/** Reads TOML, with integers as `int64` and dates as times. @throws FunctionError if it is not TOML */
export function readToml(text: string, budget: Budget): GoValue {
  spendToParse(text, budget);
  let table: TomlTable;
  try {
    const marked = markDates(text, (date) => isGoObject(dateFromToml(date)));
    table = parse(marked, { integersAsBigInt: true });
  } catch (error) {
    if (error instanceof TomlError)
      throw new FunctionError(`toml: line ${error.line}: ${error.message.split('\n')[0]}`);
    throw error;
  }
  return fromToml(table, budget, 0);
}

/** Spends steps by the number of keys times the length: for each key, the parser searches the rest for a point. */
function spendToParse(text: string, budget: Budget): void {
  let keys = 1;
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) keys += 1;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) keys += 1;
  budget.spend(text.length + keys * (text.length / 2000));
}

function fromToml(value: TomlValue, budget: Budget, depth: number): GoValue {
  if (depth > MAX_DEPTH) throw new FunctionError('toml: exceeded max depth');
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) !== value) throw new FunctionError(`toml: ${value} is out of range for int64`);
    return new GoInt(value, 'int64');
  }
  if (typeof value === 'string')
    return value.startsWith(DATE_MARK) ? dateFromToml(value.slice(DATE_MARK.length)) : value;
  if (typeof value !== 'object') return value;
  const made = Array.isArray(value)
    ? value.map((element) => fromToml(element, budget, depth + 1))
    : new Map(Object.entries(value as TomlTable).map(([key, element]) => [key, fromToml(element, budget, depth + 1)]));
  budget.spend(1 + stepsToMake(made));
  return made;
}

/** Returns the time of a date, a time of day or both. Missing parts come from the start of year 0, in UTC. */
function dateFromToml(text: string): GoValue {
  const date = text.toUpperCase().replace(' ', 'T');
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(date) && date.includes('T')) return timeFromText(date);
  const [zone, whole] = date.includes('T')
    ? ['datetime-local', `${date}Z`]
    : date.includes(':')
      ? ['time-local', `0000-01-01T${date}Z`]
      : ['date-local', `${date}T00:00:00Z`];
  const time = timeOf(timeFromText(whole));
  return time === undefined ? text : timeObject({ ...time, zone });
}

/** The layouts of dates without a zone, by the zone names that BurntSushi/toml gives them. */
const LOCAL_LAYOUTS: Readonly<Record<string, string>> = {
  'datetime-local': '2006-01-02T15:04:05.999999999',
  'date-local': '2006-01-02',
  'time-local': '15:04:05.999999999',
};

function writeDate(value: GoObject): string {
  const time = timeOf(value);
  const layout = LOCAL_LAYOUTS[time?.zone ?? ''];
  return time === undefined || layout === undefined ? String(value.data) : formatTime(time, layout);
}

/** Writes a dictionary as TOML: values before tables, each in the order of keys. @throws if TOML cannot represent it */
export function writeToml(value: GoValue, budget: Budget): string {
  spendToWrite(value, budget, STEPS_PER_LISTED_BYTE);
  const table = tableOf(value);
  if (table === undefined) {
    if (tablesOf(value) !== undefined) throw new FunctionError('toml: top-level values must be Go maps or structs');
    return writeElement(value);
  }
  const writer = new TomlWriter();
  writer.writeTable(table, []);
  return writer.text();
}

function tableOf(value: GoValue): ReadonlyMap<string, GoValue> | undefined {
  return isGoObject(value) && value.fields.size > 0 ? new DeclaredFields(fieldsIn(value)) : entriesOf(value);
}

/** Returns the fields of a struct, including those of its embedded struct. */
function fieldsIn({ fields, embedded }: GoObject): readonly Entry[] {
  return [...fields].flatMap(([name, field]): readonly Entry[] =>
    name === embedded && isGoObject(field) ? fieldsIn(field) : [[name, field]],
  );
}

/** Returns the fields of a struct in their order, or the sorted entries of a map, without nil values. */
function entriesToWrite(table: ReadonlyMap<string, GoValue>): readonly Entry[] {
  const entries = [...table].filter(([, value]) => !isNil(value));
  return table instanceof DeclaredFields ? entries : entries.sort(([a], [b]) => compareStrings(a, b));
}

/** Returns the elements of a list of only tables, each of which TOML writes as `[[name]]`. */
function tablesOf(value: GoValue): readonly ReadonlyMap<string, GoValue>[] | undefined {
  const elements = elementsOf(value);
  if (elements === undefined || elements.length === 0) return undefined;
  const tables = elements.map(tableOf);
  return tables.every((table) => table !== undefined) ? tables : undefined;
}

type Path = readonly string[];
type Entry = readonly [key: string, value: GoValue];

/** Whether a value is written as tables, which come after all other values. */
function isNested([, value]: Entry): boolean {
  return tableOf(value) !== undefined || tablesOf(value) !== undefined;
}

class TomlWriter {
  private readonly chunks: string[] = [];
  private readonly room = new Room();

  text(): string {
    return this.chunks.join('');
  }

  private push(chunk: string): void {
    this.room.take(chunk.length);
    this.chunks.push(chunk);
  }

  writeTable(table: ReadonlyMap<string, GoValue>, path: Path): void {
    const entries = entriesToWrite(table);
    for (const [key, value] of entries.filter((entry) => !isNested(entry))) {
      this.push(`${indent(path)}${writeKey(key)} = ${writeInline(value)}\n`);
    }
    for (const [key, value] of entries.filter(isNested)) this.writeNested(value, [...path, key]);
  }

  private writeNested(value: GoValue, path: Path): void {
    const table = tableOf(value);
    if (table !== undefined) {
      this.writeHeader(path, '[', ']');
      this.writeTable(table, path);
      return;
    }
    for (const element of tablesOf(value) ?? []) {
      this.writeHeader(path, '[[', ']]');
      this.writeTable(element, path);
    }
  }

  private writeHeader(path: Path, open: string, close: string): void {
    const isApart = path.length === 1 || open === '[[';
    if (isApart && this.chunks.length > 0) this.chunks.push('\n');
    this.push(`${indent(path.slice(1))}${open}${path.map(writeKey).join('.')}${close}\n`);
  }
}

function indent(path: Path): string {
  return '  '.repeat(path.length);
}

function writeKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : writeText(key);
}

function writeInline(value: GoValue): string {
  if (isGoObject(value) && value.goType === 'time.Time') return writeDate(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof GoInt) return value.value.toString();
  if (typeof value === 'number') return writeFloat(value);
  const elements = elementsOf(value);
  if (elements !== undefined) return `[${elements.map((element) => writeElement(element)).join(', ')}]`;
  const table = tableOf(value);
  if (table !== undefined) return writeInlineTable(table);
  return isGoObject(value) ? writeInline(value.data) : writeElement(value);
}

function writeElement(value: GoValue): string {
  if (value === null || value === undefined) throw new FunctionError('toml: cannot encode array with nil element');
  return writeInline(value);
}

/** Writes an inline table. As BurntSushi/toml does, writes a comma even if all following values are nil. */
function writeInlineTable(table: ReadonlyMap<string, GoValue>): string {
  if (table instanceof DeclaredFields) return writeInlineStruct([...table]);
  const entries = [...table].sort(([a], [b]) => compareStrings(a, b));
  const nested = entries.filter(isNested);
  const direct = entries.filter((entry) => !isNested(entry));
  const write = (group: readonly Entry[], isFollowed: boolean): string =>
    group
      .map(([key, value], i) => {
        if (value === null || value === undefined) return '';
        const comma = isFollowed || i < group.length - 1 ? ', ' : '';
        return `${writeKey(key)} = ${writeInline(value)}${comma}`;
      })
      .join('');
  return `{${write(direct, nested.length > 0)}${write(nested, false)}}`;
}

/** Writes an inline struct. A comma follows every field except the last declared one, which may come earlier. */
function writeInlineStruct(fields: readonly Entry[]): string {
  const last = fields.at(-1);
  const written = [...fields.filter((field) => !isNested(field)), ...fields.filter(isNested)].filter(
    ([, value]) => !isNil(value),
  );
  const parts = written.map((field) => `${writeKey(field[0])} = ${writeInline(field[1])}${field === last ? '' : ', '}`);
  return `{${parts.join('')}}`;
}

function writeFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = formatFloat(value, 'f', -1);
  return text.includes('.') ? text : `${text}.0`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

function writeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TOML escapes these characters.
  const escaped = text.replace(/["\\\0-\x1f\x7f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return ESCAPES.get(character) ?? `\\u${code}`;
  });
  return `"${escaped}"`;
}
