import type { Values } from '../../../../lib/kubernetes/values';
import { chartValues, render, renderControlPlane } from './fixture';

const MANY: Values = {
  enablePodDisruptionBudget: true,
  podMonitor: { enabled: true },
  identity: { externalCA: false },
  configReaders: [{ name: 'reader', namespace: 'tools' }],
};

test('every object is of a kind and a name that no other has', () => {
  const names = render(MANY).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('the same values give the same objects', () => {
  expect(JSON.stringify(render(MANY))).toBe(JSON.stringify(render(MANY)));
});

test('values are not changed', () => {
  const values = chartValues({ ...MANY, identityProxyResources: { cpu: { limit: '1' } } });
  const before = JSON.stringify(values);
  renderControlPlane(values, { namespace: 'linkerd' });
  expect(JSON.stringify(values)).toBe(before);
});

test('the namespace is that of the release, everywhere', () => {
  const text = JSON.stringify(renderControlPlane(chartValues(MANY), { namespace: 'mesh-system' }));
  const objects = JSON.parse(text) as ReturnType<typeof render>;
  const namespaces = new Set(objects.map(({ metadata }) => metadata.namespace));
  expect(namespaces).toEqual(new Set([undefined, 'mesh-system']));
  expect(text).toContain('linkerd-dst-headless.mesh-system.svc.cluster.local.:8086');
  expect(text).toContain('serviceaccount.identity.mesh-system.cluster.local');
  expect(text).toContain('^linkerd-proxy;linkerd-admin;mesh-system$');
});

test('cluster-wide names carry the namespace, so that two control planes do not share their roles', () => {
  const names = renderControlPlane(chartValues(), { namespace: 'mesh-system' }).map(({ metadata }) => metadata.name);
  expect(names).toEqual(expect.arrayContaining(['linkerd-mesh-system-identity', 'linkerd-mesh-system-destination']));
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

test('without the heartbeat there is nothing of it', () => {
  const left = render({ disableHeartBeat: true }).filter(({ metadata }) => metadata.name.includes('heartbeat'));
  expect(left).toEqual([]);
});
