import fc from 'fast-check';
import type { Json } from './compare-with-helm';

/** A random template, and values with many of the fields that it reads. */
export interface RandomCase {
  readonly template: string;
  readonly values: { readonly [key: string]: Json };
}

const KEYS = ['a', 'b', 'c', 'd'];

const VARIABLES = ['$', '$x', '$y'];

const FUNCTIONS = [
  'print',
  'println',
  'len',
  'index',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'and',
  'or',
  'not',
  'html',
  'js',
  'urlquery',
  'call',
];

const CONSTANTS = [
  '0',
  '1',
  '2',
  '-1',
  '3.0',
  '1.5',
  '1e6',
  '0x10',
  '0b11',
  '1_0',
  "'a'",
  '"a"',
  '"b"',
  '""',
  '`r\n`',
  '"\\u00e9"',
  '"\\xff"',
  '"%s"',
  '"%v %d"',
  'true',
  'false',
  'nil',
  '9223372036854775807',
  '18446744073709551615',
  '"1"',
];

const key = fc.constantFrom(...KEYS);

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, '', 'a', 'b', 'é😀', '<&>\'"', 0, 1, 2, -1.5, 1e6, 1e21),
  fc.string({ maxLength: 4, unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);

const json = fc.letrec<{ value: Json; list: Json; map: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
})).value;

const fields = fc.array(key, { minLength: 1, maxLength: 3 }).map((names) => names.map((name) => `.${name}`).join(''));

const space = fc.constantFrom(' ', ' ', '  ', '\n');

const expressions = fc.letrec<{ operand: string; command: string; pipeline: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(...CONSTANTS),
    fc.constant('.'),
    fields,
    fields.map((path) => `$${path}`),
    fc.constantFrom(...VARIABLES),
    fc.tuple(fc.constantFrom(...VARIABLES), fields).map(([variable, path]) => variable + path),
    tie('pipeline').map((pipeline) => `(${pipeline})`),
    fc.tuple(tie('pipeline'), fields).map(([pipeline, path]) => `(${pipeline})${path}`),
    fc.constantFrom(...FUNCTIONS),
  ),
  command: fc.oneof(
    { weight: 3, arbitrary: tie('operand') },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...FUNCTIONS, 'printf'), fc.array(tie('operand'), { maxLength: 3 }))
        .map(([name, args]) => [name, ...args].join(' ')),
    },
    {
      weight: 1,
      arbitrary: fc.array(tie('operand'), { minLength: 1, maxLength: 3 }).map((operands) => operands.join(' ')),
    },
  ),
  pipeline: fc
    .tuple(fc.constantFrom('', '', '', '', '$x := ', '$y = '), fc.array(tie('command'), { minLength: 1, maxLength: 2 }))
    .map(([declaration, commands]) => declaration + commands.join(' | ')),
}));

const { pipeline } = expressions;

/** An action with random trim markers. */
function action(content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('{{', '{{ ', '{{- '), content, fc.constantFrom('}}', ' }}', ' -}}'), space)
    .map(([left, text, right]) => left + text + right);
}

const rangePipeline = fc
  .tuple(fc.constantFrom('', '', '$x := ', '$x, $y := ', '$x, $y = '), fc.oneof(pipeline, fc.constant('3')))
  .map(([variables, text]) => variables + text);

const statements = fc.letrec<{ list: string; statement: string }>((tie) => ({
  list: fc.array(tie('statement'), { maxLength: 4 }).map((parts) => parts.join('')),
  statement: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('text', ' ', '\n', '\r\n', '<no>', 'é', '{', '}'),
    action(pipeline),
    action(pipeline),
    fc
      .tuple(action(pipeline.map((text) => `if ${text}`)), tie('list'), tie('list'))
      .map(([start, list, elseList]) => `${start}${list}{{ else }}${elseList}{{ end }}`),
    fc
      .tuple(action(pipeline.map((text) => `with ${text}`)), tie('list'), pipeline, tie('list'))
      .map(([start, list, text, elseList]) => `${start}${list}{{ else with ${text} }}${elseList}{{ end }}`),
    fc
      .tuple(
        action(rangePipeline.map((text) => `range ${text}`)),
        tie('list'),
        fc.constantFrom('', '{{ break }}', '{{ continue }}'),
        tie('list'),
      )
      .map(([start, list, leave, elseList]) => `${start}${list}${leave}{{ else }}${elseList}{{ end }}`),
    action(fc.tuple(key, pipeline).map(([name, text]) => `template "${name}" ${text}`)),
    fc.constantFrom('{{/* comment */}}', '{{- /* trimmed */ -}}', '{{ template "b" }}'),
  ),
}));

const definitions = fc
  .array(fc.tuple(key, statements.list), { maxLength: 2 })
  .map((defined) => defined.map(([name, list]) => `{{ define "${name}" }}${list}{{ end }}`).join(''));

/**
 * Random templates over random values. Variables are declared, so that most templates can be parsed. The dot contains
 * only values, since this folder does not test Helm's other template objects.
 */
export const randomCase: fc.Arbitrary<RandomCase> = fc.record({
  template: fc
    .tuple(definitions, statements.list)
    .map(
      ([defined, list]) =>
        `${defined}{{ define "main" }}{{ $x := 1 }}{{ $y := . }}${list}{{ end }}{{ template "main" .Values.data }}`,
    ),
  values: fc.dictionary(key, json, { minKeys: 2, maxKeys: 4 }).map((data) => ({ data })),
});

/** Random sequences of tokens, most of which the parser refuses. No `i`, since this parser rejects complex numbers. */
export const randomTokens: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      '{{',
      '}}',
      '{{-',
      '-}}',
      ' ',
      ' ',
      '\n',
      '-',
      '.',
      '.a',
      '$',
      '$x',
      ':=',
      '=',
      ',',
      '|',
      '(',
      ')',
      'if',
      'else',
      'end',
      'range',
      'with',
      'define',
      'block',
      'template',
      'break',
      'continue',
      'nil',
      'true',
      'print',
      '"a"',
      '`b`',
      "'c'",
      '1',
      '1.5',
      '0x',
      '/*',
      '*/',
      '"',
      '`',
      "'",
      '\\',
      '_',
      'é',
      '\t',
      '\r\n',
      '}',
      '{',
      'e',
      '+',
      '{{ end }}',
      '{{ if true }}',
      '{{ "a" }}',
    ),
    { maxLength: 14 },
  )
  .map((tokens) => tokens.join(''));
