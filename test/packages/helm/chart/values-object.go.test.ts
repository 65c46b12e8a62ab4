import { chartFiles, expectHelmsOutput, expectRefusal, inCharts } from './compare-with-helm';

const VALUES = 'a: 1\ntext: x\nnothing: null\nmap: {b: {c: 2}, list: [1]}\nchild: {own: 1}\nempty: {}\n';

function chartWith(...expressions: readonly string[]): Readonly<Record<string, string | Buffer>> {
  const template = expressions.map((expression, index) => `e${index}: {{ ${expression} | quote }}\n`).join('');
  return chartFiles({
    'templates/a.yaml': template,
    'values.yaml': VALUES,
    ...inCharts('child', { 'templates/b.yaml': template, 'values.yaml': VALUES }),
  });
}

test.each([
  ['its type', ['printf "%T" .Values', 'typeOf .Values', 'kindOf .Values', 'typeIs "map[string]interface {}" .Values']],
  ['the types of its contents', ['printf "%T" .Values.map', 'printf "%T" (index .Values "map" "b")', 'typeOf .']],
  [
    'the top-level object of a template',
    [
      'typeOf $',
      'typeOf $.AsMap',
      '$.PathValue "Values.a"',
      'typeOf ($.Table "Values.map")',
      'typeOf ($.PathValue "Values")',
      'keys $ | sortAlpha',
      'tpl "{{ typeOf . }}" $',
    ],
  ],
  ['its type inside of collections', ['printf "%T" (dict "v" .Values).v', 'typeOf (list .Values | first)']],
  ['texts', ['printf "%v" .Values', 'printf "%#v" .Values.AsMap', 'toYaml .Values', 'toJson .Values', '.Values.YAML']],
  ['its plain maps', ['typeOf .Values.AsMap', 'dig "map" "b" "c" 0 .Values.AsMap', 'pick .Values "a" | typeOf']],
  ['function results', ['merge (dict) .Values | typeOf', 'deepCopy .Values | typeOf', 'omit .Values "a" | toJson']],
  ['tables', ['.Values.Table "map" | typeOf', '(.Values.Table "map.b").c', 'toJson (.Values.Table "map.b")']],
  ['values at paths', ['.Values.PathValue "map.b.c"', '.Values.PathValue "a"', '.Values.PathValue "text"']],
  ['comparisons', ['deepEqual .Values .Values', 'deepEqual .Values .Values.AsMap', 'empty .Values', 'len .Values']],
  ['set in a copy', ['(set (deepCopy .Values) "a" 5).a', '.Values.a', '(set (.Values.AsMap) "a" 6).a', '.Values.a']],
  [
    'the values of a dependency',
    ['printf "%T" .Values.child', 'range $k, $v := .Subcharts }}{{ typeOf $v.Values }}{{ end }}{{ ""'],
  ],
])('.Values is the same as in Helm: %s', (_, expressions) => {
  expectHelmsOutput([{ files: chartWith(...expressions), values: {} }]);
});

test.each([
  ['dig wants a plain map', 'dig "map" "b" "c" 0 .Values'],
  ['dig does not find .Values in all', 'dig "Values" "a" 0 $.AsMap'],
  ['a table that is a text', '.Values.Table "text"'],
  ['a table that is missing', '.Values.Table "map.x"'],
  ['a value that is a map', '.Values.PathValue "map.b"'],
  ['a value without a path', '.Values.PathValue ""'],
  ['a method with too many arguments', '.Values.AsMap "x"'],
])('.Values refuses the same expressions as in Helm: %s', (_, expression) => {
  expectRefusal([{ files: chartWith(expression), values: {} }]);
});
