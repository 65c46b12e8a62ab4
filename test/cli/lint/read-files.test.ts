import fc from 'fast-check';
import type { Values } from '#base/values';
import { readChart } from '#helm/chart/chart';
import { inflatedChart, readChartFolder } from '#lib/cli/lint/chart-folders';
import { lint } from '#lib/cli/lint/lint';
import { readFiles } from '#lib/cli/lint/read-files';
import { unreadCount, unreadLines } from '#lib/cli/lint/unread';
import {
  assumedRelease,
  checkValuesFiles,
  meshValuesIn,
  OWN_KEYS,
  valuesBeside,
  valuesIn,
} from '#lib/cli/lint/values-files';
import { checkGivenValues } from '#lib/cli/render-chart';
import { documentsIn } from '#lib/cli/repository/documents';
import { changedBy } from '#lib/cli/repository/kustomized-object';
import { readFile } from '#lib/cli/repository/read-file';
import { releaseOfPart } from '#lib/cli/repository/release-of-sources';
import { RepositoryFiles } from '#lib/cli/repository/repository-files';
import { versionRange } from '#lib/cli/repository/version-range';
import { RELEASES } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { RENDERED_CHART_NAMES, type RenderedChartName } from '#linkerd/renderers/chart-names';
import { chartNamed } from '#linkerd/renderers/native-charts';
import { runs } from '#test/support/depth';
import { expectLinear } from '#test/support/growth';

type Files = Readonly<Record<string, string>>;

const object = (name: string) => `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${name} }\n`;

/** The objects that lint reads, as `place name namespace`. */
function appliedIn(files: Files): readonly string[] {
  return readFiles(new Map(Object.entries(files)), {}).objects.map(
    ({ object: { metadata }, source, at = source.file }) => `${at} ${metadata.name} ${metadata.namespace ?? '-'}`,
  );
}

function namedIn(files: Files): readonly string[] {
  return readFiles(new Map(Object.entries(files)), {}).skipped.map(({ source, why }) => `${source.file} ${why}`);
}

/** For a kustomization of accounts a and b: its data, the objects that are read, and reasons for unread ones. */
const PATCHED: readonly (readonly [data: string, applied: readonly string[], named?: readonly string[]])[] = [
  ['patches: [{ path: p.yaml }]', ['a -', 'b -']],
  ['patches: [{ path: d.yaml }]', ['b -']],
  ['patches: [{ path: d.yaml, target: { kind: Service.*, name: b } }]', ['a -']],
  ['patches: [{ patch: "[]", target: { kind: ServiceAccount } }]', ['a -', 'b -']],
  ['patches: [{ patch: "$patch: delete", target: { name: "[ac]" } }]', ['b -']],
  ['patches: [{ patch: "$patch: delete", target: { namespace: shop } }]', ['a -', 'b -']],
  ['patches: [{ patch: "$patch: delete", target: { namespace: default, version: v1, group: "" } }]', []],
  ['patches: [{ patch: "$patch: delete", target: { group: apps } }]', ['a -', 'b -']],
  ['patches: [{ patch: "kind: ServiceAccount\\nmetadata: { name: b, labels: { a: b } }" }]', ['a -', 'b -']],
  ['patches: [{ patch: "kind: ServiceAccount\\nmetadata: { name: b }\\nsecrets: [{ name: s }]" }]', ['a -', 'b -']],
  [
    'patches: [{ patch: "kind: ServiceAccount\\nmetadata: { name: b }\\nsecrets: [{ namespace: s }]" }]',
    ['a -'],
    ['patches'],
  ],
  ['patches: [{ patch: "[{ op: copy }]", target: { name: a } }]', ['b -'], ['patches']],
  ['patches: [{ patch: "[{ op: remove, path: /x/y }]", target: { name: a } }]', ['b -'], ['patches']],
  ['patches: [{ patch: "[]", target: { name: a, labelSelector: "x in (y)" } }]', ['b -'], ['patches']],
  ['patches: [{ path: none.yaml, target: { name: a } }]', ['b -'], ['patches']],
  ['patches: [{ patch: "[]", target: { name: "(" } }]', [], ['kustomization']],
  ['patches: [{ path: none.yaml }]', [], ['kustomization']],
  ['patches: [null]', [], ['kustomization']],
  ['patches: { path: p.yaml }', [], ['kustomization']],
  ['patchesStrategicMerge: [d.yaml]', ['b -']],
  ['patchesStrategicMerge: ["{ kind: ServiceAccount, metadata: { name: b }, $patch: delete }"]', ['a -']],
  ['patchesStrategicMerge: ["{ kind: ServiceAccount, metadata: { name: b }, $patch: replace }"]', ['a -'], ['patches']],
  ['patchesStrategicMerge: [none.yaml]', [], ['kustomization']],
  ['patchesJson6902: [{ path: d.yaml, target: { kind: ServiceAccount, name: a } }]', ['b -']],
  ['replacements: [{ source: {}, targets: [{ select: { name: b } }] }]', ['a -'], ['patches']],
  ['replacements: [{ path: r.yaml }]', ['b -'], ['patches']],
  ['replacements: [{ path: none.yaml }]', [], ['kustomization']],
  ['components: [c]', ['b c']],
  ['components: [c/]\nnamespace: shop', ['b shop']],
  ['components: ["https://example.com/c"]', [], ['kustomization']],
  ['components: [e]', [], ['e/kustomization.yaml circle']],
  ['transformers: [p.yaml]\npatches: [{ path: p.yaml }]', [], ['kustomization']],
  ['transformers: [t.yaml]', ['b -'], ['patches']],
  ['transformers: ["{ kind: LabelTransformer, fieldSpecs: [{ kind: Service }] }"]', ['a -', 'b -'], ['patches']],
  ['transformers: ["{ kind: LabelTransformer, fieldSpecs: [{ path: metadata/labels }] }"]', [], ['kustomization']],
  ['transformers: ["{ kind: ReplicaCountTransformer, replica: { name: a } }"]', ['b -'], ['patches']],
  ['transformers: [none/]', [], ['kustomization']],
  ['transformers: []\ngenerators: null', ['a -', 'b -']],
  ['generators: [g.yaml]', ['a -', 'b -'], ['patches']],
  ['namePrefix: p-\nnameSuffix: -s\nnamespace: shop', ['a shop', 'b shop']],
  ['vars: [{ name: X }]', [], ['kustomization']],
];

/** The containers of a Deployment before patches. */
const CONTAINERS = [
  { name: 'a', image: 'a:1', args: ['x'], env: [{ name: 'E', value: '1' }], ports: [{ containerPort: 80, name: 'p' }] },
  { name: 'b', image: 'b:1' },
];
const [CONTAINER_A, CONTAINER_B] = CONTAINERS;

