import { lineScalar, numberScalar, textScalar } from '#base/yaml-scalar';
import { expectLinear } from '../../support/growth';

describe('the writer of YAML, for text on one line,', () => {
  test.each([
    ...[
      'linkerd.io/inject',
      'cr.l5d.io/linkerd/proxy:edge-26.8.3',
      'https://x.y:80/z?a=b&c#d',
      '10.0.0.0/8,192.168.0.0/16',
    ],
    ...[
      '48h',
      '100m',
      '1.5h',
      '1.2.3',
      '10.0.0.1',
      '::/0',
      ':8080',
      '25 */6 * * *',
      '^(localhost|127\\.0\\.0\\.1)$',
      '.*',
    ],
    ...[
      '--log-level=info',
      '-v',
      '/',
      '~/x',
      '$(POD_IP)',
      "it's",
      'say "hi"',
      'x#y',
      'null-ish',
      'yesterday',
      'e',
      'x  y',
    ],
    ...['<none>', 'Zürich', '日本', '😀', '9a', 'a[0]', 'x,y', '4Gi', '_l5d_ns'],
  ])('writes %s without quotes', (text) => expect(lineScalar(text)).toBe(text));

  test.each([
    ...[
      '',
      ' x',
      'x ',
      'a: b',
      'a:',
      'a #b',
      '#a',
      '- a',
      '-',
      '---',
      '...',
      '? a',
      '*',
      '&a',
      '!a',
      '|',
      '>',
      '%a',
      '@a',
      '`a',
    ],
    ...[
      '[a',
      '{a',
      '{{ a }}',
      ',a',
      '<<',
      '=',
      '~',
      'null',
      'Null',
      'true',
      'FALSE',
      'yes',
      'No',
      'on',
      'OFF',
      'y',
      'N',
      'o_n',
    ],
    ...[
      '0',
      '1',
      '-1',
      '+1',
      '0777',
      '0o755',
      '0B1',
      '0x1F',
      '1e3',
      '1_000',
      '_1',
      '1.5',
      '.5',
      '5.',
      '.',
      '12:30',
      '12:30:45.5',
    ],
    ...['2001-01-01', '2001-01-01T00:00:00Z', '2001-1-1 00:00:00', '.inf', '-.INF', '.NaN', '4e12345'],
  ])('writes "%s" in quotes', (text) => expect(lineScalar(text)).toBe(`"${text}"`));

  test.each([
    ['"x"', `'"x"'`],
    ['{"a": "\\d"}', `'{"a": "\\d"}'`],
    ['"it\'s"', '"\\"it\'s\\""'],
  ])('writes %s in single quotes if they save backslashes', (text, written) => expect(lineScalar(text)).toBe(written));

  test.each([
    ['a\tb', '"a\\tb"'],
    ['a\nb', '"a\\nb"'],
    ['\u0000', '"\\u0000"'],
    ['\u007f', '"\\u007f"'],
    ['\u0085', '"\\u0085"'],
    ['\u00a0', '"\\u00a0"'],
    ['\u2028', '"\\u2028"'],
    ['\ufeffx', '"\\ufeffx"'],
  ])('writes %j with escapes for characters that readers would change', (text, written) =>
    expect(lineScalar(text)).toBe(written),
  );
});

describe('the writer of YAML, for text of several lines,', () => {
  test.each([
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    ['a\n\nb\n', '|\n  a\n\n  b'],
    ['\na\n', '|\n\n  a'],
    [' a\nb\n', '|2\n   a\n  b'],
    ['\n\ta', '|2-\n\n  \ta'],
    ['a \n\tb\n', '|\n  a \n  \tb'],
    ['# a\n---\n', '|\n  # a\n  ---'],
    ['Zürich 😀\n', '|\n  Zürich 😀'],
  ])('writes %j as a block', (text, written) => expect(textScalar(text, '  ')).toBe(written));

  test.each(['\n', ' \n', 'a\n ', 'a\n\t\n', 'a\r\nb', 'a\n\u0085b', 'a\n\u2028b', '\ufeffa\nb', 'a\n\u0007'])(
    'writes %j in quotes, as readers disagree on it as a block',
    (text) => expect(textScalar(text, '  ')).toMatch(/^".*"$/),
  );
});

test.each([
  [1, '1'],
  [-0.5, '-0.5'],
  [-0, '-0.0'],
  [1e21, '1.0e+21'],
  [-1e-7, '-1.0e-7'],
  [1.5e300, '1.5e+300'],
  [2 ** 53, '9007199254740992'],
])('the writer of YAML writes the number %d as %s', (number, text) => expect(numberScalar(number)).toBe(text));

test.each(['0', '_1', '1e1', '1:1', '2001-1-1 ', '.', '-', '"', '\\', ' #', 'é', '\u0000', '\n '])(
  'the writer of YAML writes many repetitions of %j in linear time',
  (piece) => {
    // Each text differs, since the writer caches its decision for each text.
    let run = 0;
    expectLinear((count) => {
      run += 1;
      textScalar(`${piece.repeat(count)}x${run}`, '  ');
    }, 1_000);
  },
);
