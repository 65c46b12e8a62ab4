import fc from 'fast-check';
import { type ApplicationFolder, folderPath } from '#lib/gitops/argocd/application-folder';
import { applicationSet } from '#lib/gitops/argocd/application-set';
import { templatePatch } from '#lib/gitops/argocd/template-patch';
import { generate, generateAll } from './generate';

const CLUSTERS = ['home', 'stable'];

function set(folders: readonly ApplicationFolder[]) {
  return applicationSet({
    name: 'mesh',
    project: 'mesh',
    source: { repoUrl: 'https://git.example.com/platform.git' },
    target: {},
    folders,
  });
}

function surroundings(folders: readonly ApplicationFolder[]) {
  return {
    clusters: CLUSTERS.map((name) => ({ name })),
    folders: folders.map((folder) => `dist/${folderPath(folder)}`),
  };
}

function expected({ namespace, chart = false, onlyDefinitions, onlyOutOfSync = false }: ApplicationFolder): unknown {
  const isKept = chart && onlyDefinitions === true;
  if (!chart && !onlyOutOfSync) return {};
  const more = [...(isKept ? ['Prune=false'] : []), ...(onlyOutOfSync ? ['ApplyOutOfSyncOnly=true'] : [])];
  const syncPolicy = {
    ...(isKept ? { automated: { prune: false } } : {}),
    syncOptions: ['CreateNamespace=false', 'ServerSideApply=true', 'ClientSideApplyMigration=false', ...more],
  };
  return {
    spec: {
      ...(chart ? { source: { helm: { releaseName: namespace } } } : {}),
      ...(more.length > 0 ? { syncPolicy } : {}),
    },
  };
}

test('an ApplicationSet has no template patch for folders of manifests', () => {
  expect(templatePatch([{ cluster: 'home', namespace: 'shop' }], () => 'dist/')).toBeUndefined();
});

test('the template patch names a release after its namespace, even if the namespace is a number', () => {
  const folders = ['linkerd', '123'].map((namespace) => ({ cluster: 'home', namespace, chart: true }));
  expect(generate(set(folders), surroundings(folders)).map(({ patch }) => patch)).toEqual([
    { spec: { source: { helm: { releaseName: 'linkerd' } } } },
    { spec: { source: { helm: { releaseName: '123' } } } },
  ]);
});

test('the template patch does not change an unknown folder', () => {
  const known = [{ cluster: 'home', namespace: 'linkerd', chart: true }];
  const folders = { ...surroundings(known), folders: ['dist/home/by-hand'] };
  expect(generate(set(known), folders).map(({ patch }) => patch)).toEqual([{}]);
});

test('each folder has its own template patch, regardless of other folders', () => {
  const folder = fc.record({
    cluster: fc.constantFrom(...CLUSTERS),
    namespace: fc.constantFrom('a', 'b', 'c'),
    chart: fc.boolean(),
    onlyDefinitions: fc.boolean(),
    onlyOutOfSync: fc.boolean(),
  });
  const some = fc.uniqueArray(folder, { selector: folderPath, minLength: 1, maxLength: 6 });
  const samples = fc
    .sample(some, 200)
    .filter((folders) => folders.some(({ chart, onlyOutOfSync }) => chart || onlyOutOfSync))
    .map((folders) => folders.toSorted((a, b) => CLUSTERS.indexOf(a.cluster) - CLUSTERS.indexOf(b.cluster)));
  const answers = generateAll(samples.map((folders) => [set(folders), surroundings(folders)]));
  expect(answers.map((applications) => applications.map(({ patch }) => patch))).toEqual(
    samples.map((folders) => folders.map(expected)),
  );
});

test('a template patch repeats the options of the template that it replaces', () => {
  const folders = [{ cluster: 'home', namespace: 'linkerd-crds', chart: true, onlyDefinitions: true }];
  const [application] = generate(set(folders), surroundings(folders));
  expect(application?.patch).toMatchObject({
    spec: {
      syncPolicy: { syncOptions: expect.arrayContaining(application?.template.spec.syncPolicy?.syncOptions ?? ['?']) },
    },
  });
});

const ring = (name: string, automated?: boolean) => ({
  name,
  clusters: CLUSTERS.filter((cluster) => cluster === name),
  ...(automated !== undefined && { automated }),
});

/** Returns the automated sync policy of the Application of each folder. */
function automatedOf(folders: readonly ApplicationFolder[], rings: readonly ReturnType<typeof ring>[]) {
  const { spec } = applicationSet({
    name: 'mesh',
    project: 'mesh',
    source: { repoUrl: 'https://git.example.com/platform.git' },
    target: {},
    folders,
    rings,
  });
  const made = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'mesh' }, spec };
  const byTemplate = spec.template.spec.syncPolicy?.automated;
  return generate(made as ReturnType<typeof set>, surroundings(folders)).map(({ patch }) => {
    const patched = (patch as { spec?: { syncPolicy?: { automated?: object | null } } } | undefined)?.spec?.syncPolicy
      ?.automated;
    return patched === null
      ? undefined
      : byTemplate === undefined && patched === undefined
        ? undefined
        : { ...byTemplate, ...patched };
  });
}

test.each([
  ['a chart', { chart: true }],
  ['definitions', { chart: true, onlyDefinitions: true }],
  ['definitions with fields of controllers', { chart: true, onlyDefinitions: true, onlyOutOfSync: true }],
  ['manifests', {}],
  ['manifests with fields of controllers', { onlyOutOfSync: true }],
])('the template patch for a folder of %s syncs automatically only in rings with automated sync', (_, kind) => {
  const folders = CLUSTERS.map((cluster) => ({ cluster, namespace: 'linkerd', ...kind }));
  const isKept = 'onlyDefinitions' in kind;
  const on = { prune: !isKept, selfHeal: true, allowEmpty: false };
  expect(automatedOf(folders, [ring('home'), ring('stable', false)])).toEqual([on, undefined]);
  expect(automatedOf(folders, [ring('home', false), ring('stable', true)])).toEqual([undefined, on]);
  expect(automatedOf(folders, [ring('home', false), ring('stable', false)])).toEqual([undefined, undefined]);
  expect(automatedOf(folders, [ring('home'), ring('stable')])).toEqual([on, on]);
});
