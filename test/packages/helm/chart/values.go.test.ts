import fc from 'fast-check';
import { stringify } from 'yaml';
import { renderTexts } from '#helm/render';
import { askHelm, type HelmQuestion } from '#test/support/helm-oracle';
import {
  chartFiles,
  chartOf,
  expectHelmsOutput,
  expectRefusal,
  type Files,
  inCharts,
  optionsOf,
} from './compare-with-helm';

/** Prints the values and the dependencies of a chart. */
const SHOW = {
  'templates/show.yaml':
    'values:\n{{ toYaml .Values | indent 2 }}\nnames: {{ keys .Subcharts | sortAlpha }}\ndeclared: {{ range .Chart.Dependencies }}{{ .Name }},{{ end }}\n',
};

test('the renderer refuses values and metadata that are not UTF-8', () => {
  const metadata = 'apiVersion: v2\nname: parent\nversion: 1.0.0\nhome: "é"\n';
  const reasons = expectRefusal([
    { files: chartFiles({ ...SHOW, 'values.yaml': Buffer.from('a: "é"\n', 'latin1') }) },
    { files: chartFiles({ ...SHOW, 'Chart.yaml': Buffer.from(metadata, 'latin1') }) },
  ]);
  for (const { ours } of reasons) expect(ours).toContain('UTF-8 octet');
});

describe('the renderer, like Helm,', () => {
  const parent = {
    'values.yaml':
      'a: 1\nmap: {x: 1, y: {z: 2}}\nlist: [1, 2]\nchild: {c: parent, map: {m: 1}}\nglobal: {g: parent, map: {p: 1}}\n',
  };
  const child = { 'values.yaml': 'c: child\nd: child\nmap: {m: 0, n: 0}\nglobal: {g: child, h: child, map: {c: 1}}\n' };
  const files = chartFiles({ ...SHOW, ...parent, ...inCharts('child', { ...SHOW, ...child }) });

  test.each<[string, object]>([
    ['no values', {}],
    ['scalars and lists replace', { a: 2, list: [3], child: { c: 'given' } }],
    ['maps merge', { map: { y: { w: 1 } }, child: { map: { o: 1 } } }],
    ['null deletes a default', { a: null, map: { x: null }, child: { d: null, map: { m: null, n: null } } }],
    ['null for the values of a dependency', { child: null }],
    ['a scalar for a map, a map for a scalar', { map: 1, a: { b: 1 } }],
    ['globals from above', { global: { g: 'given', map: { p: 2, q: 3 } }, child: { global: { g: 'own', map: 1 } } }],
    ['null in globals', { global: { g: null, map: null } }],
    ['a scalar for global', { global: 1, child: { global: 'x' } }],
    ['names of prototypes', JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": 1}, "toString": null}')],
  ])('coalesces values in the case: %s', (_, values) => {
    expectHelmsOutput([{ files, values }]);
  });

  test('refuses a scalar for the values of a dependency', () => {
    expectRefusal([
      { files, values: { child: 1 } },
      { files: chartFiles({ ...SHOW, ...inCharts('child', SHOW) }), values: { child: null } },
    ]);
  });

  test('coalesces random values', () => {
    const key = fc.constantFrom('a', 'b', 'child', 'grandchild', 'global', 'exports');
    const { value } = fc.letrec<{ value: unknown; map: object }>((tie) => ({
      value: fc.oneof({ depthSize: 'small', maxDepth: 4 }, fc.constantFrom(null, 1, 'x', true, [1], []), tie('map')),
      map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }));
    const map = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true });
    const question = fc
      .tuple(map, map, map, map, fc.boolean())
      .map(([given, ofParent, ofChild, ofGrandchild, isDeclared]): HelmQuestion => {
        const declared = isDeclared
          ? 'dependencies: [{name: grandchild, version: "*", import-values: [data, {child: a, parent: b}]}]\n'
          : '';
        const grandchild = inCharts('grandchild', { ...SHOW, 'values.yaml': stringify(ofGrandchild) });
        const inside = {
          'Chart.yaml': `apiVersion: v2\nname: child\nversion: 1.0.0\n${declared}`,
          'values.yaml': stringify(ofChild),
        };
        return {
          files: chartFiles({
            'Chart.yaml': `apiVersion: v2\nname: parent\nversion: 1.0.0\n${isDeclared ? 'dependencies: [{name: child, version: 1.x, import-values: [{child: b, parent: a.b}]}]\n' : ''}`,
            ...SHOW,
            'values.yaml': stringify(ofParent),
            ...inCharts('child', { ...SHOW, ...inside, ...grandchild }),
          }),
          values: given,
        };
      });
    expectSameTexts(fc.sample(question, 300));
  });
});

