/**
 * Characters beyond ASCII that every YAML parser accepts: no control characters, no spaces, no line breaks of YAML 1.1
 * (U+0085, U+2028, U+2029), no byte order mark, no private use, no half of a surrogate pair.
 */
const LETTERS =
  '\\u{a1}-\\u{ac}\\u{ae}-\\u{167f}\\u{1681}-\\u{1fff}\\u{2010}-\\u{2027}\\u{2030}-\\u{205e}\\u{2070}-\\u{2fff}' +
  '\\u{3001}-\\u{d7ff}\\u{10000}-\\u{10ffff}';

/** The start of a text that needs no quotes: no indicator and no document marker. */
const PLAIN_START = new RegExp(`^(?:[A-Za-z0-9_/+^$(~<=;\\\\${LETTERS}]|:|--?[A-Za-z0-9_./]|\\.(?!\\.\\.))`, 'u');

const NOT_PLAIN = new RegExp(`: | #|[: ]$|[^ -~${LETTERS}]`, 'u');

/**
 * Text that some parser of YAML 1.1 or 1.2 reads as something other than a string: null, a boolean, the merge and the
 * default key, infinity, a number (decimal, binary, octal, hexadecimal, exponential, base 60), a date. Test it without
 * underscores: go-yaml ignores them in numbers, in any position.
 */
const AMBIGUOUS = new RegExp(
  [
    '~|null|true|false|yes|no|on|off|y|n|<<|=',
    '[-+]?\\.(?:inf|nan)',
    '(?=.*[.0-9])[-+]?[0-9]*(?:\\.[0-9]*)?(?:e[-+]?[0-9]*)?',
    '[-+]?0[box][-+0-9a-f]*',
    '[-+]?[0-9]+(?::[0-9]+)+(?:\\.[0-9]*)?',
    '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t ].*)?',
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
  'i',
);

/** Text that is valid in single quotes, where a backslash is only a backslash. */
const SINGLE_QUOTABLE = new RegExp(`^[ -&(-~${LETTERS}]*$`, 'u');

const NOT_PRINTABLE = new RegExp(`[^ -~${LETTERS}]`, 'gu');
const NOT_IN_BLOCK = new RegExp(`[^\\t\\n -~${LETTERS}]`, 'u');

/** A cache: manifests repeat the same words. */
const known = new Map<string, string>();
const MAX_KNOWN = 10_000;

/** Formats a string on one line, as a value or as a key. */
export function lineScalar(text: string): string {
  let written = known.get(text);
  if (written === undefined) {
    written = isPlain(text) ? text : quotedScalar(text);
    if (known.size < MAX_KNOWN) known.set(text, written);
  }
  return written;
}

/** Formats a string as a value, over several lines if it has several; continuation lines start with `pad`. */
export function textScalar(text: string, pad: string): string {
  if (!text.includes('\n') || NOT_IN_BLOCK.test(text)) return lineScalar(text);
  const lines = text.split('\n');
  // Parsers disagree about lines of white space at the end.
  if ((lines.findLast((line) => line !== '') ?? '').trim() === '') return lineScalar(text);
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const chomping = isEnded ? (lines.at(-1) === '' ? '+' : '') : '-';
  // Parsers detect the indentation, unless the text itself starts with white space.
  const indentation = /^\n*[\t ]/.test(text) ? '2' : '';
  return `|${indentation}${chomping}\n${lines.map((line) => (line === '' ? '' : pad + line)).join('\n')}`;
}

/**
 * Formats a number that every parser reads as the same number: YAML 1.1 requires a point before an exponent, and has no
 * integer with a negative zero.
 */
export function numberScalar(number: number): string {
  if (!Number.isFinite(number)) throw new TypeError(`it is ${number}`);
  return Object.is(number, -0) ? '-0.0' : String(number).replace(/^(-?\d+)e/, '$1.0e');
}

function isPlain(text: string): boolean {
  if (!PLAIN_START.test(text) || NOT_PLAIN.test(text)) return false;
  return !AMBIGUOUS.test(text.includes('_') ? text.replaceAll('_', '') : text);
}

/** Formats a string on one line in quotes, which is valid everywhere. */
export function quotedScalar(text: string): string {
  if (/["\\]/.test(text) && SINGLE_QUOTABLE.test(text)) return `'${text}'`;
  if (!text.isWellFormed()) throw new TypeError('it has half of a surrogate pair, which no file can hold');
  // JSON's escapes are also YAML's, but some characters that JSON leaves unescaped are invalid for some YAML parsers.
  return JSON.stringify(text).replace(NOT_PRINTABLE, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
