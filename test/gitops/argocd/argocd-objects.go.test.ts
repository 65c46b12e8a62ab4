import type { Problem } from '#base/findings/problem';
import { checkObject } from '#kubernetes/schemas/schema';
import { type ArgoCdOptions, argoCdObjects } from '#lib/gitops/argocd/argocd-objects';
import type { ClusterInventory } from '#lib/gitops/synth/inventory';
import { type Generated, generate } from './generate';
import { chart, cluster, DEFINITION, folder, object, paths } from './inventories';

const REPO = 'https://git.example.com/platform.git';
const WEBHOOKS = 'admissionregistration.k8s.io/MutatingWebhookConfiguration';

const HOME = cluster(
  'home',
  folder('linkerd-crds', { charts: [chart([DEFINITION])], objects: [object('Namespace', 'linkerd-crds')] }),
  folder('linkerd', { stage: 1, charts: [chart([WEBHOOKS, 'apps/Deployment'], ['kube-system'])] }),
  folder('shop', { stage: 2, objects: [object('Namespace', 'shop'), object('ConfigMap', 'settings', 'shop')] }),
);
const EDGE = cluster('edge', folder('shop', { objects: [object('Namespace', 'shop')] }));

function objects(inventories: readonly ClusterInventory[], options: ArgoCdOptions = {}) {
  const { objects: all, problems } = argoCdObjects(inventories, { repoUrl: REPO, ...options });
  expect(problems).toEqual([]);
  const [project] = all.filter(({ kind }) => kind === 'AppProject');
  const sets = all.filter((each) => each.kind === 'ApplicationSet');
  if (project?.kind !== 'AppProject') throw new Error('no project');
  return { all, project, sets };
}

function problemsOf(inventories: readonly ClusterInventory[], options: ArgoCdOptions = {}): readonly Problem[] {
  const { objects: all, problems } = argoCdObjects(inventories, { repoUrl: REPO, ...options });
  expect(all).toEqual([]);
  return problems;
}

test('a platform has one AppProject, applied before one ApplicationSet for each cluster', () => {
  const { all } = objects([HOME, EDGE]);
  expect(all.map(({ kind, metadata }) => [kind, metadata?.name, metadata?.namespace])).toEqual([
    ['AppProject', 'linkerd-mesh', 'argocd'],
    ['ApplicationSet', 'linkerd-mesh-home', 'argocd'],
    ['ApplicationSet', 'linkerd-mesh-edge', 'argocd'],
  ]);
});

test('a fleet has one ApplicationSet', () => {
  const { sets } = objects([HOME, EDGE], { fleet: { clusterLabels: { mesh: 'yes' } }, project: 'mesh' });
  expect(sets.map(({ metadata }) => metadata?.name)).toEqual(['mesh']);
});

