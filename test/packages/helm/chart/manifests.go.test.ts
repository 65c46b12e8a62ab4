import { type RenderedManifests, renderChart } from '#helm/render';
import { askHelm } from '#test/support/helm-oracle';
import { chartFiles, chartOf, expectHelmsOutput, expectRefusal, inCharts, optionsOf } from './compare-with-helm';

const object = (kind: string, name: string, rest = '') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${rest}`;
const hook = (name: string, annotations: string) => object('Job', name, `  annotations: {${annotations}}\n`);

function rendered(files: Readonly<Record<string, string>>): RenderedManifests {
  return renderChart(chartOf(chartFiles(files)), optionsOf({ files: {} }));
}

const names = (list: RenderedManifests['objects']) =>
  list.map(({ object: { metadata } }) => (metadata as { name: string }).name);

test('the renderer orders kinds and files as Helm does', () => {
  const kinds = [
    'Ingress',
    'Zebra',
    'Deployment',
    'Apple',
    'Namespace',
    'Service',
    'CustomResourceDefinition',
    'Secret',
    'Zebra',
    'ServiceAccount',
  ];
  const files = Object.fromEntries(
    kinds.map((kind, index) => [
      `templates/${9 - index}.yaml`,
      `${object(kind, `x${index}`)}---\n${object('Service', `y${index}`)}`,
    ]),
  );
  expectHelmsOutput([{ files: chartFiles({ ...files, ...inCharts('child', files) }) }]);
});

test.each([
  '---\n---\na: 1',
  '\n\n---\n# only a comment\n---\na: 1\n---',
  'a: |\n  x\n  ---\n  y\n---\nb: 1',
  'a: 1\n--- # comment\nb: 1\n',
  'a: 1\n---b: 1',
  'a: 1\n   \n\t\n---   \n\n  b: 1\n',
  '\u00a0a: 1\n---\n\u00a0\n---\nb: 1',
  '--- \na: 1\n...\nb: 1',
  'a: 1\r\n---\r\nb: 1\r\n',
  '{"kind": "X", "metadata": {"annotations": {"a": 1}}}',
])('the renderer splits %j into the same documents as Helm', (text) => {
  expectHelmsOutput([{ files: chartFiles({ 'templates/a.yaml': text }) }]);
});

test('the renderer refuses documents that are not objects, with their text and place', () => {
  const files = (text: string) => chartFiles({ 'templates/a.yaml': text });
  const reasons = expectRefusal(
    [
      '- a',
      'text',
      'a: 1\n---\nx\ny',
      'kind: {a: 1}',
      'metadata: {annotations: {a: [1]}}',
      'metadata: 1',
      'a: b: c',
      'a: 1\n----\nc: 1',
    ].map((text) => ({ files: files(text) })),
  );
  expect(reasons[2]?.ours).toMatch(/^chart parent, templates\/a.yaml:3: "x y": /);
  expect(() => rendered({ 'templates/a.yaml': 'a: 1' })).toThrow('the object has no kind');
  expect(() => rendered({ 'templates/a.yaml': 'kind: X' })).toThrow('the object has no apiVersion');
});

test('the renderer handles hooks as Helm does', () => {
  const files = chartFiles({
    'templates/a.yaml': [
      hook('late', 'helm.sh/hook: "post-install, PRE-upgrade", helm.sh/hook-weight: "5"'),
      hook(
        'early',
        'helm.sh/hook: pre-install, helm.sh/hook-weight: -5, helm.sh/hook-delete-policy: "before-hook-creation, Hook-Succeeded"',
      ),
      hook('b', 'helm.sh/hook: test, helm.sh/hook-weight: x'),
      hook('a', 'helm.sh/hook: test-success'),
      hook('unknown', 'helm.sh/hook: "pre-install,crd-install"'),
      hook('none', 'other: "1"'),
    ].join('---\n'),
  });
  expectHelmsOutput([{ files }]);
  const [{ hooks: helms = [] } = {}] = askHelm([{ files, output: true }]);
  const { hooks, objects } = renderChart(chartOf(files), optionsOf({ files }));
  const ours = hooks.map(({ object: { metadata }, events, weight, deletePolicies }) => ({
    name: (metadata as { name: string }).name,
    events,
    weight,
    deletePolicies,
  }));
  const sorted = helms.map(({ name, events, weight = 0, delete_policies: deletePolicies = [] }) => ({
    name,
    events,
    weight,
    deletePolicies,
  }));
  expect(ours).toEqual(sorted.sort((a, b) => a.weight - b.weight || (a.name < b.name ? -1 : 1)));
  expect(hooks.map(({ isTest }) => isTest)).toEqual([false, true, true, false]);
  expect(names(objects)).toEqual(['none']);
});

test('the renderer prints CRDs, lists and comments as Helm does', () => {
  const { objects, crds } = rendered({
    'crds/a.yaml': `${object('CustomResourceDefinition', 'one')}---\n# nothing\n---\n${object('CustomResourceDefinition', 'two')}`,
    'crds/README.md': 'x',
    'templates/a.yaml': `apiVersion: v1\nkind: List\nitems:\n- ${object('Service', 'in-list').replaceAll('\n', '\n  ').trim()}\n---\n# nothing`,
    'templates/NOTES.txt': 'notes',
    ...(inCharts('child', {
      'crds/b.json': JSON.stringify({ apiVersion: 'v1', kind: 'X', metadata: { name: 'three' } }),
    }) as Record<string, string>),
  });
  expect(names(objects)).toEqual(['in-list']);
  expect(names(crds)).toEqual(['one', 'two', 'three']);
  expect(crds.map(({ source }) => source)).toEqual([
    'parent/crds/a.yaml',
    'parent/crds/a.yaml',
    'parent/charts/child/crds/b.json',
  ]);
});

