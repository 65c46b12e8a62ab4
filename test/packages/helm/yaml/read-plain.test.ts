import fc from 'fast-check';
import type { GoValue } from '#helm/go/values';
import { readAnyYaml } from '#helm/yaml/read-any-yaml';
import { readPlainYaml } from '#helm/yaml/read-plain';
import { YamlError } from '#helm/yaml/yaml-error';

const SCALARS = [
  ...['', 'a', 'a b', '1', '-1', '-0', '0x1F', '1.5', '1e3', '1e400', '.5', '.inf', '~', 'null', 'yes', 'off', 'true'],
  ...[
    '1:30',
    '12:30:45',
    '2020-01-01',
    'a:b',
    'a: b',
    'a:',
    'a #b',
    'a#b',
    '#a',
    '-',
    '--',
    '--v=2',
    '-a',
    '- a',
    '<<',
  ],
  ...['"a"', '"a b: #c"', '"a\\nb"', '"\\"', '"\\x41"', '""', "''", "'it''s'", "'a'' #b'", "'", '"a" b', '"a" # b'],
  ...[
    '{}',
    '{ }',
    '[]',
    '[a, "b", 1]',
    '[a,]',
    '[a b]',
    '[,]',
    '[- , b]',
    '[-]',
    '[a, -]',
    '[-a]',
    '[[a]]',
    '[a',
    '{a: 1}',
    '[ ~, yes ]',
    '[ ]',
    '["a" b]',
    '["a: *", \'#b\', "c]"]',
    '[a]]',
  ],
  ...[
    '{a: b}',
    '{a: 1, "b": [c, {d: e}], f: {}}',
    '{"a":1}',
    '{a:1}',
    '{a: 1,}',
    '{a: 1, a: 2}',
    '{yes: 1}',
    '{a: }',
    '{a}',
    '{a: b} c',
    '{a: b c}',
    '{a: -}',
    '{a: "b}',
    '[{a: b}, []]',
  ],
  ...[
    '|',
    '|-',
    '|+',
    '|2',
    '| # a',
    '>',
    '>-',
    '&a',
    '*a',
    '!a b',
    '@a',
    '%a',
    '`a`',
    '=',
    '?',
    '? a',
    ':a',
    ':a:b',
    '::a',
    ':',
    '😀',
    'a😀',
  ],
  ...[
    '$(A)',
    '(a)',
    '/a/b',
    '.a',
    '+a',
    '^a',
    '\\a',
    ',a',
    'a,b',
    'a]',
    'a"b',
    '012',
    '0o7',
    '1_000',
    '\u2003a',
    'a\u2003',
  ],
];

const KEYS = [
  'a',
  'b',
  'c-d',
  'e.f/g',
  '"h"',
  "'i'",
  'j k',
  '1',
  'yes',
  'null',
  '<<',
  'l:m',
  '😀',
  '-n',
  '"o\\n"',
  '__proto__',
];

const line = fc
  .record({
    indent: fc.nat(6),
    dash: fc.constantFrom('', '', '- ', '-   ', '- - '),
    key: fc.constantFrom('', ...KEYS.map((key) => `${key}: `), ...KEYS.map((key) => `${key}: `), 'p:', 'q:   '),
    scalar: fc.constantFrom(...SCALARS),
    end: fc.constantFrom('', '', '', '', ' ', ' # r', ' #', '  #s: t'),
  })
  .map(({ indent, dash, key, scalar, end }) => `${' '.repeat(indent)}${dash}${key}${scalar}${end}`);

const documents = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '\n', '\n\n', '\n  '))
  .map(([lines, end]) => lines.join('\n') + end);

