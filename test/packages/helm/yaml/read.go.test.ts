import * as fc from 'fast-check';
import { readYaml } from '#helm/yaml/read-yaml';
import { YamlError } from '#helm/yaml/yaml-error';
import { valuesThatDiffer } from './against-helm';

/** Valid and invalid escapes, and other characters with a meaning in or next to quotes. */
const NASTY_PIECES = [
  ...[
    '\\0',
    '\\n',
    '\\t',
    '\\e',
    '\\ ',
    '\\"',
    "\\'",
    '\\/',
    '\\\\',
    '\\_',
    '\\P',
    '\\x41',
    '\\x4',
    '\\u0041',
    '\\ud83d\\ude00',
  ],
  ...['\\U0001F600', '\\q', '\\1', "''", 'a', ' ', '#', ':', '{', 'ä', '\t', '\n  ', ': ', ', '],
];

/** Documents that this reader reads like Helm. Where Helm refuses one, the reason may be worded differently. */
const DOCUMENTS = [
  '',
  'a: 1',
  '- a\n- b',
  '# comment\na: b # c',
  'a: |\n  x\n  y\n',
  'a: |\n  x',
  'a: |+\n  x\n\n\nb: 1',
  'a: >-\n  x\n  y\n\n  z\n',
  'a: "x\\ty\\u00e4\\x41"',
  "a: 'it''s'",
  'yes: no\non: off\ny: n\ntrue: false',
  '1: a\n1.5: b\n0x10: c\n1e3: d\n.5: e\n-0: f',
  'a: 0777\nb: 0o17\nc: 0b11\nd: 0x1F\ne: 1_000\nf: 08\ng: 1:30\nh: 1e3\ni: .5\nj: +1\nk: -0',
  'a: 2020-01-01\nb: 2020-01-01T00:00:00Z\n2020-01-01: c',
  'a: ~\nb: null\nc:\nd: ""',
  'a: .inf',
  'a: .nan',
  'a: 12345678901234567890123',
  'a: 1e400',
  'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2',
  'a: &x {b: 1}\nd:\n  b: 5\n  <<: *x',
  'a: &x {b: 1}\nd:\n  <<: *x\n  b: 5',
  '<<: [{a: 1, b: 1}, {a: 2, c: 3}]',
  '<<: 1',
  '"<<": 1',
  'a: *x',
  'a: &x [*x]',
  '&k a: 1\nb: *k',
  'a: 1\na: 2',
  'a: b\n---\nc: d',
  '--- a\n...\nb',
  '---\n---\na: 1',
  '%YAML 1.1\n---\na: 1',
  '%YAML 1.1\na: 1',
  '%FOO\n---\na',
  'a: !!str 1',
  'a: !!int "3"',
  'a: !!int x',
  'a: !!float 1',
  'a: !!binary aGk=',
  'a: !!binary "!"',
  'a: !!bool yes',
  'a: !!null x',
  'a: !foo 1',
  'a: !!timestamp 2020-01-01',
  'a: !!set {b, c}',
  'null: 1',
  '? [a]\n: b',
  '? {a: 1}\n: b',
  '? a\n: b',
  'a:\n\t- b',
  '\ta: 1',
  'a:\tb',
  '- \ta',
  'a: [1,\n\t2]',
  '{a: 1, b: [x, {c: d}], }',
  '[a, b',
  '{',
  '}',
  'a: b: c',
  'a:\n  - b\n c: d',
  'a: "x',
  "a: 'x",
  'a: @b',
  'a: `b',
  'a: %b',
  'a: - b',
  '- - a\n  - b\n-\n  - c',
  'a: b\n c',
  'a:\n- b\n- c\nd: e',
  '"a": 1',
  '{"a": 1, "b": [true, null]}',
  'a: "multi\n  line\n\n  text"',
  'a: plain\n  over\n  lines',
  'a: x#y\nb: x #y',
  'a: "\\q"',
  'a: "\\"',
  "a: 'b''",
  'a: \u0001',
  'a: \u007f',
  '\ufeffa: 1',
  'a: 😀',
  'a:b',
  'a : b',
  '- a: 1\n  b: 2\n- c',
  "a: ''",
  '!!map {a: 1}',
  'a: &b',
  'a: !!str',
  '&a-b_1 x: *a-b_1',
  'a: |2\n   x\n',
  'a: |\n\n  x',
  'a: >\n  x\n   y\n  z\n',
  '  - x\n',
  'x',
  '"x"',
  '1',
  '[1, 2]',
  '__proto__: 1\nconstructor: 2',
  'a: "\\ud800"',
  'a: "\\ud83d\\ude00"',
  'a: "it\\\'s"',
  'a: "x\\/y"',
  'a: "\\\\/"',
  '"a\\\'": 1\nb: "\\\'\\\'"',
  'a: "x"# c',
  "a: 'x'# c",
  'a: [1]# c',
  'a: x# c',
  '{a:, b: 1}',
  'a: [b:, {c:}, d: e]',
  'a: [http://a/b?c]',
  'a: [:b]',
  'a: 1\n \t\nb: 2',
  'a: 1\n\t\nb: 2',
  'a: "x"\n \t\nb: 2',
  'a: 1 # c\n \t\nb: 2',
  'a:\n  b: c\n  \t\nd: e',
  'a:\n  b: c\n   \t \n',
  '- a\n \t\n- b',
  'a: |\n  x\n \t\nb: 1',
  '{"a\n  b": 1}',
  '{"a\n  b"}',
  '{a: 1} x',
  'a: 1\rb: 2\r',
  'a: "x\r  y"\rb: |\r  c\r  d\r',
  'a: 1\u0085b: "x\u0085  y"',
  ']a: 1',
  '}',
  '} a: 1',
  ...['a: 1', '- a', '{a: 1}', '"x"', 'a: "x"', 'a: |\n  x'].flatMap((first) =>
    ['}', ']', '}---\n', '"', '@', '\n`', '\n]', '\n}---\n'].map((behind) => `${first}\n${behind}`),
  ),
  ...['}', ']', '"x', '{', '\t- x', '@x', '%FOO', '- a\n b: c', 'a: b: c', '`'].flatMap((broken) =>
    ['---\n', '--- ', '...\n'].map((between) => `a: 1\n${between}${broken}`),
  ),
];