test.each<[what: string, pods: string, containers: readonly object[] | undefined]>([
  ['an image', 'containers: [{ name: a, image: "a:2" }]', [{ ...CONTAINER_A, image: 'a:2' }, { ...CONTAINER_B }]],
  ['another container', 'containers: [{ name: c, image: c }]', [{ name: 'c', image: 'c' }, ...CONTAINERS]],
  ['a deleted container', 'containers: [{ name: a, $patch: delete }]', [{ ...CONTAINER_B }]],
  ['a replaced list', 'containers: [{ $patch: replace }, { name: c }]', [{ name: 'c' }]],
  [
    'a replaced container',
    'containers: [{ name: a, $patch: replace, image: x }]',
    [{ name: 'a', image: 'x' }, { ...CONTAINER_B }],
  ],
  ['arguments', 'containers: [{ name: a, args: [z] }]', [{ ...CONTAINER_A, args: ['z'] }, { ...CONTAINER_B }]],
  [
    'variables',
    'containers: [{ name: a, env: [{ name: E, value: null, valueFrom: {} }, { name: F }] }]',
    [{ ...CONTAINER_A, env: [{ name: 'F' }, { name: 'E', valueFrom: {} }] }, { ...CONTAINER_B }],
  ],
  [
    'ports of a protocol',
    'containers: [{ name: a, ports: [{ containerPort: 80, protocol: UDP }, { containerPort: 80, name: q }] }]',
    [
      {
        ...CONTAINER_A,
        ports: [
          { containerPort: 80, protocol: 'UDP' },
          { containerPort: 80, name: 'q' },
        ],
      },
      { ...CONTAINER_B },
    ],
  ],
  ['null in place of a list', 'containers: null', undefined],
])('lint merges patches with %s', (_, pods, containers) => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  const files = new Map([
    ['kustomization.yaml', 'resources: [a.json]\npatches: [{ path: p.yaml }]'],
    ['a.json', JSON.stringify({ ...deployment, spec: { template: { spec: { containers: CONTAINERS } } } })],
    [
      'p.yaml',
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { ${pods} } } }`,
    ],
  ]);
  const { objects, skipped } = readFiles(files, {});
  const spec = objects[0]?.object.spec as { template: { spec: { containers?: unknown } } } | undefined;
  expect(spec?.template.spec.containers).toEqual(containers);
  expect(skipped).toEqual([]);
});

/** The files to which the kustomizations refer. */
const TEXTS: Files = {
  'p.yaml': object('a'),
  'd.yaml': `$patch: delete\n${object('a')}`,
  'r.yaml': '[{ source: {}, targets: [{ select: { kind: ServiceAccount, name: a } }] }]',
  't.yaml': 'kind: PatchTransformer\nmetadata: { name: x }\ntarget: { name: a }\npatch: "[]"\n',
  'c/kustomization.yaml': 'kind: Component\nnamespace: c\npatches: [{ path: ../d.yaml }]',
  'e/kustomization.yaml': 'kind: Component\ncomponents: [../f]',
  'f/kustomization.yaml': 'kind: Component\ncomponents: [../e]',
};
const REFERRED: Readonly<Record<string, readonly string[]>> = {
  'p.yaml': ['p.yaml'],
  'd.yaml': ['d.yaml', '[c'],
  'r.yaml': ['r.yaml'],
  't.yaml': ['t.yaml'],
  'c/kustomization.yaml': ['[c'],
  'e/kustomization.yaml': ['[e'],
  'f/kustomization.yaml': ['[e'],
};

const BASE = { 'base/kustomization.yaml': 'resources: [a.yaml]\n', 'base/a.yaml': object('a') };

test.each<readonly [what: string, files: Files, applied: readonly string[], named: readonly string[]]>([
  ['a kustomization', BASE, ['base/a.yaml a -'], []],
  [
    'a kustomization with a namespace',
    { ...BASE, 'base/kustomization.yaml': 'namespace: ns\nresources: [./a.yaml]' },
    ['base/a.yaml a ns'],
    [],
  ],
  [
    'two overlays of one base',
    {
      ...BASE,
      'x/Kustomization': 'namespace: x\nresources: [../base]',
      'y/kustomization.yml': 'namespace: prod\nbases: [../base/]',
    },
    ['x/base/a.yaml a x', 'y/base/a.yaml a prod'],
    [],
  ],
  [
    'an overlay of an overlay',
    {
      ...BASE,
      'x/kustomization.yaml': 'namespace: x\nresources: [../base]',
      'kustomization.yaml': 'namespace: z\nresources: [x]',
    },
    ['base/a.yaml a z'],
    [],
  ],
  [
    'patches of a base, which change their targets',
    {
      ...BASE,
      'x/kustomization.yaml': 'resources: [../base, b.yaml]\npatches: [{ path: p.yaml }]',
      'x/p.yaml': object('a'),
      'x/b.yaml': object('b'),
      'x/other.yaml': object('other'),
    },
    ['x/base/a.yaml a -', 'x/b.yaml b -', 'x/other.yaml other -'],
    [],
  ],
  [
    'patches of objects that another kustomization also applies',
    {
      ...BASE,
      'x/kustomization.yaml': 'resources: [../base]\nvars: [{ name: X }]',
      'y/kustomization.yaml': 'resources: [../base]',
    },
    ['y/base/a.yaml a -'],
    ['x/kustomization.yaml kustomization'],
  ],
  [
    'empty patches',
    { ...BASE, 'base/kustomization.yaml': 'resources: [a.yaml]\npatches: []\n' },
    ['base/a.yaml a -'],
    [],
  ],
  [
    'a component',
    { 'c/kustomization.yaml': 'kind: Component\nresources: [a.yaml]', 'c/a.yaml': object('a') },
    ['c/a.yaml a -'],
    ['c/kustomization.yaml patches'],
  ],
  ...PATCHED.map(
    ([data, applied, named = []]) =>
      [
        data,
        {
          'kustomization.yaml': `resources: [ab.yaml]\n${data}`,
          'ab.yaml': `${object('a')}---\n${object('b')}`,
          ...Object.fromEntries(
            Object.entries(REFERRED)
              .filter(([, words]) => words.some((word) => data.includes(word)))
              .map(([path]) => [path, TEXTS[path] ?? '']),
          ),
        },
        applied.map((name) => `ab.yaml ${name}`),
        named.map((why) => (why.includes(' ') ? why : `kustomization.yaml ${why}`)),
      ] as const,
  ),
  [
    'patches of an inner kustomization, and of one around it',
    {
      'base/kustomization.yaml': `resources: [abc.yaml]\npatches: [{ target: { name: a }, path: none }]`,
      'base/abc.yaml': ['a', 'b', 'c'].map(object).join('---\n'),
      'kustomization.yaml':
        'namespace: shop\nresources: [base]\npatches: [{ target: { kind: ServiceAccount, name: "b|x" }, path: none }]',
    },
    ['base/abc.yaml c shop'],
    ['kustomization.yaml patches', 'base/kustomization.yaml patches'],
  ],
  [
    'resources of a component',
    {
      'c/kustomization.yaml': 'kind: Component\nresources: [a.yaml]',
      'c/a.yaml': object('a'),
      'x/kustomization.yaml': 'namespace: x\ncomponents: [../c]',
    },
    ['x/c/a.yaml a x'],
    [],
  ],
  [
    'kustomizations that list each other',
    { 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' },
    [],
    ['a/kustomization.yaml circle', 'b/kustomization.yaml circle'],
  ],
  [
    'kustomizations that list each other, and one that lists them',
    {
      'a/kustomization.yaml': 'resources: [../b]',
      'b/kustomization.yaml': 'resources: [../b/c]',
      'b/c/kustomization.yaml': 'resources: [..]',
    },
    [],
    ['b/kustomization.yaml circle'],
  ],
  [
    'a kustomization that lists itself',
    { 'a/kustomization.yaml': 'resources: [., ./]' },
    [],
    ['a/kustomization.yaml circle', 'a/kustomization.yaml circle'],
  ],
  ['a kustomization that is not YAML', { 'a/kustomization.yaml': '{{' }, [], ['a/kustomization.yaml kustomization']],
  ['a kustomization that is a list', { 'a/kustomization.yaml': '[]' }, [], ['a/kustomization.yaml kustomization']],
  [
    'a namespace with the name of a folder',
    { ...BASE, 'kustomization.yaml': 'namespace: base\nresources: [b.yaml]', 'b.yaml': object('b') },
    ['base/a.yaml a -', 'b.yaml b base'],
    [],
  ],
  [
    'resources that are not in the files',
    { 'a/kustomization.yaml': 'resources: ["https://example.com/x", ../none, 5]' },
    [],
    ['a/kustomization.yaml elsewhere', 'a/kustomization.yaml elsewhere'],
  ],
])('lint reads %s', (_, files, applied, named) => {
  expect(appliedIn(files)).toEqual(applied);
  expect(namedIn(files)).toEqual(named);
});

const RELEASE = (value: string) =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: a }\nspec:\n  values: { a: ${value} }\n`;
const itemOf = (text: string) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`;
const LIST = 'apiVersion: v1\nkind: List\nitems:\n';
const REFERS_TO_NOTHING = 'an alias or a merge key refers to no anchor above it';

test.each<[what: string, text: string, read: readonly string[]]>([
  ['an alias without an anchor', `${object('a')}x: *x\n`, [`1 ${REFERS_TO_NOTHING}`]],
  [
    'an alias to the anchor of another document',
    `${object('&x a')}---\n${object('*x')}`,
    ['1 a', `5 ${REFERS_TO_NOTHING}`],
  ],
  ['a merge key without a map', `${object('a')}<<: 5\n`, [`1 ${REFERS_TO_NOTHING}`]],
  ['an infinite number', `${object('a')}x: [.inf]\n`, ['1 0 is Infinity']],
  ['NaN', `${object('a')}x: .nan\n`, ['1 x is NaN']],
  ['many uses of an alias', `${object('a')}x: &x { y: 1 }\nz: [${'*x, '.repeat(300)}]\n`, ['1 a']],
  ['an alias of itself', `${object('a')}x: &x [*x]\n`, ['- aliases expand to more than 1000000 values']],
  ['a repeated key', `# a\n${object('a')}kind: A\n---\n${object('b')}`, ['5 duplicate key', '7 b']],
  ['a repeated key next to a template', `${object('a')}kind: "{{ a }}"\n`, ['4 template']],
  ['a List without a version', 'apiVersion: null\nkind: List\nmetadata: {}\n', ['1 undefined']],
  ['a List of any version', 'apiVersion: 1\nkind: List\nmetadata: {}\n', ['1 undefined']],
  ['a List without items', 'apiVersion: v1\nkind: List\nitems:\n', ['3 items of a List is null, which is not a list']],
  ['a List in a List', `${LIST}${itemOf(`${LIST}${itemOf(object('b'))}`)}${itemOf(object('a'))}`, ['7 b', '10 a']],
  ['a List of one kind', LIST.replace('List', 'SecretList') + itemOf('metadata: { name: a }'), ['4 a']],
  ['a template in a List', `${LIST}${itemOf(object('{{ a }}'))}${itemOf(object('a'))}`, ['1 template']],
  ['a template in place of an item', `${LIST}- {{ a }}\n`, ['1 template']],
  ['a template in place of items', `${LIST.trimEnd()} {{ a }}\n`, ['1 template']],
  ['values that Flux fills in', RELEASE('"${a}"'), ['1 a']],
  ['values that Flux fills in, in a List', `${LIST}${itemOf(RELEASE('"${a}"'))}`, ['4 a']],
  ['a byte order mark and Windows line ends', `\ufeff# a\n${object('a')}`.replaceAll('\n', '\r\n'), ['2 a']],
  ['different document ends', `%YAML 1.1\n--- # a\n${object('a')}...\n---\n---\n${object('b')}`, ['3 a', '9 b']],
  ['comments alone', '# apiVersion, kind\n---\n# a\n', []],
])('lint reads a file with %s', (_, text, expected) => {
  const { objects, problems, skipped } = readFile('a.yaml', text);
  expect(
    [
      ...problems.map(({ problem, source }) => `${source.line ?? '-'} ${problem.parameters?.reason ?? problem.what}`),
      ...objects.map(({ object: { metadata }, source }) => `${source.line} ${metadata.name}`),
      ...skipped.map(({ why, source }) => `${source.line} ${why}`),
    ].toSorted(),
  ).toEqual(expected.toSorted());
});

