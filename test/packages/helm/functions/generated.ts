import * as fc from 'fast-check';

/** A text as a constant of a template. */
function constant(text: string): string {
  return JSON.stringify(text);
}

function textOf(pieces: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((parts) => parts.join(''));
}

const EXPRESSION = textOf(
  [
    'a',
    'b',
    '.',
    '*',
    '+',
    '?',
    '|',
    '(',
    ')',
    '[',
    '[^',
    ']',
    'a-c',
    '\\d',
    '\\w',
    '\\b',
    '^',
    '$',
    '{2}',
    '{1,3}',
    '(?i)',
    '(?:',
    '(?P<n>',
    '\\s',
    '\\pL',
    '[[:alpha:]]',
    'ä',
    '\\.',
    '(?s)',
    '(?m)',
    '\\Q',
    '\\E',
    '*?',
    '\\x41',
  ],
  6,
);
const SUBJECT = textOf(['a', 'b', 'c', 'ab', '1', '2', ' ', '\n', 'ä', '.', '-', 'A', 'B', 'aa', 'n', '_'], 8);
const REPLACEMENT = textOf(['$1', '${1}', '$n', '${n}', '$$', '$', 'x', '$0', '${', '}', '$2a', '\\1'], 3);
const COUNT = fc.integer({ min: -2, max: 3 });

const regexes = fc.oneof(
  fc.tuple(EXPRESSION, SUBJECT, COUNT).map(([r, t, n]) => `regexFindAll ${constant(r)} ${constant(t)} ${n} | toJson`),
  fc.tuple(EXPRESSION, SUBJECT, COUNT).map(([r, t, n]) => `regexSplit ${constant(r)} ${constant(t)} ${n} | toJson`),
  fc
    .tuple(EXPRESSION, SUBJECT, REPLACEMENT)
    .map(([r, t, p]) => `regexReplaceAll ${constant(r)} ${constant(t)} ${constant(p)}`),
);

const LOOSE_VERSION = textOf(['1', '2', '0', '.', '-', '+', 'v', 'x', '*', 'alpha', 'beta.1', '00', ' ', '.1'], 6);
const VERSION = fc
  .tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.constantFrom('', '-alpha', '-alpha.1', '-beta.2', '-0', '+b', '-rc.1+x'))
  .map(([major, minor, patch, tail]) => `${major}.${minor}.${patch}${tail}`);
const COMPARISON = fc
  .tuple(
    fc.constantFrom('', '=', '!=', '>', '<', '>=', '=>', '<=', '=<', '~', '~>', '^', '> '),
    fc.constantFrom('0', '1', 'v1', '2', 'x', '*'),
    fc.constantFrom('', '.0', '.1', '.2', '.x'),
    fc.constantFrom('', '.0', '.1', '.x'),
    fc.constantFrom('', '-0', '-alpha', '-beta'),
  )
  .map((parts) => parts.join(''));
const CONSTRAINT = fc.oneof(
  fc.tuple(COMPARISON, fc.constantFrom(' ', ', ', ',', ' || ', '||', ' - '), COMPARISON).map((parts) => parts.join('')),
  COMPARISON,
  LOOSE_VERSION,
);

const versions = fc.oneof(
  fc.tuple(CONSTRAINT, VERSION).map(([c, v]) => `semverCompare ${constant(c)} ${constant(v)}`),
  LOOSE_VERSION.map((v) => `semver ${constant(v)}`),
);

const urls = textOf(
  [
    'http',
    'https',
    '://',
    '//',
    '/',
    'a',
    'b.c',
    ':',
    '80',
    '@',
    'u',
    '?',
    '#',
    '%20',
    '%2F',
    '%zz',
    '[',
    ']',
    '::1',
    'ä',
    ' ',
    'q=1',
    '*',
    '!',
    '<',
    'mailto',
  ],
  8,
).map((url) => `$u := urlParse ${constant(url)} }}{{ toJson $u }} {{ urlJoin $u`);

