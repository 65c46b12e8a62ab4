import { formatIndex, INDEX_FILE, indexOf, type WrittenRing } from '#lib/gitops/synth/output/cluster-index';
import type { Consequence } from '#lib/review/diff/consequences/catalogue';
import { outputDiff } from '#lib/review/diff/diff';
import { DEFAULT_LIMIT } from '#lib/review/diff/formats/formats';
import { renderDiff } from '#lib/review/diff/formats/render';
import type { OutputDiff } from '#lib/review/diff/model';
import { expectLinear } from '../../support/growth';
import { cluster, compare, consequences, type Files, meshConfig, namespace, object } from './outputs';

/** Sixty clusters in three rings. A quarter of them have more components, and half of them have an operator. */
const NAMES = Array.from({ length: 60 }, (_, index) => `c${String(index).padStart(2, '0')}`);
const ringOf = (index: number) => (index < 3 ? 'canary' : index < 15 ? 'early' : 'bulk');
const RINGS: readonly WrittenRing[] = [
  { name: 'canary' },
  { name: 'early', revision: 'ring-early' },
  { name: 'bulk', path: 'promoted/bulk' },
];

interface Edit {
  readonly level?: string;
  readonly mode?: string;
  readonly version?: string;
}

const deployment = (name: string, { level = 'warn', version = '1' }: Edit) =>
  object(
    'apps/v1',
    'Deployment',
    {
      spec: {
        template: {
          metadata: { labels: { 'app.kubernetes.io/version': version } },
          spec: {
            containers: [{ name: 'linkerd-proxy', image: `a:${version}`, env: [{ name: 'LOG', value: level }] }],
          },
        },
      },
    },
    { name, namespace: 'linkerd' },
  );

function filesOf(index: number, edit: Edit): Files {
  const { mode = 'audit', level = 'warn', version = '1' } = edit;
  const labels = { 'app.kubernetes.io/version': version };
  return {
    'linkerd/configmap.linkerd-config.yaml': meshConfig(
      `linkerdVersion: edge-26.8.3\nproxy:\n  logLevel: ${level}\nowner: team-${index}\n`,
      { labels },
    ),
    'linkerd/deployment.identity.yaml': deployment('identity', edit),
    ...(index % 4 === 0
      ? {
          'linkerd/deployment.viz.yaml': deployment('viz', edit),
          'linkerd/poddisruptionbudget.a.yaml': object('policy/v1', 'PodDisruptionBudget', {}, { labels }),
        }
      : {}),
    'shop/namespace.shop.yaml': namespace({
      annotations: {
        'config.linkerd.io/default-inbound-policy': ringOf(index) === 'early' ? mode : 'audit',
        'linkerd.io/inject': 'enabled',
      },
    }),
    ...(index % 2 === 0
      ? { 'linkerd/linkerdconfig.a.yaml': object('config.linkerd.io/v1alpha1', 'LinkerdConfig', { spec: {} }) }
      : {}),
  };
}

/** The output of one cluster. Its index differs for each edit, as the warnings in a real index do. */
function output(index: number, edit: Edit): ReadonlyMap<string, string> {
  const files = cluster(filesOf(index, edit));
  const own = {
    ...indexOf(
      [...files.keys()].filter((file) => file !== INDEX_FILE),
      [],
    ),
    ring: ringOf(index),
  };
  return new Map([...files, [INDEX_FILE, formatIndex({ ...own, writer: `cdk8s-linkerd ${JSON.stringify(edit)}` })]]);
}

const set = (name: string, members: object = {}) =>
  object(
    'argoproj.io/v1alpha1',
    'ApplicationSet',
    {
      spec: {
        generators: [{ git: { directories: [{ path: `dist/${name}/*` }] } }],
        syncPolicy: { applicationsSync: 'create-update', preserveResourcesOnDeletion: true },
        template: {
          metadata: { labels: { 'cdk8s-linkerd/ring': `of-${name}` } },
          spec: { syncPolicy: { automated: { prune: true } } },
        },
        ...members,
      },
    },
    { name },
  );

function argocd(files: Files, rings?: readonly WrittenRing[]): ReadonlyMap<string, string> {
  const index = { ...indexOf(Object.keys(files), []), ...(rings === undefined ? {} : { rings }) };
  return new Map([...cluster(files), [INDEX_FILE, formatIndex(index)]]);
}

function fleet(before: Edit, after: Edit, names = NAMES): OutputDiff {
  const sets = Object.fromEntries(names.map((name) => [`${name}.yaml`, set(name)]));
  const of = (edit: Edit) =>
    new Map([['argocd', argocd(sets, RINGS)], ...names.map((name, index) => [name, output(index, edit)] as const)]);
  return outputDiff({ before: of(before), after: of(after), from: 'a', to: 'b' });
}

const text = (diff: OutputDiff) => renderDiff(diff, 'text', DEFAULT_LIMIT);

