import { Testing } from 'cdk8s';
import { AppProject } from '#lib/gitops/argocd/app-project';
import { ruleFactsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

const PROPS = {
  name: 'mesh',
  sourceRepos: ['https://git.example.com/platform.git'],
  destinations: [{ server: 'https://10.0.0.1:6443', namespace: 'linkerd' }],
  clusterResources: [{ group: '', kind: 'Namespace', name: 'linkerd' }],
  namespacedResources: [{ group: 'apps', kind: 'Deployment' }],
};

test('an AppProject has an empty list of kinds, because Argo CD permits all kinds without a list', () => {
  const chart = Testing.chart();
  new AppProject(chart, 'project', { name: 'mesh', sourceRepos: [], destinations: [] });
  expect(plainObjects(chart)).toEqual([
    expect.objectContaining({
      spec: { sourceRepos: [], destinations: [], clusterResourceWhitelist: [], namespaceResourceWhitelist: [] },
    }),
  ]);
});

test('an AppProject construct reports every problem at synth', () => {
  const chart = Testing.chart();
  new AppProject(chart, 'project', { ...PROPS, name: 'My mesh', namespace: 'argo.cd' });
  new AppProject(chart, 'default', { ...PROPS, name: 'default' });
  expect(ruleFactsIn(chart)).toMatchObject([
    { finding: 'name-invalid', field: 'The name of an AppProject', value: '"My mesh"' },
    { finding: 'name-invalid', field: "Argo CD's namespace", value: '"argo.cd"' },
    { finding: 'default-project-taken' },
  ]);
  expect(() => plainObjects(chart)).toThrow('"My mesh"');
});
