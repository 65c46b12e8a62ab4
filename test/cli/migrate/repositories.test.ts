import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { type Values, valueAt } from '#base/values';
import { compareFindings, comparisonText } from '#lib/cli/migrate/folder/compare';
import { migrateRepository, type RepositoryOptions } from '#lib/cli/migrate/folder/migrate-repository';
import { readRepository } from '#lib/cli/migrate/folder/read-repository';
import { applyPatch, patchesOf } from '#lib/cli/repository/patches';
import { runs } from '#test/support/depth';
import { errorsIn } from '../../support/findings';
import { type ExampleRepository, REPOSITORIES } from './repositories';

const USUAL = { usualRelease: 'edge-26.8.3' } as const;

function migrated(files: Readonly<Record<string, string>>, options: Partial<RepositoryOptions> = {}) {
  return migrateRepository(readRepository(new Map(Object.entries(files))), { ...USUAL, ...options });
}

function programOf({ files, newAnchor, cluster }: ExampleRepository) {
  const migration = migrated(files, { newAnchor, cluster });
  if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
  return migration;
}

test.each(REPOSITORIES)('migrateRepository keeps the configuration of the repository $name', (example) => {
  const { program, warnings } = programOf(example);
  for (const text of example.has) expect(program).toContain(text);
  for (const text of example.lacks ?? []) expect(program).not.toContain(text);
  expect(warnings.map(({ code, cause }) => cause ?? code)).toEqual(example.notes ?? []);
});

test('migrateRepository refuses several clusters with different programs, and names their folders', () => {
  const [example] = REPOSITORIES.filter(({ name }) => name === 'flux-clusters');
  const { files = {} } = example ?? {};
  const parameters = { folders: 'clusters/prod, clusters/test', first: 'clusters/prod' };
  expect(migrated(files)).toMatchObject({ problems: [{ code: 'cluster-refused', cause: 'several', parameters }] });
  expect(migrated(files, { cluster: 'prod' })).toMatchObject({
    problems: [{ code: 'cluster-refused', cause: 'unknown' }],
  });
  for (const path of ['clusters/test/', './clusters/test', 'clusters/test/linkerd.yaml']) {
    expect(migrated(files, { cluster: path })).toMatchObject({ clusterDomain: 'test.example' });
  }
  expect(migrated(files, { cluster: 'clusters' })).toMatchObject({ problems: [{ cause: 'several' }] });
  const same = Object.entries(files).map(([path, text]) => [
    path,
    text.replaceAll(/(?:prod|test)\.example/g, 'a.example'),
  ]);
  expect(migrated(Object.fromEntries(same))).toMatchObject({ sameIn: ['clusters/prod', 'clusters/test'] });
});

const SET = (
  generators: string,
  values = 'controllerReplicas: {{ .replicas }}\\nidentity: { externalCA: true }',
) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: mesh, namespace: argocd }
spec:
  generators: ${generators}
  template:
    spec:
      destination: { namespace: linkerd, name: '{{ .cluster }}' }
      source: { chart: linkerd-control-plane, targetRevision: 2026.8.3, helm: { values: "${values}" } }