test('diff groups an edit of all clusters and an edit of one ring, the most severe first', () => {
  const diff = fleet({}, { level: 'info', mode: 'deny' });
  expect(diff.groups.map(({ clusters, rings }) => [clusters.length, rings.map(({ ring }) => ring)])).toEqual([
    [12, ['early']],
    [60, ['canary', 'early', 'bulk']],
  ]);
  const page = text(diff);
  expect(page).toContain('\n12 clusters: ring early\n\n  - Breaks traffic: ');
  expect(page).toContain('\n60 clusters: rings canary (3), early (12), bulk (45)\n');
  expect(page).toContain('Rolling restart: Deployment linkerd/viz (15 of 60 clusters)');
  expect(page).not.toContain(INDEX_FILE);
});

test('diff groups a change of release although its objects differ between clusters', () => {
  const { groups } = fleet({}, { version: '2' });
  expect(groups.map(({ clusters }) => clusters.length)).toEqual([60]);
  expect(groups[0]?.changes.find(({ object }) => object?.kind === 'PodDisruptionBudget')?.clusters).toHaveLength(15);
});

test('diff separates an edit of some clusters from one of all clusters', () => {
  const own = (index: number, value: string): Files =>
    index % 4 === 0 ? { 'b/own.yaml': object('v1', 'ConfigMap', { data: { value } }) } : {};
  const of = (value: string, edit: Edit) =>
    Object.fromEntries(NAMES.map((name, index) => [name, cluster({ ...filesOf(index, edit), ...own(index, value) })]));
  const { groups } = compare(of('old', {}), of('new', { level: 'info' }));
  expect(groups.map(({ clusters }) => clusters.length)).toEqual([60, 15]);
  expect(groups[1]?.changes.map(({ file }) => file)).toEqual(['b/own.yaml']);
});

test('diff prints values that differ between clusters as one field with an example', () => {
  const map = (name: string, value: string) =>
    cluster({ 'b/a.yaml': object('v1', 'ConfigMap', { data: { url: `https://${name}/${value}` } }) });
  const of = (value: string) => Object.fromEntries(NAMES.map((name) => [name, map(name, value)]));
  const diff = compare(of('1'), of('2'));
  expect(diff.groups).toHaveLength(1);
  expect(diff.groups[0]?.changes[0]?.fields).toHaveLength(60);
  expect(text(diff)).toContain(
    'data.url: "https://c00/1" → "https://c00/2" (c00), and 59 other values in other clusters',
  );
});

test('diff prints by ring the changes at the merge and at each promotion', () => {
  const diff = fleet({}, { level: 'info' });
  expect(diff.rings).toEqual([
    { ring: 'canary', clusters: 3, changed: 3, reach: 'merge' },
    { ring: 'early', clusters: 12, changed: 12, reach: 'revision', revision: 'ring-early' },
    { ring: 'bulk', clusters: 45, changed: 45, reach: 'promotion', path: 'promoted/bulk' },
  ]);
  const page = text(diff);
  expect(page).toContain(`
  ring    clusters that change  when
  canary  3 of 3                at merge
  early   12 of 12              when its revision ring-early moves
  bulk    45 of 45              when it is promoted to promoted/bulk: --promote bulk
`);
  expect(page.indexOf('ring    clusters')).toBeLessThan(page.indexOf('Rolling restart'));
  const markdown = renderDiff(diff, 'markdown', DEFAULT_LIMIT);
  expect(markdown).toContain('| `early` | 12 of 12 | when its revision `ring-early` moves |');
});

test('diff prints rings of unknown order, and reports that', () => {
  const of = (edit: Edit) => Object.fromEntries(NAMES.slice(0, 4).map((name, index) => [name, output(index, edit)]));
  expect(compare(of({}), of({ level: 'info' })).rings).toEqual([
    { ring: 'canary', clusters: 3, changed: 3, reach: 'unknown' },
    { ring: 'early', clusters: 1, changed: 1, reach: 'unknown' },
  ]);
  expect(text(compare(of({}), of({ level: 'info' })))).toContain('unknown: not in the output');
});

function consequencesOf(before: Parameters<typeof compare>[0], after: typeof before): readonly Consequence[] {
  return consequences(compare(before, after));
}

test('diff puts a removed cluster into the ring of its ApplicationSet', () => {
  const map = { 'b/a.yaml': object('v1', 'ConfigMap') };
  const deleting = { syncPolicy: { applicationsSync: 'sync' } };
  const before = {
    argocd: argocd({ 'a.yaml': set('a'), 'z.yaml': set('z', deleting) }),
    a: cluster(map),
    z: cluster(map),
  };
  const after = { argocd: argocd({ 'a.yaml': set('a') }), a: cluster(map) };
  const diff = compare(before, after);
  expect(diff.clusters).toContainEqual({ name: 'z', state: 'removed', ring: 'of-z' });
  expect(consequencesOf(before, after)).toContainEqual({
    code: 'cluster-removed',
    severity: 'breaks-traffic',
    objects: 'deleted',
  });
  // The remaining ApplicationSet keeps objects of removed clusters. No ApplicationSet of the cluster `z` is known.
  expect(consequencesOf({ ...before, argocd: argocd({ 'a.yaml': set('a') }) }, after)).toContainEqual({
    code: 'cluster-removed',
    severity: 'warning',
    objects: 'unknown',
  });
});

