import type { Values } from '../../../../lib/kubernetes/values';
import { chartValues, find, render, renderViz } from './fixture';

const MANY: Values = {
  enablePodDisruptionBudget: true,
  tap: { replicas: 3 },
  prometheus: { persistence: { accessMode: 'ReadWriteOnce', size: '1Gi' } },
};

test('every object is of a kind, a namespace and a name that no other has', () => {
  const names = render(MANY).map(({ kind, metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the same values give the same objects', () => {
  expect(JSON.stringify(render(MANY))).toBe(JSON.stringify(render(MANY)));
});

test('values are not changed', () => {
  const values = chartValues(MANY);
  const before = JSON.stringify(values);
  renderViz(values, { namespace: 'linkerd-viz' });
  expect(JSON.stringify(values)).toBe(before);
});

test('the namespace is that of the release, except where others are meant', () => {
  const ca = { injectCaFrom: 'metrics/ca' };
  const values = chartValues({ linkerdNamespace: 'mesh', tap: ca, tapInjector: ca });
  const objects = renderViz(values, { namespace: 'metrics' });
  const namespaces = new Set(objects.map(({ metadata }) => metadata.namespace));
  expect(namespaces).toEqual(new Set([undefined, 'metrics', 'mesh', 'kube-system']));
  expect(JSON.stringify(objects)).not.toContain('linkerd-viz');
  expect(find(objects, 'Deployment', 'tap')?.metadata.labels).toMatchObject({ namespace: 'metrics' });
  expect(find(objects, 'ClusterRole', 'linkerd-metrics-tap-admin')).toBeDefined();
});

test('labels of everything are on everything', () => {
  const unlabelled = render({ ...MANY, commonLabels: { team: 'mesh' } }).filter(
    ({ metadata }) => metadata.labels?.team !== 'mesh',
  );
  expect(unlabelled).toEqual([]);
});

test('no Secret is rendered, whatever the values', () => {
  expect(render(MANY).filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

test('what the mesh needs of pods and Services, annotations of the user do not take away', () => {
  const annotations = {
    'linkerd.io/inject': 'disabled',
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '9',
  };
  const objects = render({ prometheus: { podAnnotations: annotations }, tap: { service: { annotations } } });
  expect(find(objects, 'Service', 'tap')?.metadata.annotations).toMatchObject({ 'linkerd.io/inject': 'enabled' });
  expect(find(objects, 'Deployment', 'prometheus')).toMatchObject({
    spec: {
      template: {
        metadata: {
          annotations: {
            'linkerd.io/inject': 'enabled',
            'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '0',
          },
        },
      },
    },
  });
});