`;
const LIST = '{ list: { elements: [{ cluster: test, replicas: "2" }, { cluster: prod, replicas: "3" }] } }';
const NAMED = LIST.replaceAll('cluster:', 'env:');
const PARAMETER = '{{ .replicas }}';

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['one generator', 'prod', { 'a.yaml': SET(`[${LIST}]`) }],
  ['the older syntax', 'prod', { 'a.yaml': SET(`[${LIST}]`).replaceAll('{{ .replicas }}', '{{replicas}}') }],
  [
    'templates in an object',
    'prod',
    {
      'a.yaml': SET(`[${LIST}]`).replace(
        /values: "[^"]*"/,
        `valuesObject: { controllerReplicas: '${PARAMETER}', identity: { externalCA: true } }`,
      ),
    },
  ],
  ['an index', 'prod', { 'a.yaml': SET(`[${LIST}]`).replaceAll(PARAMETER, '{{ index . \\"replicas\\" }}') }],
  [
    'two generators',
    'prod',
    { 'a.yaml': SET(`[${LIST.replace(/, \{[^}]*\}/, '')}, ${LIST.replace(/\{ cluster: test[^}]*\}, /, '')}]`) },
  ],
  [
    'a matrix',
    'prod',
    { 'a.yaml': SET(`[{ matrix: { generators: [${LIST}, { list: { elements: [{ a: b }] } }] } }]`) },
  ],
  [
    'a matrix with unknown generators',
    'prod',
    { 'a.yaml': SET(`[{ matrix: { generators: [{ clusters: {} }, ${LIST}] } }]`) },
  ],
  [
    'elements as text',
    'prod',
    {
      'a.yaml': SET(
        `[{ list: { elements: [], elementsYaml: '[{ cluster: test, replicas: 2 }, { cluster: prod, replicas: 3 }]' } }]`,
      ),
    },
  ],
  [
    'values of another generator',
    'prod',
    {
      'a.yaml': SET(`[{ matrix: { generators: [{ clusters: { values: { replicas: "3" } } }, ${LIST}] } }]`).replace(
        PARAMETER,
        '{{ .values.replicas }}\\nclusterDomain: {{ .cluster }}',
      ),
    },
  ],
  ['names of another key', 'prod', { 'a.yaml': SET(`[${NAMED}]`) }],
  ['names of another key in a folder', 'b/prod', { 'b/a.yaml': SET(`[${NAMED}]`) }],
  [
    'two sets',
    'prod',
    {
      'a/a.yaml': SET(`[${LIST}]`),
      'b/b.yaml': SET(`[${LIST}]`)
        .replace('-control-plane', '-crds')
        .replace(/values: "[^"]*"/, ''),
    },
  ],
])('migrateRepository reads the lists of an ApplicationSet: %s', (_, cluster, files) => {
  const several = migrated(files);
  expect(several).toMatchObject({
    problems: [{ cause: 'several', parameters: { first: cluster.replace('prod', 'test') } }],
  });
  const migration = migrated(files, { cluster });
  expect('program' in migration && migration.program).toContain('controllerReplicas: 3');
  expect('program' in migration && migration.warnings.map(({ cause }) => cause)).toEqual(['external']);
});

test.each<[string, string]>([
  ['of another kind', '[{ clusters: {} }]'],
  ['without elements', '[{ list: { elements: [] } }]'],
  ['with a template for elements', "[{ list: { elementsYaml: '{{ .all | toJson }}' } }]"],
  ['that is not a map', '[null, 1, { list: { elements: [1] } }]'],
  ['that selects elements', LIST.replace('{', '[{ selector: {},').concat(']')],
  ['with elements without names', '[{ list: { elements: [{ a: 1 }, { a: 2 }] } }]'],
  [
    'with too many elements',
    `[{ matrix: { generators: [${Array.from({ length: 3 }, () => `{ list: { elements: [${'{ a: b }, '.repeat(50)}] } }`).join(', ')}] } }]`,
  ],
])('migrateRepository omits values that an ApplicationSet gets from a generator %s', (_, generators) => {
  const migration = migrated({
    'a.yaml': SET(generators, "controllerReplicas: '{{ .replicas }}'\\nidentity: { externalCA: true }"),
  });
  expect('program' in migration && migration.warnings.map(({ cause }) => cause)).toEqual(['unread', 'external']);
});

test('migrateRepository reports the patch of an ApplicationSet', () => {
  const set = SET('[{ clusters: { values: { replicas: "3" } } }]').replace(PARAMETER, '{{ .values.replicas }}');
  const migration = migrated({ 'a.yaml': `${set}  templatePatch: 'spec: {}'\n` });
  expect('program' in migration && migration.program).toContain('controllerReplicas: 3');
  expect('program' in migration && migration.warnings.map(({ cause }) => cause)).toEqual(['setting', 'external']);
});

const RELEASE = REPOSITORIES[0]?.files['infrastructure/linkerd/release.yaml'] ?? '';

test.each<[string, Readonly<Record<string, string>>]>([
  ['no files', {}],
  ['no release of Linkerd', { 'a.yaml': RELEASE.replaceAll(/chart: linkerd-[\w-]+/g, 'chart: x') }],
  ['a template of a chart', { 'c/Chart.yaml': 'name: c\n', 'c/templates/linkerd.yaml': RELEASE }],
  [
    'a patch',
    { 'kustomization.yaml': 'kind: Kustomization\npatches: [{ path: linkerd.yaml }]\n', 'linkerd.yaml': RELEASE },
  ],
  ['a file that is not YAML', { 'a.yaml': `${RELEASE.split('---')[0]}  - [` }],
])('migrateRepository refuses a repository with %s', (_, files) => {
  expect(migrated(files)).toMatchObject({ problems: [{ code: 'release-refused', cause: 'no-chart' }] });
});

const VERSION = (version: string) => RELEASE.replaceAll(/version: \S+?(?=[,} ])/g, `version: ${version}`);
const CHART_REF = VERSION('1').replace(
  /chart: \{ spec: \{ chart: linkerd-control-plane,[^\n]*/,
  'chartRef: { kind: OCIRepository, name: mesh }',
);
const OCI = (ref: string) =>
  `apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: mesh }\nspec: { url: oci://x/linkerd-control-plane, ref: { ${ref} } }\n`;

test.each<[string, Readonly<Record<string, string>>]>([
  ['a range', { 'a.yaml': VERSION('1.x') }],
  ['a range of patches', { 'a.yaml': VERSION('~1.16.0') }],
  ['a version of two numbers', { 'a.yaml': VERSION('1.16') }],
  ['a version of one number', { 'a.yaml': VERSION('1') }],
  ['another version of its line', { 'a.yaml': VERSION('1.16.3') }],
  [
    'a range, after CRDs of any version',
    { '0.yaml': VERSION('"*"').split('---')[1] ?? '', 'a.yaml': VERSION('1.x').split('---')[0] ?? '' },
  ],
  ['a range of an OCIRepository', { 'a.yaml': CHART_REF, 'b.yaml': OCI('semver: 1.x') }],
  ['a tag of an OCIRepository', { 'a.yaml': CHART_REF, 'b.yaml': OCI('tag: 1.16.11') }],
])('migrateRepository derives the release of the control plane from %s', (_, files) => {
  expect(migrated(files)).toMatchObject({ release: 'stable-2.14.10' });
});

test.each<[string, string, string | undefined]>([
  ['a repeated key', 'kind: A\nkind: B\n', 'a.yaml:2: The manifest is not valid YAML: duplicate key'],
  ['an alias without an anchor', 'kind: *x\n', 'a.yaml:1: The manifest is not valid YAML: an alias'],
  ['the number .inf', 'kind: .inf\n', 'a.yaml:1: The manifest is not valid YAML: kind is Infinity'],
  ['a template', 'kind: {{ a }}: b\n', undefined],
])('migrateRepository reads the other documents of a file if one contains %s', (_, broken, note) => {
  const migration = migrated({ 'a.yaml': `${broken}---\n${RELEASE}` });
  const program = 'program' in migration ? migration.program : '';
  expect(program).toContain('new LinkerdControlPlane(');
  if (note === undefined) expect(program).not.toContain('not valid YAML');
  else expect(program).toContain(`// Left out: ${note}`);
});

test.each(['List', 'HelmReleaseList'])('migrateRepository reads the items of a %s, with their line numbers', (kind) => {
  const [only = ''] = RELEASE.split('---\n');
  const item = (text: string) => `- ${text.trim().replaceAll('\n', '\n  ')}\n`;
  const list = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: ${kind}\nitems:\n${item('kind: A')}${item(only)}`;
  expect(migrated({ 'a.yaml': list })).toMatchObject({ replaced: [{ line: 5 }] });
});

test('migrateRepository lists a program of Terraform as unreadable', () => {
  const files = { 'main.tf': 'resource "helm_release" "linkerd" {\n  chart = "linkerd-viz', 'a.yaml': RELEASE };
  const migration = migrated(files);
  expect('program' in migration && migration.program).toContain('// Left out: main.tf is not a values file: ');
});

test('migrateRepository reads kustomizations that include each other, or the same one many times', () => {
  const include = (...paths: readonly string[]) =>
    `kind: Kustomization\nnamespace: mesh\nresources: [${paths.join(', ')}]\n`;
  const levels = Array.from({ length: 40 }, (_, level) => [
    [`a${level}/kustomization.yaml`, include(`../a${level + 1}`, `../b${level + 1}`)],
    [`b${level}/kustomization.yaml`, include(`../a${level + 1}`, `../b${level + 1}`)],
  ]).flat();
  const files = Object.fromEntries([
    ...levels,
    ['a40/kustomization.yaml', include('linkerd.yaml', '../a0')],
    ['a40/linkerd.yaml', RELEASE],
    ['b40/kustomization.yaml', include('../a40', '..', '../..', '/etc', 'https://example.com/x')],
  ]);
  expect(migrated(files)).toMatchObject({ program: expect.stringContaining('controllerReplicas: 2') });
});

test('migrateRepository prints no secret of values, patches and objects', () => {
  const key =
    '-----BEGIN EC PRIVATE KEY-----\\nMHcCAQEEIEd6Cws5bzaAIO7+1EXxKTllJLzHMSx4GJiTcf5lUtSIoA==\\n-----END EC PRIVATE KEY-----';
  const files = {
    'kustomization.yaml': `kind: Kustomization
resources: [release.yaml, secret.yaml]
patches:
  - target: { kind: HelmRelease }
    patch: '[{ "op": "add", "path": "/spec/values/podAnnotations", "value": { "key": "${key}", "ok": "yes" } }]'
`,
    'release.yaml': RELEASE.replace('values:', 'valuesFrom: [{ kind: Secret, name: s }]\n  values:'),
    'secret.yaml': `apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { values.yaml: 'identity: { issuer: { tls: { keyPEM: "${key}" } } }' }\n`,
  };
  const migration = migrated(files);
  if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
  const { program, warnings } = migration;
  expect(program).toContain("podAnnotations: { ok: 'yes' }");
  expect(warnings).toContainEqual(
    expect.objectContaining({ parameters: { path: 'values.identity.issuer.tls.keyPEM', secret: 'a private key' } }),
  );
  expect(`${program}${JSON.stringify(warnings)}`).not.toContain('MHcCAQEE');
});

describe('compareFindings', () => {
  const NAMESPACE =
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, annotations: { linkerd.io/inject: enabeld } }\n';
  const files = {
    'linkerd.yaml': RELEASE.replace(
      'identity: { externalCA: true }',
      'identity: { externalCA: true }, proxy: { image: { pullSecret: "-----BEGIN PRIVATE KEY-----\\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\\n-----END PRIVATE KEY-----" } }',
    ),
    'shop.yaml': NAMESPACE,
  };

  test('counts the findings of a repository, of the remaining files, and of the new program', () => {
    const migration = migrated(files);
    if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
    const comparison = compareFindings(new Map(Object.entries(files)), migration);
    expect(errorsIn(comparison.synth)).toEqual([]);
    expect(comparison.codes).toEqual([
      { code: 'chart-value-refused', before: 1, stays: 0, after: 0 },
      { code: 'control-plane-value-refused', before: 1, stays: 1, after: 0 },
      { code: 'private-key-found', before: 1, stays: 0, after: 0 },
    ]);
    expect(comparison.after?.objects).toBeGreaterThan(40);
    expect(comparisonText(comparison, true)).toMatch(/^private-key-found +1 +0 +0$/m);
  });

  test('lists refusals of synth in place of the findings of the program', () => {
    const migration = migrated({ 'linkerd.yaml': RELEASE.replace('{ externalCA: true }', '{ externalCA: false }') });
    if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
    const comparison = compareFindings(new Map(), migration);
    expect(comparison.after).toBeUndefined();
    expect(comparisonText(comparison, false)).toContain('[trust-anchor-refused]');
  });

  test('has a row for each chart without a construct', () => {
    const old = RELEASE.replaceAll('2026.8.3', '1.16.11').replaceAll('linkerd-viz', 'linkerd-multicluster');
    const migration = migrated({ 'a.yaml': old });
    if ('problems' in migration) throw new Error(JSON.stringify(migration.problems));
    expect(migration.program).toContain('// linkerd-multicluster is left out: a.yaml:17: spec: No construct installs ');
    expect(migration.warnings).toContainEqual(
      expect.objectContaining({ code: 'release-refused', cause: 'no-construct' }),
    );
    const comparison = compareFindings(new Map(), migration);
    expect(comparisonText(comparison, false)).toMatch(/^linkerd-multicluster is left out +1 +1 +0$/m);
  });
});

describe('applyPatch', () => {
  const object = (name: string, further: object = {}) => ({
    data: {
      kind: 'HelmRelease',
      metadata: { name, labels: { app: name }, ...further },
      spec: { values: { a: 1, b: [1] } },
    },
    file: 'a.yaml',
    line: 1,
  });
  /** The objects after a patch, and whether it could be applied. */
  const patched = (objects: readonly ReturnType<typeof object>[], target: object | undefined, content: unknown) => {
    const entry = { ...(target !== undefined && { target }), ...(content !== undefined && { patch: content }) };
    const data = { patches: [entry] } as unknown as Values;
    const [patch] = patchesOf({ data, file: 'k.yaml', line: 1 }, 'patches', () => undefined);
    const resources = objects.map((item) => ({ item, original: item.data, unsure: [] }));
    if (patch === undefined) throw new Error('no patch');
    return applyPatch(resources, patch, 'k.yaml');
  };
  const REPLACE = '[{ "op": "replace", "path": "/spec/values/a", "value": 2 }]';

  test.each<[object | undefined, string, readonly unknown[]]>([
    [{ name: 'linkerd-viz' }, REPLACE, [1, 2]],
    [{ name: 'linkerd-.*' }, REPLACE, [2, 2]],
    [{ name: '.*-viz|x' }, REPLACE, [1, 2]],
    [{ name: '^linkerd.*d$' }, REPLACE, [1, 1]],
    [{ kind: 'Application' }, REPLACE, [1, 1]],
    [{ labelSelector: 'app=linkerd-viz' }, REPLACE, [1, 2]],
    [{ labelSelector: 'app==linkerd-viz, b=c' }, REPLACE, [1, 1]],
    [{ annotationSelector: 'app=linkerd-viz' }, REPLACE, [1, 1]],
    [{ namespace: 'x' }, REPLACE, [1, 1]],
    [{ namespace: 'default|y' }, REPLACE, [2, 2]],
    [{ name: '(l|i)+nkerd-.*' }, REPLACE, [2, 2]],
    [{}, 'spec: { values: { a: 3 } }', [3, 3]],
    [{ name: 'linkerd-crds' }, 'spec: { values: { a: null } }', [undefined, 1]],
    [undefined, 'kind: HelmRelease\nmetadata: { name: linkerd-viz }\nspec: { values: { a: 4 } }', [1, 4]],
    [undefined, 'kind: HelmRelease\nmetadata: { name: linkerd-viz }\n$patch: delete', [1]],
    [
      {},
      '[{ "op": "test", "path": "/spec/values/a", "value": 1 }, { "op": "add", "path": "/spec/values/a", "value": 5 }]',
      [5, 5],
    ],
  ])('changes the objects that %j selects', (target, content, values) => {
    const objects = [object('linkerd-crds'), object('linkerd-viz', { namespace: 'y' })];
    const after = patched(objects, target, content);
    expect(after.isApplied).toBe(true);
    expect(after.objects.map(({ item: { data } }) => valueAt(data, 'spec.values.a'))).toEqual(values);
    expect(objects.map(({ data }) => data.spec.values.a)).toEqual([1, 1]);
  });

  test.each<[object | undefined, string | undefined]>([
    [{ name: '(a' }, REPLACE],
    [{ labelSelector: 'a in (b)' }, REPLACE],
    [undefined, REPLACE],
    [{}, undefined],
    [{}, '[{ "op": "copy", "from": "/spec", "path": "/x" }]'],
    [{}, '[{ "op": "add", "path": "/x/y/z", "value": 1 }]'],
    [{}, '[{ "op": "add", "path": "/__proto__/x", "value": 1 }]'],
    [{}, '[{ "op": "test", "path": "/spec/values/a", "value": 7 }]'],
    [{}, '[{ "op": "replace", "path": "", "value": 1 }]'],
    [{}, '[1]'],
    [{}, 'spec: { values: { b: [{ $patch: delete }] } }'],
    [{}, 'a: ['],
  ])('ignores a patch that it cannot apply: %j %s', (target, content) => {
    const objects = [object('a')];
    const { objects: after, isApplied } = patched(objects, target, content);
    expect(isApplied).toBe(false);
    expect(after).toEqual([{ item: objects[0], original: objects[0]?.data, unsure: ['k.yaml'] }]);
    expect({}).not.toHaveProperty('x');
  });
});

test('migrateRepository never throws, whatever type a value of a document has', () => {
  const documents = REPOSITORIES.flatMap(({ files }) =>
    Object.entries(files).flatMap(([path, text]) =>
      /\.yaml$/.test(path) && !text.includes('{{')
        ? [[files, path, parseAllDocuments(text).map((one) => one.toJS())] as const]
        : [],
    ),
  );
  const odd = fc.constantFrom<unknown>(
    null,
    [],
    {},
    [null],
    [[]],
    '',
    '*',
    '\u2028"\\',
    -1,
    true,
    { a: { b: null } },
    'a'.repeat(300),
  );
  fc.assert(
    fc.property(fc.constantFrom(...documents), fc.nat(), odd, ([files, path, data], at, value) => {
      let left = at % 60;
      const changed = JSON.stringify(data, (key, member) => (key !== '' && left-- === 0 ? value : member));
      const text = (JSON.parse(changed) as unknown[]).map((one) => `${JSON.stringify(one)}\n`).join('---\n');
      expect(migrated({ ...files, [path]: text })).toBeDefined();
    }),
    { numRuns: runs(100) },
  );
});
