/**
 * Characters beyond ASCII that every YAML reader takes as they are: no control characters, no spaces, no line breaks of
 * YAML 1.1 (U+0085, U+2028, U+2029), no byte order mark, no private use, no half of a surrogate pair.
 */
const LETTERS =
  '\\u{a1}-\\u{ac}\\u{ae}-\\u{167f}\\u{1681}-\\u{1fff}\\u{2010}-\\u{2027}\\u{2030}-\\u{205e}\\u{2070}-\\u{2fff}' +
  '\\u{3001}-\\u{d7ff}\\u{10000}-\\u{10ffff}';

/** The start of text that needs no quotes: neither an indicator nor a document marker. */
const PLAIN_START = new RegExp(`^(?:[A-Za-z0-9_/+^$(~<=;\\\\${LETTERS}]|:|--?[A-Za-z0-9_./]|\\.(?!\\.\\.))`, 'u');

/** Characters that end or change text without quotes. */
const NOT_PLAIN = new RegExp(`: | #|[: ]$|[^ -~${LETTERS}]`, 'u');

/**
 * Text that some reader of YAML 1.1 or 1.2 takes for something else than a string: null, a boolean, the merge and the
 * default key, infinity, a number (decimal, binary, octal, hexadecimal, exponential, base 60), a date. To be asked
 * without underscores: go-yaml ignores them in numbers, wherever they stand.
 */
const AMBIGUOUS = new RegExp(
  [
    '~|null|true|false|yes|no|on|off|y|n|<<|=',
    '[-+]?\\.(?:inf|nan)',
    '(?=.*[.0-9])[-+]?[0-9]*\\.?[0-9]*(?:e[-+]?[0-9]*)?',
    '[-+]?0[box][-+0-9a-f]*',
    '[-+]?[0-9]+(?::[0-9]+)+(?:\\.[0-9]*)?',
    '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t ].*)?',
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
  'i',
);

/** Text that fits in single quotes, where a backslash is only a backslash. */
const SINGLE_QUOTABLE = new RegExp(`^[ -&(-~${LETTERS}]*$`, 'u');

const NOT_PRINTABLE = new RegExp(`[^ -~${LETTERS}]`, 'gu');
const NOT_IN_BLOCK = new RegExp(`[^\\t\\n -~${LETTERS}]`, 'u');

/** Manifests say the same words over and over: what was decided once is kept. */
const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

/** A string on one line, as a value or as a key. */
export function lineScalar(text: string): string {
  let written = known.get(text);
  if (written === undefined) {
    written = isPlain(text) ? text : quotedScalar(text);
    if (known.size < MAX_KNOWN) known.set(text, written);
  }
  return written;
}

/** A string as a value, over several lines if it has several; those after the first start with `pad`. */
export function textScalar(text: string, pad: string): string {
  if (!text.includes('\n') || NOT_IN_BLOCK.test(text)) return lineScalar(text);
  const lines = text.split('\n');
  // Readers disagree about blank lines at the end that are not empty.
  if ((lines.findLast((line) => line !== '') ?? '').trim() === '') return lineScalar(text);
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const chomping = isEnded ? (lines.at(-1) === '' ? '+' : '') : '-';
  // Readers find the indentation by themselves, unless the text itself starts with white space.
  const indentation = /^\n*[\t ]/.test(text) ? '2' : '';
  return `|${indentation}${chomping}\n${lines.map((line) => (line === '' ? '' : pad + line)).join('\n')}`;
}

/**
 * A number that every reader takes for the same number: YAML 1.1 wants a point before an exponent, and has no integer
 * with a negative zero.
 */
export function numberScalar(number: number): string {
  if (!Number.isFinite(number)) throw new TypeError(`it is ${number}`);
  return Object.is(number, -0) ? '-0.0' : String(number).replace(/^(-?\d+)e/, '$1.0e');
}

function isPlain(text: string): boolean {
  if (!PLAIN_START.test(text) || NOT_PLAIN.test(text)) return false;
  return !AMBIGUOUS.test(text.includes('_') ? text.replaceAll('_', '') : text);
}

/** A string on one line in quotes, which stands everywhere. */
export function quotedScalar(text: string): string {
  if (/["\\]/.test(text) && SINGLE_QUOTABLE.test(text)) return `'${text}'`;
  if (!text.isWellFormed()) throw new TypeError('it has half of a surrogate pair, which no file can hold');
  // JSON's escapes are YAML's, too; but some of what JSON leaves as it is, some reader of YAML does not.
  return JSON.stringify(text).replace(NOT_PRINTABLE, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