/** Lines of few forms, so that most documents are well-formed. */
const orderly = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(0, 0, 2, 2, 4),
        fc.constantFrom('- ', '', '', ''),
        fc.constantFrom('a: ', 'b: ', 'c: ', 'd:', ''),
        fc.constantFrom(
          '',
          'x',
          '1',
          '"y"',
          '|',
          '|-',
          '|+',
          '# z',
          "'",
          "'u",
          "v'",
          "''w",
          "w''",
          '"p',
          'q"',
          'r\\n\\"',
          's\\',
        ),
      )
      .map(([indent, dash, key, scalar]) => `${' '.repeat(indent)}${dash}${key}${scalar}`),
    { minLength: 1, maxLength: 8 },
  )
  .map((lines) => lines.join('\n'));

/** Lists and maps in brackets, as a value or an item. */
const flows = fc
  .tuple(
    fc.constantFrom('a: ', '- '),
    fc.constantFrom(['[', ']'], ['{', '}'], ['', '']),
    fc.array(
      fc.oneof(
        fc.constantFrom('{', '}', '[', ']', ',', ', ', ' ', 'a: ', '"b": ', '"b":', "'c': ", 'yes: ', '1: '),
        fc.constantFrom('d', '1', 'null', '-', '-e', '"f, g"', "'h: i'", '""', '*', '{j: 2}', '[k, l]', '{}', '[]'),
      ),
      { maxLength: 9 },
    ),
  )
  .map(([start, [open, close], parts]) => start + open + parts.join('') + close);

/** Converts a value so that a comparison includes the order of its keys. */
function ordered(value: GoValue): unknown {
  if (value instanceof Map) return { map: [...value].map(([key, element]) => [key, ordered(element)]) };
  return Array.isArray(value) ? value.map(ordered) : Object.is(value, -0) ? '-0' : value;
}

function readByNodes(text: string): unknown {
  try {
    return ordered(readAnyYaml(text));
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    throw error;
  }
}

function expectSame(texts: fc.Arbitrary<string>): void {
  fc.assert(
    fc.property(texts, (text) => {
      const value = readPlainYaml(text);
      if (value !== undefined) expect(ordered(value)).toEqual(readByNodes(text));
    }),
    { numRuns: Number(process.env.PLAIN_YAML_RUNS ?? 5000) },
  );
}

describe('readPlainYaml', () => {
  test('reads random lines of any form like the complete reader, or leaves them to it', () => {
    expectSame(documents);
  });

  test('reads random lines of common forms like the complete reader, or leaves them to it', () => {
    expectSame(orderly);
  });

  test('reads lists and maps in brackets like the complete reader, or leaves them to it', () => {
    expectSame(flows);
  });

  test('reads a manifest as charts print it', () => {
    const manifest = `# Source: chart/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: "web"
  labels:
    app.kubernetes.io/name: web # the name
  annotations: {}
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: web
        args: ["--port=80", -v]
        command:
        - sh
        - -c
        - |
          echo "a"

          echo 'b'
        description: a text
          that goes on - here
        note: 'it''s one
          that # goes on'
        ports:
          - containerPort: 80
            protocol: 'TCP'
      nodeSelector:
      volumes: []`;

    const value = readPlainYaml(manifest);

    expect(value).toBeDefined();
    expect(ordered(value)).toEqual(readByNodes(manifest));
  });

  test('reads quoted texts over several lines', () => {
    const value = readPlainYaml(`double: "a\\n\\"b\\"

  c"
single: 'd
  e

  '
`);
    expect(value).toEqual(
      new Map([
        ['double', 'a\n"b"\nc'],
        ['single', 'd e\n'],
      ]),
    );
  });

  test('reads comments alone as nothing', () => expect(readPlainYaml('# a\n')).toBeNull());

  test.each([
    ['an alias', 'a: *b'],
    ['a quoted text whose line break is escaped', 'a: "b\\\n  c"'],
    ['a tab', 'a: b\tc'],
    ['a second document', 'a: b\n---\nc: d'],
    ['indentation that fits no block', 'a:\n    b: c\n  d: e'],
    ['very deep nesting', '- '.repeat(200)],
    ['a scalar alone', 'a'],
  ])('leaves to the complete reader: %s', (_, text) => expect(readPlainYaml(text)).toBeUndefined());
});