const LAYOUT = textOf(
  [
    '2006',
    '06',
    '01',
    '1',
    'Jan',
    'January',
    '02',
    '2',
    '_2',
    '002',
    '15',
    '3',
    '03',
    '04',
    '4',
    '05',
    '5',
    '.000',
    '.999',
    'PM',
    'pm',
    'MST',
    '-0700',
    '-07:00',
    'Z07:00',
    'Mon',
    'Monday',
    '-',
    ':',
    ' ',
    'T',
    'a',
  ],
  7,
);
const dates = fc
  .tuple(LAYOUT, fc.integer({ min: -3e9, max: 9e9 }))
  .map(([layout, seconds]) => `date ${constant(layout)} (int64 ${seconds})`);

const VALUE = fc.constantFrom(
  '1',
  '"a"',
  'nil',
  '(list)',
  '(list 1 2 "a")',
  '(dict)',
  '(dict "a" 1)',
  'true',
  '1.5',
  '(dict "a" (dict "b" (list 1)))',
  '(list (list 1) nil)',
  '(splitList "," "a,b")',
  '(until 3)',
  '.Values.list',
  '.Values.map',
  '.Values.none',
  '""',
  '0',
  '(split "," "a,b")',
  '(int64 2)',
  '(semver "1.2.3")',
  '(keys (dict "a" 1))',
  '(list nil)',
);
const FUNCTION = fc.constantFrom(
  'append',
  'prepend',
  'has',
  'without',
  'concat',
  'deepEqual',
  'default',
  'coalesce',
  'all',
  'any',
  'merge',
  'mergeOverwrite',
  'hasKey',
  'get',
  'dig "a" "b"',
  'join',
  'typeIs',
  'list',
  'dict',
  'ternary 1',
  'set (dict) "k"',
  'cat',
  'chunk',
  'slice',
  'quote',
  'squote',
  'pluck',
  'first',
  'last',
  'rest',
  'initial',
  'reverse',
  'uniq',
  'compact',
  'empty',
  'sortAlpha',
  'toStrings',
  'toString',
);
const collections = fc
  .tuple(FUNCTION, VALUE, fc.oneof(VALUE, fc.constant('')))
  .map(([name, a, b]) => `$x := ${name} ${a} ${b} }}{{ toJson $x }} {{ $x }} {{ typeOf $x }} {{ kindOf $x`);

const NUMBER = fc.constantFrom(
  '0',
  '1',
  '2',
  '-1',
  '3',
  '1.5',
  '-2.5',
  '0.1',
  '"7"',
  '"x"',
  'nil',
  'true',
  '1e300',
  '9223372036854775807',
  '-9223372036854775808',
  '"1.50"',
  '"0x10"',
  '1e-9',
  '(int64 4)',
  '.Values.number',
  '""',
);
const numbers = fc
  .tuple(
    fc.constantFrom(
      'add',
      'sub',
      'mul',
      'div',
      'mod',
      'addf',
      'subf',
      'mulf',
      'divf',
      'max',
      'min',
      'maxf',
      'minf',
      'round',
    ),
    NUMBER,
    NUMBER,
  )
  .map((parts) => parts.join(' '));

const codes = fc.oneof(
  textOf(['a', 'G', 'V', '=', '\n', '!', '8', '/', '+', 'E', '==', 'ä'], 9).map(
    (text) => `b64dec ${constant(text)} | b64enc`,
  ),
  textOf(['A', 'M', 'E', '=', '\n', '8', '7', '2', '==', '======'], 9).map(
    (text) => `b32dec ${constant(text)} | b64enc`,
  ),
);

const durations = textOf(['1', '2', '90', '.5', 'h', 'm', 's', 'ms', 'us', 'ns', '-', '+', '1.5', '0', 'x'], 5).map(
  (duration) => `durationRound ${constant(duration)}`,
);

/** Random expressions by topic. */
export const GENERATED: Readonly<Record<string, fc.Arbitrary<string>>> = {
  regexes,
  versions,
  urls,
  dates,
  collections,
  numbers,
  codes,
  durations,
};

/** The values of these expressions. */
export const GENERATED_VALUES = { number: 2.5, list: ['b', 'a'], map: { x: 1 } };
