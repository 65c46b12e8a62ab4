import { parseDigits, parseFloat64, parseInteger, parseUnsigned } from '../go/casts';

/** The type and value of a plain scalar in go-yaml. */
export type Resolved =
  | { readonly type: 'text' }
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'timestamp' };

/** The version of go-yaml: Helm reads and writes with v2, and `toYamlPretty` writes with v3. */
export type GoYaml = 'v2' | 'v3';

const TEXT: Resolved = { type: 'text' };
const BOOLEANS = /^(?:true|True|TRUE|(false|False|FALSE))$/;
const OLD_BOOLEANS = /^(?:y|Y|yes|Yes|YES|on|On|ON|(n|N|no|No|NO|off|Off|OFF))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** Returns the type and value of a plain scalar. */
export function resolveScalar(text: string, goYaml: GoYaml): Resolved {
  if (/^(~|null|Null|NULL|)$/.test(text)) return { type: 'null' };
  const boolean = BOOLEANS.exec(text) ?? (goYaml === 'v2' ? OLD_BOOLEANS.exec(text) : null);
  if (boolean !== null) return { type: 'bool', value: boolean[1] === undefined };
  if (/^[.+\-0-9]/.test(text)) return resolveNumber(text, goYaml);
  return TEXT;
}

function resolveNumber(text: string, goYaml: GoYaml): Resolved {
  if (/^\.(nan|NaN|NAN)$/.test(text)) return { type: 'float', value: Number.NaN };
  if (/^[+-]?\.(inf|Inf|INF)$/.test(text)) {
    return { type: 'float', value: text.startsWith('-') ? -Infinity : Infinity };
  }
  if (text.startsWith('.')) return floatOr(parseFloat64(text));
  if (isTimestamp(text)) return { type: 'timestamp' };
  const plain = text.replaceAll('_', '');
  const integer = parseInteger(plain) ?? parseUnsigned(plain);
  if (integer !== undefined) return { type: 'int', value: integer };
  if (FLOAT.test(plain)) {
    const value = parseFloat64(plain);
    if (value !== undefined) return { type: 'float', value };
  }
  return resolvePrefixed(plain, goYaml);
}

function floatOr(value: number | undefined): Resolved {
  return value === undefined ? TEXT : { type: 'float', value };
}

/** Reads numbers with a sign after the prefix, which Go's parser of digits accepts: `0b-1`. */
function resolvePrefixed(text: string, goYaml: GoYaml): Resolved {
  const match = /^(-?)0([bo])([+-]?)(\d+)$/.exec(text);
  if (match === null) return TEXT;
  const [, minus = '', letter, sign = '', digits = ''] = match;
  if ((letter === 'o' && goYaml === 'v2') || (minus !== '' && sign !== '')) return TEXT;
  const base = letter === 'b' ? 2 : 8;
  if (!(base === 2 ? /^[01]+$/ : /^[0-7]+$/).test(digits)) return TEXT;
  const value = parseDigits(digits, base, minus + sign === '-');
  return BigInt.asIntN(64, value) === value ? { type: 'int', value } : TEXT;
}

const DATE = '(\\d{4})-(\\d{1,2})-(\\d{1,2})';
const TIME = '(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:[.,]\\d+)?';
const TIMESTAMPS = [
  new RegExp(`^${DATE}[Tt]${TIME}(Z|[+-]\\d\\d:\\d\\d)$`),
  new RegExp(`^${DATE} ${TIME}$`),
  new RegExp(`^${DATE}$`),
];

function isTimestamp(text: string): boolean {
  for (const form of TIMESTAMPS) {
    const match = form.exec(text);
    if (match !== null) return isDateTime(match.slice(1));
  }
  return false;
}

function isDateTime([
  year,
  month,
  day,
  hour = '0',
  minute = '0',
  second = '0',
  zone = 'Z',
]: readonly string[]): boolean {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || m > 12 || d < 1 || d > daysIn(y, m)) return false;
  const [zoneHours = 0, zoneMinutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number);
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && zoneHours <= 24 && zoneMinutes < 60;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Whether a text is a sexagesimal number of YAML 1.1, which go-yaml does not read, but quotes for other parsers. */
function isBase60(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

/** Whether a string needs quotes, because some parser would read it as another type. */
export function needsQuotes(text: string, goYaml: GoYaml): boolean {
  return resolveScalar(text, goYaml).type !== 'text' || isBase60(text) || OLD_BOOLEANS.test(text);
}