test('lint reads each document of a file as it would read the document alone', () => {
  const documents = [
    ...[object('a'), RELEASE('"{{ a }}"'), `${LIST}${itemOf(object('ü'))}- null\n`, '# a\n', '"text"\n', '- 1\n', ''],
    ...['a: 1\na: 2\n', 'a: [1\n', 'a: *x\n', 'a: .inf\n', 'a: &x { <<: 1 }\n', '{{ a }}: {{ b }}\n', 'a: &x b\n'],
  ];
  const isRead = ({ data, unreadable }: ReturnType<typeof documentsIn>[number]) =>
    data !== null || unreadable !== undefined;
  const markers = fc.constantFrom('---\n', '--- # next\n', '...\n---\n', '---\n# next\n---\n');
  const parts = fc.array(fc.tuple(fc.constantFrom(...documents), markers), { maxLength: 5 });
  fc.assert(
    fc.property(parts, fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\ufeff'), (all, newline, mark) => {
      const whole = all.map((one) => one.join('')).join('');
      const alone = all.flatMap(([text], index) => {
        const before = all.slice(0, index).flat().join('').split('\n').length - 1;
        return documentsIn(text)
          .filter(isRead)
          .map(({ data, maps, others, line = 1, unreadable }) => ({
            ...{ data, unreadable, line: line + before },
            ...{ maps: maps.map((one) => ({ ...one, line: one.line + before })) },
            ...{ others: others.map((one) => ({ ...one, line: one.line + before })) },
          }));
      });
      const read = documentsIn(mark + whole.replaceAll('\n', newline)).filter(isRead);
      expect(read.map(({ text: _, firstLine: __, ...one }) => ({ unreadable: undefined, ...one }))).toEqual(alone);
    }),
    { numRuns: runs(200) },
  );
});

test('lint checks separately the objects that no patch changes, and counts the files that patches hide', () => {
  const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: shop }\n';
  const service = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: a, namespace: shop }\n';
  const namespace =
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, annotations: { linkerd.io/inject: enable } }\n';
  const lintWith = (data: string) =>
    lint(
      new Map([
        ['kustomization.yaml', `resources: [a.yaml, b.yaml, c.yaml]\n${data}`],
        ['a.yaml', namespace],
        ['b.yaml', deployment],
        ['c.yaml', service],
      ]),
      { external: [] },
    );
  const target = (kind: string) => `patches: [{ path: none, target: { kind: ${kind} } }]`;
  const namesIn = ({ findings, skipped }: ReturnType<typeof lint>) => [
    ...new Set(findings.map(({ source, problem }) => `${source?.file}:${source?.line} ${problem.code}`)),
    unreadCount(skipped),
  ];
  expect(namesIn(lintWith(target('Deployment')))).toEqual(['a.yaml:3 control-plane-value-refused', '2 files']);
  expect(namesIn(lintWith(target('Deployment|Namespace')))).toEqual(['3 files']);
  expect(namesIn(lintWith('vars: [{ name: X }]'))).toEqual(['4 files']);
  expect(namesIn(lintWith('namePrefix: p-'))).toEqual([
    'b.yaml:1 field-refused',
    'a.yaml:3 control-plane-value-refused',
    '0 files',
  ]);
});

test('lint reads kustomizations that list each other twice, in bounded time', () => {
  const files = Array.from({ length: 40 }, (_, index) => [
    [`${index}/kustomization.yaml`, `resources: [../${index + 1}, ../${index + 1}/.]`],
  ]).flat();
  expect(() => readFiles(new Map(files as [string, string][]), {})).not.toThrow();
});

test('lint does not read a text of excessive length as a range', () => {
  expect(versionRange('1'.repeat(10_000_000))).toBeUndefined();
  expect(versionRange(`${'1.x || '.repeat(100)}2.x`)?.('2.0.0')).toBe(true);
});

test('lint reads patterns of patches in linear time', () => {
  const long = 'a'.repeat(60);
  const files = {
    'kustomization.yaml': 'resources: [a.yaml]\npatches: [{ patch: "[]", target: { name: "(a+)+b" } }]',
    'a.yaml': `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${long} }\n`,
  };
  expect(readFiles(new Map(Object.entries(files)), {}).objects.map(({ object }) => object.metadata.name)).toEqual([
    long,
  ]);
});

const POD = { metadata: {}, spec: { containers: [{ name: 'a', image: 'r:5000/web:1' }] } };
const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 1, template: POD },
};

test.each([
  [{ commonLabels: { a: 'b' } }, 'metadata.labels.a', 'b'],
  [{ commonLabels: { a: 'b' } }, 'spec.selector.matchLabels.a', 'b'],
  [{ labels: [{ pairs: { a: 'b' } }] }, 'spec.template.metadata.labels', undefined],
  [{ labels: [{ pairs: { a: 'b' }, includeTemplates: true }] }, 'spec.template.metadata.labels.a', 'b'],
  [{ commonAnnotations: { a: 'b' } }, 'spec.template.metadata.annotations.a', 'b'],
  [{ images: [{ name: 'r:5000/web', newTag: 2 }] }, 'spec.template.spec.containers.0.image', 'r:5000/web:2'],
  [
    { images: [{ name: 'r:5000/web', newName: 'x', digest: 'sha256:1' }] },
    'spec.template.spec.containers.0.image',
    'x@sha256:1',
  ],
  [{ images: [{ name: 'web', newTag: '2' }] }, 'spec.template.spec.containers.0.image', 'r:5000/web:1'],
  [{ replicas: [{ name: 'web', count: 3 }] }, 'spec.replicas', 3],
  [
    { images: [{ name: 'r:5000/web', newTag: 2, digest: 'sha256:1' }] },
    'spec.template.spec.containers.0.image',
    'r:5000/web:2@sha256:1',
  ],
  [{ namespace: 'n' }, 'metadata.namespace', 'n'],
  [{ namespace: null, labels: 5, images: {}, replicas: [null] }, 'metadata', { name: 'web' }],
])('a kustomization with %j results in %s: %j', (data, path, value) => {
  const changed: unknown = path
    .split('.')
    .reduce<unknown>(
      (holder, key) => (holder as Record<string, unknown> | undefined)?.[key],
      changedBy(WEB, data as Values),
    );
  expect(changed).toEqual(value);
});

