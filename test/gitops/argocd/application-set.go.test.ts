import { Testing } from 'cdk8s';
import { checkObject } from '#kubernetes/schemas/schema';
import { ApplicationSet, type ApplicationSetProps, applicationSet } from '#lib/gitops/argocd/application-set';
import { plainObjects } from '../../support/plain-app';
import { generate } from './generate';

const HOME: ApplicationSetProps = {
  name: 'mesh-home',
  project: 'mesh',
  source: { repoUrl: 'https://git.example.com/platform.git', revision: 'main' },
  target: { cluster: 'home', destination: { server: 'https://10.0.0.1:6443' } },
  folders: [{ cluster: 'home', namespace: 'linkerd', chart: true }],
};

const FLEET: ApplicationSetProps = { ...HOME, target: { clusterLabels: { mesh: 'linkerd' } } };

const REPOSITORY = {
  folders: [
    'dist',
    'dist/argocd',
    'dist/home',
    'dist/home/linkerd',
    'dist/home/linkerd/templates',
    'dist/edge/linkerd',
  ],
  clusters: [
    { name: 'home', labels: { mesh: 'linkerd' } },
    { name: 'edge', labels: { mesh: 'linkerd' } },
    { name: 'other', labels: { mesh: 'linkerd' } },
    { name: 'unlabelled' },
  ],
};

test('an ApplicationSet creates an Application for each namespace folder of the cluster', () => {
  expect(generate(applicationSet(HOME), REPOSITORY).map(({ template }) => template)).toEqual([
    {
      metadata: { name: 'home-linkerd', annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' } },
      spec: {
        project: 'mesh',
        source: {
          repoURL: 'https://git.example.com/platform.git',
          targetRevision: 'main',
          path: 'dist/home/linkerd',
        },
        destination: { server: 'https://10.0.0.1:6443', namespace: 'linkerd' },
        syncPolicy: {
          automated: { prune: true, selfHeal: true, allowEmpty: false },
          retry: { limit: 10, backoff: { duration: '5s', factor: 2, maxDuration: '3m' }, refresh: true },
          syncOptions: ['CreateNamespace=false', 'ServerSideApply=true', 'ClientSideApplyMigration=false'],
        },
      },
    },
  ]);
});

test('the ApplicationSet of a fleet selects registered clusters that have the labels and a folder', () => {
  const applications = generate(applicationSet(FLEET), REPOSITORY).map(({ template }) => template);
  expect(applications.map(({ metadata, spec }) => [metadata.name, spec.source?.path, spec.destination])).toEqual([
    ['home-linkerd', 'dist/home/linkerd', { name: 'home', namespace: 'linkerd' }],
    ['edge-linkerd', 'dist/edge/linkerd', { name: 'edge', namespace: 'linkerd' }],
  ]);
});

test('the ApplicationSet of a fleet without labels selects every registered cluster with a folder', () => {
  const applications = generate(applicationSet({ ...FLEET, target: {} }), {
    ...REPOSITORY,
    clusters: [{ name: 'home' }],
  });
  expect(applications.map(({ template }) => template.metadata.name)).toEqual(['home-linkerd']);
});

test('an ApplicationSet finds folders at the root of the repository', () => {
  const set = applicationSet({ ...HOME, source: { ...HOME.source, path: '' } });
  const [application] = generate(set, { folders: ['home/linkerd', 'dist/home/linkerd'] });
  expect(application?.template.spec.source?.path).toBe('home/linkerd');
});

test('an ApplicationSet uses Go templates with the option missingkey=error', () => {
  expect(applicationSet(HOME).spec).toMatchObject({ goTemplate: true, goTemplateOptions: ['missingkey=error'] });
});

test('the project of an ApplicationSet contains no template, so no parameter can change it', () => {
  expect(JSON.stringify(applicationSet(FLEET).spec.template.spec.project)).not.toContain('{{');
});

test('a template fails on a missing parameter instead of printing "<no value>"', () => {
  const set = applicationSet(HOME);
  const { metadata } = set.spec.template;
  const template = { ...set.spec.template, metadata: { ...metadata, name: '{{.nme}}' } };
  expect(() => generate({ ...set, spec: { ...set.spec, template } }, REPOSITORY)).toThrow('no entry for key "nme"');
});

test('by default, the deletion of an ApplicationSet keeps its Applications and their resources', () => {
  const set = applicationSet(HOME);
  expect(set.spec.syncPolicy).toEqual({ applicationsSync: 'create-update', preserveResourcesOnDeletion: true });
  expect(set.metadata?.finalizers).toEqual(['resources-finalizer.argocd.argoproj.io']);
  expect(set.spec.template.metadata?.finalizers).toBeUndefined();
});

test('an ApplicationSet that deletes Applications has no finalizer', () => {
  const set = applicationSet({ ...HOME, applicationsSync: 'sync', preserveResourcesOnDeletion: false });
  expect(set.spec.syncPolicy).toEqual({ applicationsSync: 'sync', preserveResourcesOnDeletion: false });
  expect(set.metadata?.finalizers).toBeUndefined();
});

test('Applications have a stage label only in a rolling sync', () => {
  expect(applicationSet(HOME).spec.template.metadata?.labels).toBeUndefined();
  expect(applicationSet(HOME).spec.strategy).toBeUndefined();
  const rolling = applicationSet({ ...HOME, strategy: { type: 'RollingSync' } });
  expect(generate(rolling, REPOSITORY)[0]?.template.metadata.labels).toEqual({ 'cdk8s-linkerd/stage': '0' });
});

test('Applications ignore the differences that the user lists', () => {
  const entry = { kind: 'Secret', jsonPointers: ['/data'] };
  expect(applicationSet({ ...HOME, ignoreDifferences: [entry] }).spec.template.spec.ignoreDifferences).toEqual([entry]);
});

test.each([
  ['one cluster', HOME],
  ['a fleet', FLEET],
  ['a rolling sync', { ...HOME, strategy: { type: 'RollingSync', maxUpdate: '20%' } } as const],
])('the ApplicationSet of %s fits its schema', (_, props) => expect(checkObject(applicationSet(props))).toEqual([]));

test('an ApplicationSet construct works in a plain cdk8s chart', () => {
  const chart = Testing.chart();
  new ApplicationSet(chart, 'set', HOME);
  expect(plainObjects(chart)).toEqual([applicationSet(HOME)]);
});

test('an ApplicationSet construct reports every problem at synth', () => {
  const chart = Testing.chart();
  new ApplicationSet(chart, 'set', {
    name: 'Mesh',
    namespace: 'Argo',
    project: 'My project',
    source: { repoUrl: '' },
    target: { cluster: 'Home', destination: { name: '' } },
    retry: { limit: 0 },
    folders: [{ cluster: 'home', namespace: 'Shop' }],
  });
  const synth = () => plainObjects(chart);
  expect(synth).toThrow('The name of an ApplicationSet is "Mesh"');
  expect(synth).toThrow('Argo CD\'s namespace is "Argo"');
  expect(synth).toThrow('project is "My project"');
  expect(synth).toThrow('repoUrl is missing');
  expect(synth).toThrow('The name of a cluster is "Home"');
  expect(synth).toThrow('The destination of cluster Home');
  expect(synth).toThrow('retry.limit is 0');
  expect(synth).toThrow('namespace is "Shop"');
});