/** Expects the same texts of all templates as Helm, or an error if Helm has one. */
function expectSameTexts(questions: readonly HelmQuestion[]): void {
  const answers = askHelm(questions);
  questions.forEach((question, index) => {
    const { texts, error } = answers[index] ?? {};
    let ours: object;
    try {
      const { manifests } = renderTexts(chartOf(question.files), optionsOf(question));
      ours = Object.fromEntries(manifests.map(({ source, text }) => [source, text]));
    } catch (refusal) {
      ours = { error: (refusal as Error).message };
    }
    const theirs = Object.fromEntries(Object.entries(texts ?? {}).map(([path, text]) => [path, text.trim()]));
    if (error === undefined) expect({ question, ours }).toEqual({ question, ours: theirs });
    else
      expect({ question, helms: error, ours }).toEqual({ question, helms: error, ours: { error: expect.any(String) } });
  });
}

describe('the renderer handles dependencies as Helm does', () => {
  const own = (name: string, files: Files = {}) => inCharts(name, { ...SHOW, ...files });
  const declaring = (dependencies: string, files: Files = {}, values = '') =>
    chartFiles({
      'Chart.yaml': `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n${dependencies}`,
      'values.yaml': values,
      ...SHOW,
      ...files,
    });

  test('with conditions', () => {
    const files = declaring(
      '- {name: one, version: 1.x, condition: "one.enabled,two.enabled"}\n- {name: two, version: "*", condition: two.enabled}\n- {name: three, version: "*", condition: " nothing.here "}\n',
      { ...own('one'), ...own('two'), ...own('three') },
      'two: {enabled: false}\n',
    );
    expectHelmsOutput([
      { files },
      { files, values: { one: { enabled: true }, two: { enabled: true } } },
      { files, values: { one: { enabled: 'false' } } },
      { files, values: { one: { enabled: null }, nothing: { here: false } } },
      { files, values: { two: { enabled: { a: 1 } } } },
    ]);
  });

  test('with tags, and conditions that override them', () => {
    const files = declaring(
      '- {name: one, version: 1.x, tags: [a, b]}\n- {name: two, version: "*", condition: two.enabled, tags: [a]}\n- {name: three, version: "*", tags: [c]}\n',
      { ...own('one'), ...own('two'), ...own('three') },
      'tags: {a: false}\n',
    );
    expectHelmsOutput([
      { files },
      { files, values: { tags: { b: true } } },
      { files, values: { two: { enabled: true } } },
      { files, values: { tags: { a: 'x', c: false } } },
      { files, values: { tags: null } },
    ]);
  });

  test('with several aliases of one chart', () => {
    const grandchild = inCharts('grand', { ...SHOW, 'values.yaml': 'g: 1\n' });
    const one = {
      'Chart.yaml':
        'apiVersion: v2\nname: one\nversion: 1.0.0\ndependencies: [{name: grand, version: "*", alias: big, condition: big.enabled}]\n',
      'values.yaml': 'x: 1\nexports: {data: {from: one}}\nbig: {enabled: true}\n',
      ...grandchild,
    };
    const files = declaring(
      '- {name: one, version: 1.x, alias: first, import-values: [data]}\n- {name: one, version: 1.x, alias: second, import-values: [{child: exports.data, parent: imported}]}\n- {name: one, version: "*"}\n',
      own('one', one),
      'first: {x: 2, big: {g: 3}}\nsecond: {big: {enabled: false}}\n',
    );
    expectHelmsOutput([{ files }, { files, values: { first: { big: { enabled: false } }, one: { x: 9 } } }]);
  });

  test('with aliases of charts with undeclared dependencies', () => {
    const one = own('one', { 'values.yaml': 'x: 1\n', ...inCharts('grand', { ...SHOW, 'values.yaml': 'g: 1\n' }) });
    expectHelmsOutput([
      { files: declaring('- {name: one, version: "*", alias: a}\n- {name: one, version: "*", alias: b}\n', one) },
    ]);
  });

  test('with import-values', () => {
    const one = own('one', {
      'values.yaml': 'exports: {data: {a: child, n: null, deep: {x: 1}}}\nother: {b: child}\nscalar: 1\n',
    });
    const imports =
      '["data", {child: other, parent: got}, {child: scalar, parent: y}, {child: none, parent: z}, "none", 5]';
    const files = declaring(
      `- {name: one, version: 1.x, import-values: ${imports}}\n`,
      one,
      'deep: {x: parent, y: 1}\ngot: {c: 1}\n',
    );
    expectHelmsOutput([
      { files },
      { files, values: { a: null, got: null, one: { other: { b: 'given' } } } },
      { files, values: { one: { exports: { data: { a: 'given' } } } } },
    ]);
  });

  test('with library charts, which print nothing', () => {
    const library = {
      'Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n',
      'templates/_l.tpl': '{{ define "lib.x" }}x: {{ .Values.v }}{{ end }}',
      'templates/l.yaml': '{{ define "lib.y" }}y: 1{{ end }}z: 1',
    };
    const use = { 'templates/use.yaml': '{{ include "lib.x" . }}', 'values.yaml': 'v: 1\n' };
    expectHelmsOutput([{ files: chartFiles({ ...use, ...inCharts('lib', library) }) }]);
    expectRefusal([
      { files: chartFiles({ ...use, 'templates/use.yaml': '{{ include "lib.y" . }}', ...inCharts('lib', library) }) },
      { files: library },
    ]);
  });

  test('with .Subcharts, and values that templates change', () => {
    expectHelmsOutput([
      {
        files: chartFiles({
          'values.yaml': 'list: []\n',
          'templates/a.yaml':
            'a: {{ .Subcharts.one.Values.x }} {{ .Subcharts.one.Chart.Name }} {{ .Values.one.changed }} {{ .Values.own }}',
          'templates/b.yaml': '{{ $_ := set .Values "own" "b" }}b: {{ .Values.own }}',
          ...inCharts('one', {
            'values.yaml': 'x: 1\n',
            'templates/c.yaml': '{{ $_ := set .Values "changed" "c" }}c: 1',
          }),
        }),
      },
    ]);
  });

  test('in v1 charts, which declare them in requirements.yaml', () => {
    const requirements = 'dependencies:\n- {name: one, version: 1.x, condition: one.enabled, repository: x}\n';
    const files = (apiVersion: string) => ({
      'Chart.yaml': `${apiVersion}name: parent\nversion: 1.0.0\n`,
      'requirements.yaml': requirements,
      'templates/files.yaml': '{{ range $path, $_ := .Files }}{{ $path }}: 1\n{{ end }}x: 1',
      ...SHOW,
      ...own('one'),
    });
    const values = { one: { enabled: false } };
    expectHelmsOutput(
      ['apiVersion: v1\n', '', 'apiVersion: v2\n'].map((version) => ({ files: files(version), values })),
    );
  });

  test('refusing missing ones, and treating those of a wrong version as undeclared', () => {
    const [{ ours, helms } = { ours: '', helms: '' }] = expectRefusal([
      { files: declaring('- {name: one, version: 1.x}\n- {name: two, version: 1.x}\n', own('one')) },
    ]);
    expect(ours).toContain(helms);
    expectHelmsOutput([
      {
        files: declaring('- {name: one, version: 2.x, alias: a, condition: one.enabled}\n', own('one')),
        values: { one: { enabled: false } },
      },
    ]);
  });

  test('with dots in names, which get no values', () => {
    expectHelmsOutput([{ files: chartFiles({ ...SHOW, ...inCharts('a.b', { ...SHOW, 'values.yaml': 'x: 1\n' }) }) }]);
  });
});