const QUOTED_DOCUMENTS = fc
  .tuple(
    fc.constantFrom('a: ', '- ', 'a: &b ', 'a: [', 'a: {', 'a: {b: '),
    fc.constantFrom('"', "'"),
    fc.array(fc.constantFrom(...NASTY_PIECES), { maxLength: 5 }),
    fc.constantFrom('', '# c', ' # c', '\n \t', '\n', ' ', '\r', '\u0085'),
  )
  .map(([start, quote, pieces, end]) => {
    const close = { '[': ']', '{': '}' }[/[[{]/.exec(start)?.[0] ?? ''] ?? '';
    return `${start}${quote}${pieces.join('')}${quote}${close}${end}\nz: 1`;
  });

const TEMPLATE =
  '{{ $map := fromYaml .Values.value }}{{ $list := fromYamlArray .Values.value }}' +
  '{{ if hasPrefix "error converting" ($map.Error | default "") }}refused{{ else }}{{ toJson $map }}{{ toJson $list }}{{ end }}';

const JSON_PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-1', '1e999', '9007199254740993', 'true', 'nul', 'null', ' '],
  ...['"a":', '{"a":1}', '[1]', 'é', '"\\x"', '"b":{"c":1e999}', '1e', '01', '.5', '"\t"', '\ufeff', '-1e400', 'NaN'],
];

test('fromJson and fromJsonArray print the same for random texts as in Helm', () => {
  const template = '{{ fromJson .Values.value | toJson }}|{{ fromJsonArray .Values.value | toJson }}';
  const pieces = fc.array(fc.constantFrom(...JSON_PIECES), { maxLength: 7 });
  const texts = fc.sample(pieces, { numRuns: 600, seed: 20261129 }).map((parts) => parts.join(''));
  const given = ['[1e999]', '{"a":1e999,"b":1}', '{"a":{"b":[1,1e999]}}', '[{"a":1e999}]', '{"a":1,"a":1e999}'];
  expect(valuesThatDiffer(template, [...given, ...texts])).toEqual([]);
  expect(valuesThatDiffer('{{ mustFromJson .Values.value | toJson }}', [...given, '', '1e999', 'x'])).toEqual([]);
});

describe('readYaml', () => {
  test('reads what Helm reads', () => expect(valuesThatDiffer(TEMPLATE, DOCUMENTS)).toEqual([]));

  test('reads random texts in quotes as Helm does', () => {
    const documents = fc.sample(QUOTED_DOCUMENTS, { numRuns: 600, seed: 20261129 });

    expect(valuesThatDiffer(TEMPLATE, documents)).toEqual([]);
  });

  test('reports the line of a problem', () => {
    expect(() => readYaml('a: 1\nb: "x\nc: 2\n')).toThrow(YamlError);
    expect(() => readYaml('a: 1\n\tb: 2\n')).toThrow('yaml: line 2: ');
    expect(() => readYaml('a: b: c')).toThrow('yaml: line 1: ');
  });

  test('refuses a few lines whose aliases expand to billions of values', () => {
    const names = 'abcdefghij';
    const lines = [...names].map(
      (name, i) =>
        `${name}: &${name} [${Array(10)
          .fill(i === 0 ? 'x' : `*${names[i - 1]}`)
          .join(', ')}]`,
    );

    expect(() => readYaml(lines.join('\n'))).toThrow('document contains excessive aliasing');
  });

  test('refuses deeply nested lists', () => {
    expect(() => readYaml('['.repeat(5000) + ']'.repeat(5000))).toThrow(YamlError);
    expect(() => readYaml('- '.repeat(3000))).toThrow(YamlError);
  });
});