test.each<[kind: string, apiVersion: string, spec: object, after: object]>([
  ['Service', 'v1', {}, { selector: { a: 'b' } }],
  ['Service', 'serving.knative.dev/v1', { selector: {} }, { selector: {} }],
  ['PodDisruptionBudget', 'policy/v1', { selector: { matchLabels: {} } }, { selector: { matchLabels: { a: 'b' } } }],
  ['NetworkPolicy', 'networking.k8s.io/v1', { podSelector: {} }, { podSelector: {} }],
  [
    'NetworkPolicy',
    'networking.k8s.io/v1',
    { podSelector: { matchLabels: { c: 'd' } } },
    { podSelector: { matchLabels: { c: 'd', a: 'b' } } },
  ],
  ['Job', 'batch/v1', { template: {} }, { template: { metadata: { labels: { a: 'b' } } } }],
  [
    'CronJob',
    'batch/v1',
    { jobTemplate: { spec: { template: {} } } },
    {
      jobTemplate: {
        metadata: { labels: { a: 'b' } },
        spec: { template: { metadata: { labels: { a: 'b' } } } },
      },
    },
  ],
])('labels of a kustomization are where Kustomize adds them to a %s of %s', (kind, apiVersion, spec, after) => {
  const changed = changedBy({ apiVersion, kind, metadata: { name: 'a' }, spec }, { commonLabels: { a: 'b' } });
  expect(changed.spec).toEqual(after);
});

test('a kustomization scales kinds with replicas, by their name in the file', () => {
  const scaled = (kind: string) =>
    changedBy({ ...WEB, kind, spec: {} }, { replicas: [{ name: 'web', count: 3 }] }).spec;
  expect(['Deployment', 'StatefulSet', 'DaemonSet', 'X'].map(scaled)).toEqual([
    { replicas: 3 },
    { replicas: 3 },
    {},
    {},
  ]);
});

test('a kustomization renames Namespaces, and moves the accounts of bindings with it', () => {
  const inNamespace = (given: object) =>
    changedBy({ apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, ...given }, { namespace: 'n' });
  expect(inNamespace({ kind: 'Namespace' }).metadata).toEqual({ name: 'n' });
  const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' };
  const subjects = [
    { kind: 'ServiceAccount', name: 'a' },
    { kind: 'ServiceAccount', name: 'b', namespace: 'kube-system' },
  ];
  const bound = inNamespace({ ...binding, subjects });
  expect(bound.metadata).toEqual({ name: 'a' });
  expect(bound.subjects).toEqual([{ ...subjects[0], namespace: 'n' }, subjects[1]]);
});

const bytes = (files: Files) =>
  new Map(Object.entries(files).map(([path, text]) => [path, new Uint8Array(Buffer.from(text))]));
const CHART = { 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', 'values.yaml': 'name: web\n' };

test('lint renders charts with their default values, and reports findings at their templates', () => {
  const template = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: "{{ .Values.name }}" }\n';
  const files = { ...CHART, 'templates/a.yaml': template, 'crds/b.yaml': object('crd'), 'templates/NOTES.txt': 'x' };
  const charts = [{ folder: 'charts/shop', chart: readChart(bytes(files)), values: '' }];
  const { objects, skipped } = readFiles(new Map(), { charts });
  expect(objects.map(({ object: { metadata }, source }) => [source, metadata.name])).toEqual([
    [{ file: 'charts/shop/crds/b.yaml' }, 'crd'],
    [{ file: 'charts/shop/templates/a.yaml' }, 'web'],
  ]);
  expect(skipped).toEqual([]);
});

/** The result of lint for a kustomization with charts: objects, findings and unread files. */
function inflated(kustomization: object, charts: readonly string[], files: Files = {}) {
  const template =
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: "{{ .Values.name }}", namespace: "{{ .Release.Namespace }}" }\n';
  const chart = readChart(bytes({ ...CHART, 'templates/a.yaml': template, 'crds/b.yaml': object('crd') }));
  const texts = { 'k/kustomization.yaml': JSON.stringify(kustomization), 'k/own.yaml': 'name: own\n', ...files };
  const others = { charts: charts.map((folder) => ({ folder, chart, values: CHART['values.yaml'] })) };
  const { objects } = readFiles(new Map(Object.entries(texts)), others);
  const { findings, skipped } = lint(new Map(Object.entries(texts)), others);
  return [
    ...objects.map(({ object: { metadata } }) => `${metadata.namespace ?? '-'}/${metadata.name}`),
    ...findings.map(({ source, problem: { code, about } }) => `${source?.file} ${code} ${about ?? ''}`.trim()),
    ...unreadLines(skipped).map((line) => line.split(': ').slice(0, 2).join(': ')),
  ];
}

const SHOP = { name: 'shop', namespace: 'ns', releaseName: 'r', version: '1.0.0' };

test.each<[string, object, readonly string[], readonly string[]]>([
  ['a chart in the folder charts', { helmCharts: [SHOP] }, ['k/charts/shop'], ['ns/web']],
  ['a chart in a folder of its version', { helmCharts: [SHOP] }, ['k/charts/shop-1.0.0/shop'], ['ns/web']],
  ['a chart in another folder', { helmGlobals: { chartHome: '../c' }, helmCharts: [SHOP] }, ['c/shop'], ['ns/web']],
  ['values', { helmCharts: [{ ...SHOP, valuesInline: { name: 'x' } }] }, ['k/charts/shop'], ['ns/x']],
  ['a values file', { helmCharts: [{ ...SHOP, valuesFile: 'own.yaml' }] }, ['k/charts/shop'], ['ns/own']],
  [
    'values below those of a file',
    {
      helmCharts: [{ ...SHOP, valuesMerge: 'merge', additionalValuesFiles: ['own.yaml'], valuesInline: { name: 'x' } }],
    },
    ['k/charts/shop'],
    ['ns/own'],
  ],
  ['CRDs', { helmCharts: [{ ...SHOP, includeCRDs: true }] }, ['k/charts/shop'], ['-/crd', 'ns/web']],
  ['a namespace', { namespace: 'all', helmCharts: [SHOP] }, ['k/charts/shop'], ['all/web']],
  [
    'the older field',
    { helmChartInflationGenerator: [{ chartName: 'shop', releaseNamespace: 'ns', values: 'own.yaml' }] },
    ['k/charts/shop'],
    ['ns/own'],
  ],
  [
    'a patch of a rendered object',
    { helmCharts: [SHOP], patches: [{ patch: '$patch: delete', target: { name: 'web' } }] },
    ['k/charts/shop'],
    [],
  ],
  ['a missing chart', { helmCharts: [SHOP] }, [], ['not read: k/kustomization.yaml']],
  [
    'a missing values file',
    { helmCharts: [{ ...SHOP, valuesFile: 'x.yaml' }] },
    ['k/charts/shop'],
    ['-/crd', 'default/web', 'not read: k/kustomization.yaml'],
  ],
  ['no charts', { helmCharts: null }, ['k/charts/shop'], ['default/web', '-/crd']],
])('lint renders the charts of a kustomization: %s', (_, kustomization, charts, expected) => {
  expect(inflated(kustomization, charts).sort()).toEqual([...expected].sort());
});

test('lint renders no chart of an invalid kustomization', () => {
  const own = { data: {}, file: 'kustomization.yaml', line: 1 };
  const at = (files: Files) => ({ folder: 'charts/shop', chart: readChart(bytes({ ...CHART, ...files })), values: '' });
  const repository = new RepositoryFiles(new Map());
  const inflate = (files: Files) => inflatedChart({ name: 'shop' }, own, { charts: [at(files)], repository });
  expect(inflate({})?.at.folder).toBe('charts/shop');
  expect(inflate({ 'templates/a.yaml': '{{ fail "no" }}' })).toBeUndefined();
});

test('lint checks the values of a Linkerd chart that a kustomization renders, and reads its other resources', () => {
  const chart = { name: 'linkerd-viz', version: '2026.8.1', valuesInline: { dashboards: {} } };
  expect(inflated({ resources: ['a.yaml'], helmCharts: [chart] }, [], { 'k/a.yaml': object('a') })).toEqual([
    '-/a',
    'k/kustomization.yaml chart-value-refused values.dashboards',
    'not read: k/kustomization.yaml',
  ]);
});