test('the renderer treats names of JavaScript prototypes as ordinary keys', () => {
  const { objects } = rendered({
    'templates/a.yaml': 'apiVersion: v1\nkind: X\n__proto__: {polluted: 1}\nconstructor: 2\n',
  });
  expect(Object.keys(objects[0]?.object ?? {})).toEqual(['apiVersion', 'kind', '__proto__', 'constructor']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('the renderer renders a chart twice with the same result, whatever its templates change', () => {
  const chart = chartOf(
    chartFiles({
      'values.yaml': 'map: {a: 1}\nlist: [1]\n',
      'templates/a.yaml':
        'apiVersion: v1\nkind: X\nm: {{ toJson .Values }}{{ $_ := set .Values.map "b" 2 }}{{ $_ := unset .Values "list" }}',
    }),
  );
  const options = optionsOf({ files: {} });
  const first = renderChart(chart, options);
  expect(renderChart(chart, options)).toEqual(first);
  const values = { map: { c: 3 } };
  renderChart(chart, { ...options, values });
  expect(values).toEqual({ map: { c: 3 } });
});

test('the renderer checks the Kubernetes version that a chart requires as Helm does', () => {
  const files = chartFiles({
    'Chart.yaml': 'apiVersion: v2\nname: parent\nversion: 1.0.0\nkubeVersion: ">=1.25.0"\n',
    'templates/a.yaml': 'a: 1',
  });
  expectHelmsOutput([{ files, kubeVersion: 'v1.25.3+k3s1' }]);
  const [{ ours, helms } = { ours: '', helms: '' }] = expectRefusal([
    { files, kubeVersion: '1.24' },
    { files, kubeVersion: 'x' },
    { files, kubeVersion: '1' },
    { files, kubeVersion: '01.25' },
  ]);
  expect(ours).toContain(helms);
});

test('the renderer refuses the metadata that Helm refuses', () => {
  const chart = (text: string) => ({ files: { 'Chart.yaml': text } });
  expectRefusal([
    chart('name: x\n'),
    chart('apiVersion: v2\nversion: 1.0.0\n'),
    chart('apiVersion: v2\nname: a/b\nversion: 1.0.0\n'),
    chart('apiVersion: v2\nname: x\nversion: one\n'),
    chart('apiVersion: v2\nname: x\nversion: 1.0.0\ntype: other\n'),
    chart('apiVersion: v2\nname: [x]\nversion: 1.0.0\n'),
    chart('apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{name: a, alias: "b c"}]\n'),
    chart('apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{name: a}, {name: b, alias: a}]\n'),
    chart('apiVersion: v2\nname: x\nversion: 1.0.0\nmaintainers: [null]\n'),
    chart('- x\n'),
    chart('a: b: c\n'),
    { files: chartFiles({ 'values.yaml': '- 1\n' }) },
    { files: chartFiles({ 'values.yaml': 'a: b: c\n' }) },
    { files: chartFiles({ 'charts/README.md': 'x' }) },
    { files: chartFiles({ 'charts/a.tgz': 'x' }) },
  ]);
  expectHelmsOutput([
    chart('NAME: x\nVersion: v1\nAPIVERSION: v2\n'),
    chart('apiVersion: null\nname: x\nversion: 1\ndependencies: []\n'),
  ]);
});

describe('the renderer reports templates that fail', () => {
  test.each([
    ['{{ fail "no" }}', 'chart parent, templates/a.yaml:1:3: no. '],
    ['a: 1\nb: {{ required "b is needed" .Values.b }}', 'chart parent, templates/a.yaml:2:6: b is needed. '],
    ['{{ .Values.a.b }}', 'chart parent, templates/a.yaml:1:10: nil pointer evaluating interface {}.b. '],
    ['{{ include "x" . }}', /no template "x"/],
    ['{{ if }}', /chart parent, templates\/a.yaml:1: missing value for if/],
    ['{{ tpl "{{ .x.y }}" (dict "x" 1) }}', /can't evaluate field y/],
    ['{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}', /nest more than/],
    ['a: .nan', /unsupported value: NaN/],
    ['{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ toJson $d }}', /nested more than/],
    ['{{ range until 100000 }}{{ tpl "{{ . }}" . }}{{ repeat 10000 "x" }}{{ end }}', /print more than/],
    ['{{ range until 100 }}{{ $.Files.Glob (repeat 100000 "{a*,b**}") }}{{ end }}', /more than \d+ steps/],
    ['{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}', /more than \d+ steps/],
  ])('such as %s', (template, reason) => expect(() => rendered({ 'templates/a.yaml': template })).toThrow(reason));

  test('in values that are not data', () => {
    const render = (values: Record<string, unknown>) => () =>
      renderChart(chartOf(chartFiles({})), { ...optionsOf({ files: {} }), values });
    const circle: Record<string, unknown> = {};
    circle.a = circle;
    expect(render(circle)).toThrow(/nested more than/);
    expect(render({ a: () => 1 })).toThrow('values.a is not data');
    expect(render({ a: [new Date()] })).toThrow('values.a[0] is not data');
    expect(render({ a: Number.NaN })).toThrow('values.a is not data');
  });
});
