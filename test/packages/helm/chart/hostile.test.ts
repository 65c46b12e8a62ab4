import { readChart } from '#helm/chart/chart';
import { renderChart } from '#helm/render';
import { sampled } from '#test/support/depth';

/** Renders a chart of these files. A chart that takes too long fails by the timeout of Jest. */
function render(files: Readonly<Record<string, string>>): void {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n', ...files };
  const chart = readChart(new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)])));
  renderChart(chart, { name: 'a', namespace: 'b', kubeVersion: 'v1.34.0' });
}

/** A schema of definitions, each with a reference to the next. */
function chained(length: number, link: (next: object) => object): string {
  const definitions = Array.from({ length }, (_, i) => [`d${i}`, link({ $ref: `#/definitions/d${i + 1}` })]);
  definitions.push([`d${length}`, { type: 'string' }]);
  return JSON.stringify({ definitions: Object.fromEntries(definitions), $ref: '#/definitions/d0' });
}

const STEPS = /more than 20000000 steps/;

const TEMPLATES: readonly [string, string, RegExp][] = [
  ['long texts', '{{ $d := dict }}{{ range 500 }}{{ $_ := set $d (toString .) (repeat 8000000 "x") }}{{ end }}', STEPS],
  ['lists that are held', '{{ $l := list }}{{ range 500 }}{{ $l = append $l (until 1000000) }}{{ end }}', STEPS],
  ['a long path, often', '{{ $s := repeat 900000 "../" }}{{ range 1000000 }}{{ $_ := dir $s }}{{ end }}', STEPS],
  ['matches that look far ahead', '{{ regexReplaceAll "x*y|x" (repeat 100000 "x") "z" }}', STEPS],
  ['sorted keys', '{{ $d := dict (repeat 900000 "k") 1 "b" 2 }}{{ range 1000000 }}{{ $_ := keys $d }}{{ end }}', STEPS],
  ['tpl with a long text', '{{ range 100 }}{{ $_ := tpl (repeat 1000000 "{{ 1 }}") $ }}{{ end }}', STEPS],
  ['TOML of many tables', '{{ $_ := fromToml (repeat 100000 "[[a]]\\n") }}', STEPS],
  [
    'a deep text of many lines',
    '{{ $d := dict "a" (repeat 900000 "a\\n") }}{{ range 99 }}{{ $d = dict "k" $d }}{{ end }}{{ toYaml $d }}',
    /takes more than 8388608 characters/,
  ],
];

// Each template runs until it reaches the limit.
test.each(sampled(TEMPLATES))('the renderer stops a template at a limit: %s', (_, template, reason) => {
  expect(() => render({ 'templates/a.yaml': template })).toThrow(reason);
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['alternatives that double', { 'values.schema.json': chained(40, (next) => ({ anyOf: [next, next] })) }, STEPS],
  ['references in a chain', { 'values.schema.json': chained(5000, (next) => next) }, /nested too deeply/],
  ['a schema that refers to itself', { 'values.schema.json': '{"$ref":"#"}' }, /applies to itself/],
  [
    'charts in charts',
    Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `${'charts/x/'.repeat(i)}Chart.yaml`,
        'apiVersion: v2\nname: x\nversion: 1.0.0',
      ]),
    ),
    /levels deep/,
  ],
  ['deep values', { 'values.yaml': `a: ${'['.repeat(50_000)}` }, /more than 200 levels deep/],
  ['deep output', { 'templates/a.yaml': '[{a: '.repeat(5000) }, /more than 200 levels deep/],
])('the renderer stops a chart at a limit: %s', (_, files, reason) => expect(() => render(files)).toThrow(reason));
