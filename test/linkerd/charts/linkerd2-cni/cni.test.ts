import { chartValues, containerOf, podOf, render, renderCni } from './fixture';

test('everything that has a namespace is in that of the release', () => {
  const objects = renderCni(chartValues(), { namespace: 'mesh-cni' });
  expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set([undefined, 'mesh-cni']));
  expect(JSON.stringify(objects)).toContain(
    '"subjects":[{"kind":"ServiceAccount","name":"linkerd-cni","namespace":"mesh-cni"}]',
  );
});

test('labels of everything are on everything, and those of pods on pods', () => {
  const values = { commonLabels: { team: 'mesh' }, podLabels: { tier: 'infra' } };
  expect(render(values).every(({ metadata }) => metadata.labels?.team === 'mesh')).toBe(true);
  expect(podOf(values).metadata?.labels).toEqual({
    'k8s-app': 'linkerd-cni',
    'linkerd.io/cni-resource': 'true',
    tier: 'infra',
  });
});

test('values are not changed, and the same ones give the same objects', () => {
  const values = chartValues({ repairController: { enabled: true } });
  const before = JSON.stringify(values);
  const objects = JSON.stringify(renderCni(values, { namespace: 'linkerd-cni' }));
  expect(JSON.stringify(renderCni(values, { namespace: 'linkerd-cni' }))).toBe(objects);
  expect(JSON.stringify(values)).toBe(before);
});

test('plugins that lie beside their configuration need one directory of the node', () => {
  const values = { destCNIBinDir: '/etc/cni', destCNINetDir: '/etc/cni' };
  expect(podOf(values).spec?.volumes?.map(({ name }) => name)).toEqual(['cni-net-dir', 'linkerd-tmp-dir']);
  expect(containerOf(values, 'install-cni')?.volumeMounts).toEqual([
    { mountPath: '/host/etc/cni', name: 'cni-net-dir' },
    { mountPath: '/tmp', name: 'linkerd-tmp-dir' },
  ]);
});

test('pods go where values say', () => {
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } };
  const { affinity, tolerations } = podOf({ nodeAffinity, tolerations: [] }).spec ?? {};
  expect(affinity).toEqual({ nodeAffinity });
  expect(tolerations).toBeUndefined();
});

test('the repair controller listens on all addresses that pods have, and has its own resources', () => {
  const values = { disableIPv6: false, repairController: { enabled: true, resources: { cpu: { limit: 1 } } } };
  const container = containerOf(values, 'repair-controller');
  expect(container?.args?.slice(0, 2)).toEqual(['--admin-addr', '[::]:9990']);
  expect(container?.resources).toEqual({ limits: { cpu: '1' } });
  expect(containerOf(values, 'install-cni')?.resources).toBeUndefined();
  expect(containerOf({}, 'repair-controller')).toBeUndefined();
});

test('what is empty is left out', () => {
  expect(containerOf({ image: { pullPolicy: '' } }, 'install-cni')?.imagePullPolicy).toBeUndefined();
  expect(podOf({ extraInitContainers: [] }).spec).not.toHaveProperty('initContainers');
});