test('lint compares names within a build without prefixes, and elsewhere with prefixes', () => {
  const pod = (account: string, name = 'web') =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop }\nspec: { serviceAccountName: ${account}, containers: [{ name: a, image: a:1 }] }\n`;
  const missing = (data: string, account: string) =>
    lint(
      new Map([
        ['k/kustomization.yaml', `resources: [a.yaml]\nnamespace: shop\n${data}`],
        ['k/a.yaml', `${object('a')}---\n${pod('a')}`],
        ['o/b.yaml', `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---\n${pod(account, 'other')}`],
      ]),
      { external: [] },
    ).findings.flatMap(({ source, problem: { code } }) =>
      code === 'reference-missing' ? [`${source?.file}:${source?.line}`] : [],
    );
  expect(missing('namePrefix: p-', 'p-a')).toEqual([]);
  expect(missing('nameSuffix: -s\nnamePrefix: p-', 'p-a-s')).toEqual([]);
  expect(missing('namePrefix: p-', 'p-b')).toEqual(['o/b.yaml:5']);
});

test.each([
  ['a template that fails', { 'templates/a.yaml': '{{ fail "set a name" }}' }, /set a name/],
  ['output that is not YAML', { 'templates/a.yaml': 'a: [' }, /./],
  ['the type library', { 'Chart.yaml': `${CHART['Chart.yaml']}type: library\n` }, /library/],
  [
    'missing dependencies',
    { 'Chart.yaml': `${CHART['Chart.yaml']}dependencies: [{ name: x, version: 1.0.0 }]\n` },
    /missing/,
  ],
])('lint reports the name of a chart with %s', (_, files, reason) => {
  const chart = readChart(bytes({ ...CHART, ...files }));
  const { objects = [], skipped = [] } = readChartFolder({ folder: '.', chart, values: '' });
  expect(objects).toEqual([]);
  expect(unreadLines(skipped)).toEqual([expect.stringMatching(/^not read: Chart\.yaml: a chart/)]);
  expect(skipped[0]?.reason).toMatch(reason);
});

const FLUX = (spec: object) =>
  JSON.stringify({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'm', namespace: 'n' },
    spec,
  });
const ARGO = (source: object) =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'm', namespace: 'n' },
    spec: { project: 'p', destination: { server: 'https://x' }, source: { repoURL: 'https://x', ...source } },
  });
const chartOf = (chart: string, version?: string) => ({ chart: { spec: { chart, version } } });

/** The unknown values that lint reports, by file. */
function accused(file: string): readonly string[] {
  const { findings } = lint(new Map([['m.yaml', file]]));
  return findings.map(({ source, problem: { code, about } }) => `${source?.file}:${source?.line} ${code} ${about}`);
}

test.each([
  ['a HelmRelease', FLUX({ ...chartOf('linkerd-control-plane', '2026.8.1'), values: { controllerReplica: 2 } })],
  [
    'a HelmRelease with a range',
    FLUX({ ...chartOf('linkerd-control-plane', '2026.8.x'), values: { controllerReplica: 2 } }),
  ],
  [
    'an Application',
    ARGO({ chart: 'linkerd-control-plane', targetRevision: '2026.8.1', helm: { values: 'controllerReplica: 2' } }),
  ],
  [
    'parameters',
    ARGO({
      chart: 'linkerd-control-plane',
      targetRevision: '2026.8.1',
      helm: { parameters: [{ name: 'controllerReplica', value: '2' }] },
    }),
  ],
  [
    'a HelmChart with a HelmChartConfig',
    ['HelmChart', 'HelmChartConfig']
      .map((kind) => {
        const spec =
          kind === 'HelmChart'
            ? { chart: 'linkerd-control-plane', version: '2026.8.1' }
            : { valuesContent: 'controllerReplica: 2' };
        return JSON.stringify({
          apiVersion: 'helm.cattle.io/v1',
          kind,
          metadata: { name: 'linkerd-control-plane', namespace: 'n' },
          spec,
        });
      })
      .join('\n---\n'),
  ],
])('lint reports the unknown values of %s', (_, file) => {
  expect(accused(file)).toEqual(['m.yaml:1 chart-value-refused values.controllerReplica']);
});

/** Three installers of a chart, with an optional version. */
const installers = (chart: string, version: string | undefined, values: object) => [
  FLUX({ ...chartOf(chart, version), values }),
  ARGO({ chart, targetRevision: version, helm: { valuesObject: values } }),
  JSON.stringify({
    apiVersion: 'helm.cattle.io/v1',
    kind: 'HelmChart',
    metadata: { name: chart, namespace: 'n' },
    spec: { chart, version, valuesContent: JSON.stringify(values) },
  }),
];

test.each([
  ['linkerd-control-plane', '1.x'],
  ['linkerd-control-plane', '~1.16.0'],
  ['linkerd-control-plane', '1.15.2'],
  ['linkerd-control-plane', '2026.x'],
  ['linkerd-control-plane', '^2026.8.0'],
  ['linkerd-control-plane', '>=2025.11.0 <2026.2.0'],
  ['linkerd-control-plane', '2020.1.1'],
  ['linkerd-control-plane', '*'],
  ['linkerd-control-plane', ''],
  ['linkerd-control-plane', undefined],
  ['linkerd-viz', '30.x'],
  ['linkerd-viz', '>=30.0.0'],
  ['linkerd-viz', '>= 30.0.0, < 31'],
  ['linkerd-viz', '30.8 - 30.12'],
  ['linkerd2-cni', '30.x.x || 1.x'],
  ['linkerd-jaeger', '*'],
  ['linkerd-multicluster', 'v2026'],
  ['cert-manager', 'v1.x'],
  ['trust-manager', '>=0.20.0'],
])('lint reports the unknown values of %s %s', (chart, version) => {
  for (const file of installers(chart, version, { controllerReplica: 2 })) {
    expect(accused(file)).toEqual(['m.yaml:1 chart-value-refused values.controllerReplica']);
  }
});

test.each(['31.x', '<1.0.0', 'main', 'v', '1.2.3.4', '>', '1.x |'])(
  'lint reports the version %s as unknown',
  (version) => {
    for (const file of installers('linkerd-viz', version, { dashboards: {} })) {
      const { findings, skipped } = lint(new Map([['m.yaml', file]]));
      expect(findings).toEqual([]);
      expect(unreadLines(skipped)).toEqual([
        expect.stringContaining(
          `not checked: m.yaml:1: values of a chart version that belongs to no known release of Linkerd (version "${version}" of linkerd-viz). Fix: `,
        ),
      ]);
    }
  },
);

test.each(['2026.8.4', '2027.1.1', 'v2026.12.1', '2026.8.4-rc1', '2026.8.4+a', '3000.0.0'])(
  'lint does not check the values of version %s, which is newer than all known versions',
  (version) => {
    for (const file of installers('linkerd-viz', version, { dashboards: {}, tap: 5 })) {
      const { findings, skipped } = lint(new Map([['m.yaml', `${file}\n---\n${file.replaceAll('"m"', '"n"')}`]]));
      expect(findings).toEqual([]);
      expect(unreadLines(skipped)).toEqual([
        expect.stringContaining(`(version "${version}" of linkerd-viz; the newest known version is 2026.8.3). Fix: `),
      ]);
    }
  },
);

test('lint does not check the values of a dependency of a newer version, in any values file', () => {
  const dependencies = 'dependencies: [{ name: linkerd-viz, version: 2027.1.1, alias: viz }]\n';
  const chart = readChart(bytes({ 'Chart.yaml': CHART['Chart.yaml'] + dependencies }));
  const values = 'viz: { dashboards: {} }\n';
  const { findings, skipped } = lint(new Map(), {
    charts: [{ folder: 'mesh', chart, values, overrides: new Map([['mesh/values-prod.yaml', values]]) }],
  });
  expect(findings).toEqual([]);
  expect(unreadLines(skipped.filter(({ why }) => why === 'version'))).toEqual([
    expect.stringMatching(
      /^not checked: mesh\/values\.yaml:1, mesh\/values-prod\.yaml: .*; the newest known version is/,
    ),
  ]);
});

const repository = (spec: object, kind = 'OCIRepository', namespace = 'n') =>
  JSON.stringify({ apiVersion: 'source.toolkit.fluxcd.io/v1', kind, metadata: { name: 'viz', namespace }, spec });
const VIZ_URL = 'oci://ghcr.io/linkerd/charts/linkerd-viz';

test.each<[string, string, object]>([
  ['a tag', repository({ url: VIZ_URL, ref: { tag: '2026.8.1' } }), {}],
  ['a range', repository({ url: VIZ_URL, ref: { semver: '30.x', tag: 'latest' } }), {}],
  ['a digest', repository({ url: `${VIZ_URL}/`, ref: { tag: '30.12.11', digest: 'sha256:1' } }), {}],
  [
    'another namespace',
    repository({ url: VIZ_URL, ref: { tag: '2026.8.1' } }, 'OCIRepository', 'm'),
    { namespace: 'm' },
  ],
  ['a HelmChart', repository({ chart: 'linkerd-viz', version: '*' }, 'HelmChart'), { kind: 'HelmChart' }],
])('lint reads the chart of an object with %s', (_, object, reference) => {
  const chartRef = { kind: 'OCIRepository', name: 'viz', ...reference };
  const release = FLUX({ chartRef, values: { dashboards: {} } });
  for (const file of [`${object}\n---\n${release}`, `${release}\n---\n${object}`]) {
    const { findings, skipped } = lint(new Map([['m.yaml', file]]));
    expect(findings.map(({ problem: { about } }) => about)).toEqual(['values.dashboards']);
    expect(skipped).toEqual([]);
  }
});

test.each<[string, string | undefined, string]>([
  ['that is missing', undefined, 'not read: m.yaml:1: it refers to resources that are not in these files'],
  ['of another namespace', repository({ url: VIZ_URL }, 'OCIRepository', 'm'), 'not read: m.yaml:1: it refers'],
  ['with only a digest', repository({ url: VIZ_URL, ref: { digest: 'sha256:1' } }), 'not checked: m.yaml:1: values'],
  ['without a version', repository({ url: VIZ_URL }), 'not checked: m.yaml:1: values of a chart'],
])('lint reports the chart of an object %s', (_, object, line) => {
  const release = FLUX({ chartRef: { kind: 'OCIRepository', name: 'viz' }, values: { dashboards: {} } });
  const { skipped } = lint(new Map([['m.yaml', [release, object].filter(Boolean).join('\n---\n')]]));
  expect(unreadLines(skipped)).toEqual([expect.stringContaining(line)]);
});

test('lint finds a release, the closest one, or an unknown one for any version', () => {
  const part = fc.constantFrom('2026', '30', '1', '8', 'x', '.', ' ', '-', '>=', '^', '||', ',', 'main', 'v');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const source = { chart: 'linkerd-viz', values: {}, version: parts.join(''), place: '' };
      const [key] = Object.keys(releaseOfPart(source, 'viz'));
      expect(['release', 'closest', 'unknown']).toContain(key);
    }),
  );
});

test.each<[range: string, has: readonly string[], lacks: readonly string[]]>([
  ['1.2.3', ['1.2.3', 'v1.2.3'], ['1.2.4', 'main']],
  ['=1.2', ['1.2.0', '1.2.9'], ['1.3.0', '1.1.9']],
  ['!=1.2.x', ['1.3.0', '1.1.9'], ['1.2.0']],
  ['>1.2', ['1.3.0'], ['1.2.9']],
  ['>1.2.3', ['1.2.4'], ['1.2.3']],
  ['<1.2', ['1.1.9'], ['1.2.0']],
  ['<=1.2', ['1.2.9'], ['1.3.0']],
  ['~1', ['1.0.0', '1.9.9'], ['2.0.0', '0.9.9']],
  ['~>1.2.3', ['1.2.3', '1.2.9'], ['1.2.2', '1.3.0']],
  ['^1.2.3', ['1.2.3', '1.9.0'], ['1.2.2', '2.0.0']],
  ['^0.2.3', ['0.2.3', '0.2.9'], ['0.3.0']],
  ['^0.0.3', ['0.0.3'], ['0.0.4']],
  ['^0', ['0.9.0'], ['1.0.0']],
  ['>=1.0.0-0, <2', ['1.0.0', '1.9.9'], ['2.0.0']],
  ['1.2 - 1.4', ['1.2.0', '1.4.9'], ['1.1.9', '1.5.0']],
  ['1.x || >=3', ['1.0.0', '3.0.0'], ['2.0.0']],
  ['X', ['0.0.0', '9.9.9'], []],
])('the range %s contains the same versions as in Helm', (range, has, lacks) => {
  const isIn = versionRange(range);
  expect(has.map((version) => isIn?.(version))).toEqual(has.map(() => true));
  expect(lacks.map((version) => isIn?.(version))).toEqual(lacks.map(() => false));
});

test.each(['2026.8.1', '30.12.11', '30.x', '30.9.0', '31.x', 'main', undefined])(
  'lint reports Viz without a Prometheus, however it is installed: version %s',
  (version) => {
    for (const file of installers('linkerd-viz', version, { prometheus: { enabled: false } })) {
      expect(accused(file)).toEqual(['m.yaml:1 prometheus-missing undefined']);
    }
  },
);

test.each(['2026.8.1', '1.16.11', '1.x', '*', undefined])(
  'lint reports ports that the injector cannot read: version %s',
  (version) => {
    const values = { proxyInit: { ignoreOutboundPorts: '25;587' } };
    for (const file of installers('linkerd-control-plane', version, values)) {
      expect(accused(file)).toEqual([
        expect.stringMatching(/^m\.yaml:1 port-refused .*proxyInit\.ignoreOutboundPorts/),
      ]);
    }
  },
);

test.each([
  ['of charts of other projects', FLUX({ ...chartOf('grafana', '1.0.0'), values: { x: 1 } })],
  [
    'of an unknown release that another release has, or has with another type',
    FLUX({ ...chartOf('linkerd-control-plane', '1.17.0'), values: { proxy: { tracing: {} }, proxyInit: 5 } }),
  ],
  ['that Flux replaces', FLUX({ ...chartOf('linkerd-viz', '2026.8.1'), values: { x: '${X}' } })],
  ['that are not a map', FLUX({ ...chartOf('linkerd-viz', '2026.8.1'), values: 5 })],
  ['of a chart that creates a private key in the cluster', FLUX(chartOf('linkerd-control-plane', '2026.8.1'))],
])('lint has no finding about values %s', (_, file) => {
  expect(accused(file)).toEqual([]);
});

test('lint reports values next to missing ones, and reads values that a kustomization generates', () => {
  const values = { dashboards: {} };
  const release = (extra: object) => FLUX({ ...chartOf('linkerd-viz', '2026.8.1'), ...extra });
  expect(accused(release({ values, valuesFrom: [{ kind: 'ConfigMap', name: 'v' }] }))).toEqual([
    'm.yaml:1 chart-value-refused values.dashboards',
  ]);
  const helm = { valueFiles: ['$values/a.yaml'], valuesObject: { ...values, valueFiles: 1 } };
  expect(accused(ARGO({ chart: 'linkerd-viz', targetRevision: '2026.8.1', helm }))).toEqual([
    'm.yaml:1 chart-value-refused values.dashboards',
    'm.yaml:1 chart-value-refused values.valueFiles',
  ]);
  const files = {
    'v/kustomization.yaml':
      'namespace: shop\nresources: [m.yaml]\nconfigMapGenerator: [{ name: v, files: [values.yaml=./my.yaml] }, { name: none, files: [x.crt] }, 5]',
    'v/my.yaml': 'dashboards: {}\n',
    'v/m.yaml': release({ valuesFrom: [{ kind: 'ConfigMap', name: 'v' }] }),
  };
  const { findings, skipped } = lint(new Map(Object.entries(files)));
  expect(findings.map(({ source, problem: { about } }) => `${source?.file}:${source?.line} ${about}`)).toEqual([
    'v/my.yaml:1 values.dashboards',
  ]);
  expect(skipped).toEqual([]);
  const argo = ARGO({ chart: 'linkerd-viz', targetRevision: '2026.8.1', helm: { valueFiles: ['$values/x/own.yaml'] } });
  const ofArgo = lint(
    new Map([
      ['m.yaml', argo],
      ['x/own.yaml', 'tap: {}\ntapInjector: {}\ndashboards: {}\n'],
    ]),
  );
  expect(ofArgo.findings.map(({ source, problem: { about } }) => `${source?.file}:${source?.line} ${about}`)).toEqual([
    'x/own.yaml:3 values.dashboards',
  ]);
  expect(ofArgo.skipped).toEqual([]);
});

test.each<[what: string, file: string, expected: readonly string[]]>([
  [
    'values',
    FLUX({ ...chartOf('linkerd-viz', '2026.8.1'), values: { dashboards: {}, tap: { replicas: '${N}' } } }),
    ['m.yaml:1 chart-value-refused values.dashboards'],
  ],
  [
    'a version',
    FLUX({ ...chartOf('linkerd-viz', '${V}'), values: { dashboards: {} } }),
    ['m.yaml:1 chart-value-refused values.dashboards'],
  ],
  [
    'the ports of a proxy',
    FLUX({
      ...chartOf('linkerd-control-plane', '2026.8.1'),
      values: { proxyInit: { ignoreOutboundPorts: '25;587', ignoreInboundPorts: '${A}' }, identity: { '${K}': 5 } },
    }),
    [],
  ],
  [
    'a Prometheus',
    FLUX({ ...chartOf('linkerd-viz', '2026.8.1'), values: { prometheus: { enabled: false }, prometheusUrl: '${U}' } }),
    [],
  ],
  [
    'values next to a Prometheus',
    FLUX({
      ...chartOf('linkerd-viz', '2026.8.1'),
      values: { prometheus: { enabled: false }, tap: { replicas: '${N}' } },
    }),
    ['m.yaml:1 prometheus-missing undefined'],
  ],
  [
    'values of Argo CD',
    ARGO({ chart: 'linkerd-viz', targetRevision: '2026.8.1', helm: { values: 'dashboards: {}\ntap: "${T}"' } }),
    ['m.yaml:1 chart-value-refused values.dashboards'],
  ],
])('lint checks what does not depend on variables in %s', (_, file, expected) => {
  expect(accused(file)).toEqual(expected);
  expect(unreadLines(lint(new Map([['m.yaml', file]])).skipped)).toEqual([
    expect.stringMatching(/^not read: m\.yaml:1: it contains variables, .*flux build/),
  ]);
});

test.each<[what: string, spec: object, files: Files, expected: readonly string[]]>([
  ['by a literal', { path: './apps', postBuild: { substitute: { A: 'enabeld' } } }, {}, ['apps/a.yaml enabeld']],
  ['by a default', { path: 'apps/', postBuild: { substitute: { B: 'x' } } }, {}, ['apps/a.yaml b']],
  ['none in another folder', { path: './other', postBuild: { substitute: { A: 'x' } } }, {}, []],
  ['none without substitutions', { path: './apps' }, {}, []],
  [
    'none with an unread Secret',
    { path: 'apps', postBuild: { substituteFrom: [{ kind: 'Secret', name: 'v' }] } },
    {},
    [],
  ],
  [
    'by values of a ConfigMap',
    { path: 'apps', postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'v' }] } },
    { 'v.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: v }\ndata: { A: "on" }\n' },
    ['apps/a.yaml on'],
  ],
  ['none by several lines', { path: 'apps', postBuild: { substitute: { A: 'x\ny' } } }, {}, []],
])('lint replaces variables in the folder of a Flux Kustomization: %s', (_, spec, files, expected) => {
  const kustomization = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'a' },
  };
  const namespace =
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: a, annotations: { linkerd.io/inject: "${A:=b}" } }\n';
  const all = {
    'k.json': JSON.stringify({ ...kustomization, spec }),
    'apps/a.yaml': namespace,
    'other/o.yaml': '',
    ...files,
  };
  const { objects, skipped } = readFiles(new Map(Object.entries(all)), {});
  const injects = objects.flatMap(({ object: { metadata }, source }) =>
    metadata.annotations === undefined ? [] : [`${source.file} ${metadata.annotations['linkerd.io/inject']}`],
  );
  expect([injects, skipped.length]).toEqual([expected, expected.length === 0 ? 1 : 0]);
});

test('lint reports values of another release as ignored, not as unknown', () => {
  const { charts } = releaseOf('stable-2.14.10');
  const { problems, warnings } = checkGivenValues(
    'linkerd-control-plane',
    charts.controlPlane,
    { proxy: { tracing: {} }, foo: 1 },
    'stable-2.14.10',
  );
  expect(problems.map(({ about }) => about)).toEqual(['values.foo']);
  expect(warnings.map(({ code, about }) => `${code} ${about}`)).toEqual(['value-ignored values.proxy.tracing']);
});

test('lint reports missing values once', () => {
  const file = FLUX({ ...chartOf('linkerd-viz', '2026.8.1'), valuesFrom: [{ kind: 'ConfigMap', name: 'v' }] });
  expect(unreadLines(lint(new Map([['m.yaml', file]])).skipped)).toEqual([
    expect.stringMatching(/^not read: m\.yaml:1: it takes values .*\(HelmRelease m: spec\.valuesFrom\[0\] takes/),
  ]);
});

test('lint reports values of a chart that depends on one of Linkerd, on the line of its values', () => {
  const dependencies =
    'dependencies: [{ name: linkerd-viz, version: 2026.8.1, alias: viz, condition: "flag, viz.enabled" }]\n';
  const found = (values: string) => {
    const charts = [
      { folder: 'mesh', chart: readChart(bytes({ 'Chart.yaml': CHART['Chart.yaml'] + dependencies })), values },
    ];
    return lint(new Map(), { charts }).findings.map(({ source, path, problem: { about } }) => [source, path, about]);
  };
  expect(found('a: 1\nviz:\n  dashboards: {}\n')).toEqual([
    [{ file: 'mesh/values.yaml', line: 2 }, 'chart linkerd-viz of mesh', 'values.dashboards'],
  ]);
  expect(found('flag: false\nviz:\n  dashboards: {}\n')).toEqual([]);
  expect(found('viz: { enabled: false, dashboards: {} }\n')).toEqual([]);
  expect(found('flag: 5\nviz: { enabled: true, dashboards: {} }\n')).toHaveLength(1);
  expect(found('viz: 5')).toEqual([]);
  expect(found('[')).toEqual([]);
});

test('lint reads objects with templates for a controller', () => {
  const set =
    'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: a, namespace: b }\nspec: { template: { metadata: { name: "{{ .x }}" } } }\n';
  expect(readFiles(new Map([['a.yaml', set]]), {}).objects).toHaveLength(1);
  expect(readFiles(new Map([['a.yaml', set.replace('name: a', 'name: "{{ .a }}"')]]), {}).objects).toEqual([]);
});

const KINDS = [
  ['v1', 'Service'],
  ['v1', 'Namespace'],
  ['apps/v1', 'Deployment'],
  ['argoproj.io/v1alpha1', 'Application'],
  ['argoproj.io/v1alpha1', 'ApplicationSet'],
  ['helm.cattle.io/v1', 'HelmChart'],
  ['helm.toolkit.fluxcd.io/v2', 'HelmRelease'],
  ['cert-manager.io/v1', 'Certificate'],
  ['policy.linkerd.io/v1beta3', 'Server'],
] as const;
const KEYS = [
  'spec',
  'metadata',
  'chart',
  'template',
  'source',
  'values',
  'valuesFrom',
  'name',
  'annotations',
  '__proto__',
  'items',
];
const anything = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, 5, '', 'linkerd-viz', '${a}', '{{ a }}', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('lint does not fail on objects and kustomizations of any form', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), anything, anything, ([apiVersion, kind], spec, metadata) => {
      const text = JSON.stringify({ apiVersion, kind, metadata, spec });
      const kustomization = JSON.stringify({
        resources: ['a.json', spec],
        namespace: 'shop',
        labels: metadata,
        images: spec,
        commonLabels: spec,
        replicas: spec,
      });
      const patched = JSON.stringify({
        resources: ['a.json'],
        patches: [spec, { target: metadata }],
        replacements: [{ targets: [{ select: spec }] }],
      });
      expect(() =>
        lint(
          new Map([
            ['a.json', text],
            ['kustomization.yaml', kustomization],
            ['b/a.json', text],
            ['b/kustomization.yaml', patched],
          ]),
        ),
      ).not.toThrow();
      expect(() => lint(new Map([['a.json', text]]), { external: [] })).not.toThrow();
    }),
    { numRuns: runs(320) },
  );
});

const unknownKeys = (count: number, indent = '') =>
  Array.from({ length: count }, (_, index) => `${indent}unknown${index}: 1\n`).join('');
const TAKES_VALUES = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: linkerd }
spec:
  chart: { spec: { chart: linkerd-control-plane, version: 2026.8.3 } }
  valuesFrom: [{ kind: ConfigMap, name: values }]
`;

test.each<[string, (count: number) => Files]>([
  [
    'a ConfigMap',
    (count) => ({
      'a.yaml': `${TAKES_VALUES}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: values }\ndata:\n  values.yaml: |\n${unknownKeys(count, '    ')}`,
    }),
  ],
  [
    'a generated ConfigMap',
    (count) => ({
      'a.yaml': TAKES_VALUES,
      'kustomization.yaml':
        'resources: [a.yaml]\nconfigMapGenerator: [{ name: values, files: [values.yaml=v.yaml] }]\n',
      'v.yaml': unknownKeys(count),
    }),
  ],
  ['a values file', (count) => ({ 'linkerd-viz/values.yaml': `tap:\n  replicas: 1\n${unknownKeys(count, '  ')}` })],
])('lint checks many unknown values of %s in linear time', (_, filesOf) => {
  expectLinear((count) => {
    expect(lint(new Map(Object.entries(filesOf(count)))).findings).toHaveLength(count);
  }, 100);
});

describe('lint recognizes values files', () => {
  const found = (files: Files, release?: Parameters<typeof lint>[1]) => {
    const { findings, skipped, valuesFiles } = lint(new Map(Object.entries(files)), release);
    expect(skipped).toEqual([]);
    return [
      valuesFiles,
      ...findings.map(({ source, problem: { code, about } }) => `${source?.file}:${source?.line} ${code} ${about}`),
    ];
  };

  test.each<[string, Files, readonly (string | number)[]]>([
    [
      'with a name of a chart',
      { 'linkerd-viz.yaml': 'a: 1\ntap:\n  b: 1\n' },
      [1, 'linkerd-viz.yaml:1 chart-value-refused values.a', 'linkerd-viz.yaml:3 chart-value-refused values.tap.b'],
    ],
    [
      'in a folder with a name of a chart',
      { 'x/linkerd-viz/values-prod.yml': 'dashboards: {}' },
      [1, 'x/linkerd-viz/values-prod.yml:1 chart-value-refused values.dashboards'],
    ],
    [
      'with keys of a chart',
      { 'v.yaml': 'controllerReplicas: 2\ncontrollerReplica: 2\n' },
      [1, 'v.yaml:2 chart-value-refused values.controllerReplica'],
    ],
    [
      'that name the types of objects',
      { 'v.yaml': '# apiVersion and kind\ntapInjector: {}\na: 1\n' },
      [1, 'v.yaml:3 chart-value-refused values.a'],
    ],
    ['of JSON', { 'v.json': '{"destCNIBinDir":"/x","a":1}' }, [1, 'v.json:1 chart-value-refused values.a']],
    [
      'of several charts',
      { 'v.yaml': 'linkerd-viz:\n  tap: { }\n  a: 1\n  enabled: true\nlinkerd2-cni: { logLevel: info, b: 1 }\n' },
      [1, 'v.yaml:3 chart-value-refused values.a', 'v.yaml:5 chart-value-refused values.b'],
    ],
    [
      'of helm get values',
      { 'v.yaml': 'USER-SUPPLIED VALUES:\nproxyInit:\n  ignoreOutboundPorts: 25;587\n' },
      [1, 'v.yaml:3 port-refused values.proxyInit.ignoreOutboundPorts'],
    ],
    [
      'of a Viz without a Prometheus',
      { 'linkerd-viz.yaml': 'prometheus: { enabled: false }' },
      [1, 'linkerd-viz.yaml:1 prometheus-missing undefined'],
    ],
    [
      'that are layers of another file',
      { 'v/linkerd-viz.yaml': 'prometheusUrl: http://x', 'v/linkerd-viz-prod.yaml': 'prometheus: { enabled: false }' },
      [2],
    ],
    ...['dashboard: { replicas: 1 }', 'prometheusUrl: ""', ''].map((other): [string, Files, (string | number)[]] => [
      `without a Prometheus, beside ${other}`,
      { 'linkerd-viz/values-dev.yaml': other, 'linkerd-viz/values.yaml': 'prometheus: { enabled: false }' },
      [other === '' ? 1 : 2, 'linkerd-viz/values.yaml:1 prometheus-missing undefined'],
    ]),
    ...['prometheusUrl: http://x', 'prometheus: { enabled: true }'].map((other): [string, Files, number[]] => [
      `with a Prometheus in ${other}`,
      {
        'linkerd-viz/values.yaml': 'prometheus: { enabled: false }',
        'linkerd-viz/values-dev.yaml': 'tap: {}',
        'linkerd-viz/values-prod.yaml': other,
      },
      [3],
    ]),
    ...[
      'linkerd/viz.yaml',
      'viz-values.yaml',
      'viz.values.yml',
      'linkerd-viz/prod.yaml',
      'a/linkerd/values/viz.yaml',
    ].map((file): [string, Files, (string | number)[]] => [
      `in ${file}`,
      { [file]: 'tap: {}\ndashboards: {}' },
      [1, `${file}:2 chart-value-refused values.dashboards`],
    ]),
    ...['values-prod.yaml', 'prod-values.yaml', 'values.prod.yml'].map((name): [string, Files, (string | number)[]] => [
      `in ${name} beside values.yaml`,
      { 'linkerd/values.yaml': 'controllerReplicas: 2', [`linkerd/${name}`]: 'controllerReplica: 2' },
      [2, `linkerd/${name}:1 chart-value-refused values.controllerReplica`],
    ]),
    [
      'of other projects',
      {
        'cni-values.yaml': 'logLevel: info',
        'jaeger-values.yaml': 'collector: {}',
        'viz.yaml': 'tap: {}',
        'linkerd/viz.yaml': 'on: push',
      },
      [0],
    ],
    [
      'with values of another release',
      {
        'linkerd-jaeger-values.yaml': 'collector: {}\nwebhook: { collectorTraceProtocol: opentelemetry }',
        'linkerd-viz.yaml': 'tap: {}\ngrafana: { url: x }',
      },
      [2],
    ],
    [
      'not among other files',
      { 'linkerd-viz.yaml': 'on: push\njobs: {}\n', 'v.yaml': 'linkerd-viz: { version: 1 }\n' },
      [0],
    ],
    ['not among values of other charts', { 'values.yaml': 'prometheus: {}\ngrafana: {}\nproxy: {}\n' }, [0]],
    ['of any form', { 'linkerd-viz-values.yaml': '[', 'linkerd2-cni.yaml': '[]', 'linkerd-viz/values.yaml': '' }, [0]],
  ])('%s', (_, files, expected) => {
    expect(found(files)).toEqual(expected);
  });

  test('next to others, and lists unrecognized ones once', () => {
    const files = {
      'linkerd/values.yaml': 'controllerReplicas: 2',
      'linkerd/viz.yaml': 'on: push',
      'linkerd/other.yaml': 'a: 1',
      'linkerd/empty.yaml': '',
      'other/x.yaml': 'a: 1',
      'linkerd-viz.yaml': 'tap: {}',
      'mkdocs.yml': 'a: 1',
    };
    expect(unreadLines(lint(new Map(Object.entries(files))).skipped)).toEqual([
      expect.stringMatching(/^not read: linkerd\/viz\.yaml, linkerd\/other\.yaml: it is in a folder with values/),
    ]);
  });

  test('of any form without a failure', () => {
    const key = fc.constantFrom(
      'linkerd-viz',
      'proxyInit',
      'tapInjector',
      'tap',
      'ignoreOutboundPorts',
      'a b',
      '__proto__',
    );
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, '', 5, true, '\u2028'),
        fc.array(tie('value'), { maxLength: 2 }),
        tie('map'),
      ),
      map: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    }));
    fc.assert(
      fc.property(tree.map, (values) => {
        const text = JSON.stringify(values);
        const all = ['linkerd-viz-values.yaml', 'linkerd-control-plane-values.yaml'].flatMap((file) =>
          valuesIn(file, text),
        );
        expect(() => {
          checkValuesFiles([...all, ...valuesBeside(all, new Map([['values.yaml', text]])).values], undefined);
          meshValuesIn([...all, ...all]);
          assumedRelease(all, undefined);
        }).not.toThrow();
      }),
      { numRuns: 50 },
    );
  });

  test('of the given release', () => {
    const files = { 'v.yaml': 'proxyInit: { ignoreOutboundPorts: "25" }\nproxy: { tracing: { enabled: 5 } }' };
    expect(found(files)).toEqual([1, expect.stringContaining('chart-value-refused')]);
    expect(found(files, { release: 'stable-2.14.10' })).toEqual([1]);
    const installed = FLUX(chartOf('linkerd-control-plane', '1.16.11'));
    expect(found({ ...files, 'm.yaml': installed })).toEqual([1]);
    const assumed = (given: Files, options = {}) => lint(new Map(Object.entries(given)), options).assumed;
    expect(assumed(files)).toBe('edge-26.8.3');
    expect(assumed(files, { release: 'stable-2.14.10' })).toBeUndefined();
    expect(assumed({ ...files, 'm.yaml': installed })).toBeUndefined();
    expect(assumed({ 'v.yaml': 'controllerImageVersion: edge-26.5.1\nproxyInit: {}' })).toBeUndefined();
  });

  test.each(RENDERED_CHART_NAMES)('with all defaults of %s', (chart) => {
    for (const version of ['edge-26.8.3', 'stable-2.14.10'] as const) {
      const defaults = chartNamed(chart, releaseOf(version))?.defaults;
      expect(found({ [`${chart}.json`]: JSON.stringify(defaults ?? {}) }, { release: version })).toEqual([
        defaults === undefined ? 0 : 1,
      ]);
    }
  });

  test('by keys of their chart', () => {
    for (const [chart, keys] of Object.entries(OWN_KEYS)) {
      const known = RELEASES.flatMap(([version]) =>
        Object.keys(chartNamed(chart as RenderedChartName, releaseOf(version))?.defaults ?? {}),
      );
      expect(keys.filter((key) => !known.includes(key))).toEqual([]);
    }
  });
});
