import fc, { type Arbitrary } from 'fast-check';

/** Words that a YAML reader may not read as a string, or that a YAML writer may not quote. */
const WORDS = [
  '~ null Null NULL true True TRUE false yes Yes no No NO on On ON off OFF y Y n N << = . .. ... - -- --- ---- ----x',
  '0 -0 +0 00 007 0777 08 0o7 0o755 0O17 -0o7 0x1F 0X1f -0x1 0x 0b1 0B1 -0b1 0b 0b-1 0b+1 1e3 1E3 1e+3 .1e-3 5e 5E e5',
  '1. .5 -.5 +.5 5._ 1_000 _1 1_ 1__0 -_1 0_x1F 1_e_3 .5_ 1.5_0 685.230_15e+03 .inf -.inf +.INF .nan .NaN .in_f _ __',
  '12:30 12:30:45 1:2 190:20:30.15 -1:30 12:30. 2001-01-01 2001-1-1 2001-01-01T00:00:00Z 20010101 1.2.3 10.0.0.1 1.30',
  '9223372036854775807 9223372036854775808 18446744073709551616 123456789012345678901234567890 4e12345 0123456789 1,5',
  '? ?x : :x :: ::/0 :8080 x: x:y # #x x#y & &x * *x ! !x !!str | |- > >x % %x @ @x ` `x , ,x [ ] [] [x] { } {} {x}',
  '"x" \'x\' x\'y x"y \\ \\n x\\y \\" \'" $x {{x}} <x> x=y /x ~x ~/x (x) ;x ^x$ --x -x -1x -_x -.x ....x .x x,y x[0]',
  'é µs – 日本 😀 \u{10ffff} \u{1fffe}x a\u0301 __proto__ constructor toString apiVersion metadata name namespace',
].flatMap((line) => line.split(' '));

const SPACED = [
  ...['- x', '? x', ': x', 'x: y', 'x :y', 'x : y', 'x #y', 'x # y', 'x# y', '--- x', '... x', '日本: x', '日本 #x'],
  ...['-\tx', 'x:\ty', 'x\t#y', '2001-01-01 00:00:00 -5', 'x -y', '', ' ', '  ', ' x', 'x ', '\t', '\tx', 'x\t'],
  ...['x  y', 'x\ty', '\u00a0', '\u00a0x', 'x\u00a0', '\u3000x', '\u1680', '\u2003x', '😀: 😀'],
];

const LINES = [
  ...['\n', '\n\n', '\n\n\n', 'x\n', 'x\n\n', 'x\n\n\n', '\nx', '\n\nx\n', 'x\ny', 'x\n\ny\n', ' x\ny', 'x\n y\n'],
  ...[
    '\n x\n',
    '  \nx',
    'x\n  ',
    'x\n \n',
    'x \ny \n',
    '\tx\ny',
    'x\n\ty\n',
    '\n\tx',
    'x\n\t',
    'x\n\t\ny',
    '\t\n',
    ' \n',
  ],
  ...[
    '\n ',
    '\n \n x',
    '# x\ny',
    '---\nx',
    'x\n---\ny\n',
    '...\nx\n',
    '- x\n- y\n',
    'x: y\nz: 1\n',
    '|\nx',
    '%YAML\nx\n',
  ],
  ...['x\r', '\r', 'x\r\ny', 'x\ry\n', '😀\n', 'x\n\ufeffy\n', 'x\n\u0085y', 'x\n\u2028y', 'x\u2029\ny', 'x\n\u0000'],
];

const CHARACTERS = [
  ...['\u0000', '\u0001', '\u0007x', '\u001b[1m', '\u007f', '\u0080', '\u0085', '\u009f', '\u00ad', '\u200b', '\u200e'],
  ...[
    '\u2028',
    '\u2029',
    '\u2060',
    '\ue000',
    '\ufeff',
    '\ufeffx',
    '\ufffd',
    '\ufffe',
    '\uffff',
    'x\u0085y',
    'x\u2028y',
  ],
];

const LONG = [
  ...['x'.repeat(100), 'x y '.repeat(100), `${'x '.repeat(2_000)}\n${'y '.repeat(2_000)}`, '"'.repeat(2_000)],
  ...['k'.repeat(999), 'k'.repeat(1_001), 'k '.repeat(600), '\u0085'.repeat(300), "'\\".repeat(600)],
];

/** Texts that are hard to write or to read. */
export const NASTY_TEXTS: readonly string[] = [...WORDS, ...SPACED, ...LINES, ...CHARACTERS, ...LONG];

/** Numbers that are hard to write or to read. */
export const NASTY_NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 0.1, -0.5, 1e21, -1e21, 1e-7, 1.5e300, 5e-324, 1.7976931348623157e308, 1e20, 123456789012345680000],
  ...[2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 2 ** 64, 4294967295, 1_000_000, 3.0, 12e3, 0o755, 1.1e-10],
];

const PIECES = [
  ...' :#-?,[]{}&*!|>%@`"\'\\\n\t\r=<~._+0189abexoTZyn/$(',
  ...['\n\n', '\n ', ' \n', ': ', ' #', '- ', '---', '...', '<<', 'null', 'true', 'on', '0x', '0b', '0o', 'e3', '.inf'],
  ...['1_0', ':30', '2001-01-01', 'x', 'foo', 'é', '😀', '\u0085', '\u2028', '\u00a0', '\ufeff', '\u0000', '\u007f'],
];

const text: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.stringMatching(/^[-+]?[0-9._:oxbe]{1,8}$/),
  fc.string({ unit: 'binary', maxLength: 6 }).filter((string) => string.isWellFormed()),
);

const number: Arbitrary<number> = fc.oneof(
  fc.constantFrom(...NASTY_NUMBERS),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Plain data of all shapes, whose keys and values are hard to write or to read. */
export const nastyData: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: number },
    { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 3, arbitrary: fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }) },
  ),
})).value;
