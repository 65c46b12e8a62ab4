import { networkConfig } from '#lib/linkerd/charts/linkerd2-cni/network-config';
import { containerOf, podOf, viewOf } from './fixture';

// Values that no comparison with Helm has.

test('plugins that lie beside their configuration need one directory of the node', () => {
  const values = { destCNIBinDir: '/etc/cni', destCNINetDir: '/etc/cni' };
  expect(podOf(values).spec?.volumes?.map(({ name }) => name)).toEqual(['cni-net-dir', 'linkerd-tmp-dir']);
  expect(containerOf(values, 'install-cni')?.volumeMounts).toEqual([
    { mountPath: '/host/etc/cni', name: 'cni-net-dir' },
    { mountPath: '/tmp', name: 'linkerd-tmp-dir' },
  ]);
});

test('a group of the proxy counts from zero on, great numbers stay what the plugin can read', () => {
  const text = networkConfig(viewOf({ proxyGID: 0, proxyUID: 1_000_700_000 }));
  expect(JSON.parse(text)).toMatchObject({ linkerd: { 'proxy-gid': 0 } });
  expect(text).toContain('"proxy-uid": 1000700000,');
});

test('an empty policy for pulling images is left out', () => {
  expect(containerOf({ image: { pullPolicy: '' } }, 'install-cni')?.imagePullPolicy).toBeUndefined();
});