test('the AppProject permits exactly the kinds and namespaces of the output', () => {
  expect(objects([HOME, EDGE]).project.spec).toEqual({
    sourceRepos: [REPO],
    destinations: [
      { server: 'https://edge.example.com:6443', namespace: 'shop' },
      { server: 'https://home.example.com:6443', namespace: 'kube-system' },
      { server: 'https://home.example.com:6443', namespace: 'linkerd' },
      { server: 'https://home.example.com:6443', namespace: 'linkerd-crds' },
      { server: 'https://home.example.com:6443', namespace: 'shop' },
    ],
    clusterResourceWhitelist: [
      { group: '', kind: 'Namespace', name: 'linkerd-crds' },
      { group: '', kind: 'Namespace', name: 'shop' },
      { group: 'admissionregistration.k8s.io', kind: 'MutatingWebhookConfiguration' },
      { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
    ],
    namespaceResourceWhitelist: [
      { group: '', kind: 'ConfigMap' },
      { group: 'apps', kind: 'Deployment' },
    ],
  });
});

test('the AppProject permits children of objects in the output on demand', () => {
  const { project } = objects([HOME], { showChildren: true });
  expect(project.spec.namespaceResourceWhitelist).toContainEqual({ group: '', kind: 'Pod' });
});

test.each([
  ['by cluster', {}],
  ['as a fleet', { fleet: {} }],
] as const)('the AppProject permits every Application, generated %s, to deploy to its destination', (_, options) => {
  const { project, sets } = objects([HOME, EDGE], options);
  const surroundings = { folders: paths(HOME, EDGE), clusters: [{ name: 'home' }, { name: 'edge' }] };
  const applications: Generated[] = sets.flatMap((set) => generate(set, surroundings));
  expect(applications.map(({ template }) => template.metadata.name)).toEqual([
    'home-linkerd-crds',
    'home-linkerd',
    'home-shop',
    'edge-shop',
  ]);
  for (const { template } of applications) {
    expect(template.spec.project).toBe(project.metadata?.name);
    expect(project.spec.sourceRepos).toContain(template.spec.source?.repoURL);
    expect(project.spec.destinations).toContainEqual(template.spec.destination);
  }
});

test('Applications of folders with CustomResourceDefinitions do not prune them', () => {
  const [set] = objects([HOME]).sets;
  const patches = set === undefined ? [] : generate(set, { folders: paths(HOME) }).map(({ patch }) => patch);
  expect(patches).toEqual([
    { spec: expect.objectContaining({ syncPolicy: expect.objectContaining({ automated: { prune: false } }) }) },
    { spec: { source: { helm: { releaseName: 'linkerd' } } } },
    {},
  ]);
});

test('Applications ignore injected CAs of webhooks, and the differences that the user adds', () => {
  const entry = { kind: 'Secret', jsonPointers: ['/data'] };
  const [home, edge] = objects([HOME, EDGE], { ignoreDifferences: [entry] }).sets;
  expect(home?.spec.template.spec.ignoreDifferences?.map(({ kind }) => kind)).toEqual([
    'MutatingWebhookConfiguration',
    'Secret',
  ]);
  expect(edge?.spec.template.spec.ignoreDifferences).toEqual([entry]);
});

test('no Application applies the live value of an ignored field', () => {
  expect(JSON.stringify(objects([HOME]).all)).not.toContain('RespectIgnoreDifferences');
});

test('every ApplicationSet has the options of the user', () => {
  const { sets } = objects([HOME, EDGE], {
    namespace: 'gitops',
    revision: 'main',
    path: 'out',
    strategy: { type: 'RollingSync' },
    retry: { limit: 3 },
    applicationsSync: 'sync',
    preserveResourcesOnDeletion: false,
  });
  for (const { metadata, spec } of sets) {
    expect(metadata?.namespace).toBe('gitops');
    expect(spec.strategy?.type).toBe('RollingSync');
    expect(spec.syncPolicy).toEqual({ applicationsSync: 'sync', preserveResourcesOnDeletion: false });
    expect(spec.template.spec.source?.targetRevision).toBe('main');
    expect(spec.template.spec.syncPolicy?.retry?.limit).toBe(3);
    expect(spec.generators[0]?.git?.directories?.[0]?.path).toMatch(/^out\//);
  }
});

test('the objects of Argo CD satisfy their schemas', () => {
  const { all } = objects([HOME, EDGE], { strategy: { type: 'RollingSync', maxUpdate: 1 } });
  expect(all.flatMap(checkObject)).toEqual([]);
});

test('equal output gives equal objects', () => {
  expect(JSON.stringify(argoCdObjects([HOME, EDGE], { repoUrl: REPO }))).toBe(
    JSON.stringify(argoCdObjects([HOME, EDGE], { repoUrl: REPO })),
  );
});

test('synth refuses two clusters with the same destination', () => {
  const parameters = { one: 'home', other: 'edge', destination: 'https://home.example.com:6443' };
  expect(problemsOf([HOME, { ...EDGE, destination: HOME.destination }])).toMatchObject([
    { code: 'destination-refused', parameters },
  ]);
});

test.each([
  [{ name: 'in-cluster' }, { server: 'https://kubernetes.default.svc' }],
  [{ server: 'https://KUBERNETES.default.svc:443/' }, { name: 'in-cluster' }],
  [{ server: 'https://10.0.0.1:6443' }, { server: 'https://10.0.0.1:6443/' }],
])('synth refuses the destinations %j and %j, which are the same cluster', (one, other) => {
  expect(
    problemsOf([
      { ...HOME, destination: one },
      { ...EDGE, destination: other },
    ]),
  ).toMatchObject([{ code: 'destination-refused', parameters: { one: 'home', other: 'edge' } }]);
});

test('synth refuses a cluster of a fleet that is not registered under the name of its folder', () => {
  expect(problemsOf([{ ...HOME, destination: { name: 'prod' } }], { fleet: {} })).toMatchObject([
    { code: 'destination-refused', parameters: { name: 'home', destination: 'prod' } },
  ]);
  expect(objects([{ ...HOME, destination: { name: 'home' } }], { fleet: {} }).sets).toHaveLength(1);
});

test('clusters of a fleet may have equal destinations', () => {
  expect(objects([HOME, { ...EDGE, destination: HOME.destination }], { fleet: {} }).sets).toHaveLength(1);
});

test('synth reports all problems of Argo CD options at once, and creates no object', () => {
  const bad = cluster('Home', folder('Shop'));
  expect(
    problemsOf([bad], {
      repoUrl: '',
      namespace: 'Argo',
      project: 'default',
      retry: { limit: 0 },
      revision: '',
      path: '/',
    }).map(({ code }) => code),
  ).toEqual([
    'name-invalid',
    'default-project-taken',
    'repository-refused',
    'repository-refused',
    'repository-refused',
    'retry-refused',
    'name-invalid',
    'name-invalid',
  ]);
  expect(problemsOf([bad], { fleet: {} })).toMatchObject([
    { code: 'name-invalid', parameters: { field: 'namespace', proposed: 'shop' } },
    { code: 'name-invalid', parameters: { field: 'The name of a cluster', proposed: 'home' } },
  ]);
});

test('Applications ignore the fields that Argo Rollouts changes, and apply only objects out of sync', () => {
  const weights = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'shop', name: 'web' };
  const left = [{ ...weights, jqPathExpressions: ['.spec.rules[]?.backendRefs[]?.weight'] }];
  const shop = folder('shop', { objects: [object('ConfigMap', 'settings', 'shop')], left });
  const rest = folder('rest', { objects: [object('ConfigMap', 'settings', 'rest')] });
  const [first, second] = objects([cluster('one', shop, rest), cluster('two', rest)]).sets;
  if (first === undefined || second === undefined) throw new Error('no sets');
  expect(first.spec.template.spec.ignoreDifferences).toEqual(left);
  expect(generate(first, { folders: ['dist/one/rest', 'dist/one/shop'] }).map(({ patch }) => patch)).toEqual([
    {},
    {
      spec: {
        syncPolicy: {
          syncOptions: [
            'CreateNamespace=false',
            'ServerSideApply=true',
            'ClientSideApplyMigration=false',
            'ApplyOutOfSyncOnly=true',
          ],
        },
      },
    },
  ]);
  expect([second.spec.template.spec.ignoreDifferences, second.spec.templatePatch]).toEqual([undefined, undefined]);
  // Equal entries of two clusters are merged.
  const [fleet] = objects([cluster('one', shop), cluster('two', shop)], { fleet: {} }).sets;
  expect(fleet?.spec.template.spec.ignoreDifferences).toEqual(left);
});

test('Applications ignore the fields that the operator writes', () => {
  const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  const name = 'linkerdconfigs.config.linkerd.io';
  const operator = cluster('ops', folder('operator', { objects: [{ ...definition, name }] }));
  const ignored = objects([HOME, operator]).sets.map(({ spec }) =>
    (spec.template.spec.ignoreDifferences ?? []).map(({ kind }) => kind),
  );
  expect(ignored).toEqual([['MutatingWebhookConfiguration'], ['ConfigMap']]);
});

test('the AppProject permits the namespaces and kinds of permitAlso', () => {
  const permitAlso = {
    namespaces: ['old', 'shop'],
    clusterResources: [
      { group: '', kind: 'Namespace', name: 'old' },
      { group: '', kind: 'Namespace', name: 'shop' },
    ],
    namespacedResources: [{ group: 'batch', kind: 'Job' }],
  };
  const { spec } = objects([EDGE], { permitAlso }).project;
  const server = 'https://edge.example.com:6443';
  expect(spec.destinations).toEqual([
    { server, namespace: 'shop' },
    { server, namespace: 'old' },
  ]);
  expect(spec.clusterResourceWhitelist?.map(({ name }) => name)).toEqual(['shop', 'old']);
  expect(spec.namespaceResourceWhitelist).toEqual([{ group: 'batch', kind: 'Job' }]);
  expect(objects([EDGE], { permitAlso, fleet: {} }).project.spec.destinations).toContainEqual({
    name: 'edge',
    namespace: 'old',
  });
});

test.each([
  [{ namespaces: ['*'] }],
  [{ clusterResources: [{ group: 'v1', kind: 'namespaces' }] }],
  [{ namespacedResources: [{ group: 'apps', kind: 'deployments' }] }],
])('synth refuses permitAlso: %j, which would permit nothing or too much', (permitAlso) => {
  expect(problemsOf([EDGE], { permitAlso })).toHaveLength(1);
});