test('diff reads the ring of a cluster from its index', () => {
  const template = (ring: string) =>
    object('argoproj.io/v1alpha1', 'ApplicationSet', {
      spec: {
        generators: [{ git: { directories: [{ path: 'dist/{{ .name }}/*' }] } }],
        template: { metadata: { labels: { 'cdk8s-linkerd/ring': ring } } },
      },
    });
  const label = '{{ get (dict "c00" "canary") .name | default "bulk" }}';
  const before = { argocd: argocd({ 'a.yaml': template(label) }), c00: output(0, {}), c20: output(20, {}) };
  const after = { argocd: argocd({ 'a.yaml': template('bulk') }), c20: output(20, {}) };
  expect(compare(before, after).clusters).toContainEqual({ name: 'c00', state: 'removed', ring: 'canary' });
});

test('diff reports the outcome of removed objects as unknown in a cluster without an ApplicationSet', () => {
  const [kept, gone] = ['b/kept.yaml', 'b/gone.yaml'];
  const map = (name: string, annotations = {}) => object('v1', 'ConfigMap', {}, { name, annotations });
  const annotated = map('kept', { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' });
  const before = { a: cluster({ [kept]: annotated, [gone]: map('gone'), 'b/o.yaml': map('o') }) };
  const after = { a: cluster({ 'b/o.yaml': map('o') }) };
  const others = argocd({ 'x.yaml': set('x') });
  for (const outputs of [[], [['argocd', others] as const]]) {
    const both = Object.fromEntries(outputs);
    expect(consequencesOf({ ...both, ...before }, { ...both, ...after })).toEqual([
      { code: 'object-removed', severity: 'warning', object: 'ConfigMap b/gone', outcome: 'unknown' },
      { code: 'object-removed', severity: 'info', object: 'ConfigMap b/kept', outcome: 'kept', why: 'annotation' },
    ]);
  }
});

test('diff lists another trust anchor first', () => {
  const issuer = (name: string) =>
    object(
      'cert-manager.io/v1',
      'Certificate',
      { spec: { secretName: 'linkerd-identity-issuer', issuerRef: { kind: 'ClusterIssuer', name } } },
      { name: 'linkerd-identity-issuer', namespace: 'linkerd' },
    );
  const of = (index: number, edit: Edit, name: string) =>
    cluster({ ...filesOf(index, edit), 'linkerd/certificate.linkerd-identity-issuer.yaml': issuer(name) });
  const diff = compare(
    { a: of(3, {}, 'vault'), b: of(4, {}, 'vault') },
    { a: of(3, { level: 'info', mode: 'deny' }, 'other'), b: of(4, { level: 'info', mode: 'deny' }, 'vault') },
  );
  expect(diff.groups[0]).toMatchObject({
    clusters: ['a'],
    consequences: [
      { code: 'anchor-changed', severity: 'breaks-traffic', from: 'ClusterIssuer vault', to: 'ClusterIssuer other' },
      { code: 'certificate-reissued' },
    ],
  });
  expect(text(diff)).toMatch(
    /\n {2}- Breaks traffic: The mesh moves to another trust anchor, from ClusterIssuer vault/,
  );
});

test('diff takes linear time for a fleet of a thousand clusters', () => {
  expectLinear((count) => {
    const names = Array.from({ length: count }, (_, index) => `n${index}`);
    const { groups } = fleet({}, { level: 'info', version: '2', mode: 'deny' }, names);
    expect(groups.map(({ clusters }) => clusters.length)).toEqual([12, count]);
  }, 24);
});

test('diff lists fields of a file that reproduce the file for each cluster', () => {
  const diff = fleet({}, { level: 'info', mode: 'deny', version: '2' }, NAMES.slice(0, 16));
  const isOf = (clusters: readonly string[] | undefined, name: string) => clusters?.includes(name) ?? true;
  const levels = (name: string) =>
    diff.groups
      .filter(({ clusters }) => clusters.includes(name))
      .flatMap(({ changes }) => changes.filter((change) => isOf(change.clusters, name)))
      .filter(({ file }) => file === 'linkerd/deployment.viz.yaml')
      .flatMap(({ fields }) => fields.filter((field) => isOf(field.clusters, name)));
  expect(levels('c00').length).toBeGreaterThan(0);
  expect(levels('c01')).toEqual([]);
});
