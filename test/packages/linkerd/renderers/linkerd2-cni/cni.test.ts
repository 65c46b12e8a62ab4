import { networkConfig } from '#linkerd/renderers/linkerd2-cni/network-config';
import { containerOf, podOf, viewOf } from './fixture';

// Values that the comparisons with Helm lack.

test('the CNI plugin mounts one directory of the node if binaries and configuration share it', () => {
  const values = { destCNIBinDir: '/etc/cni', destCNINetDir: '/etc/cni' };
  expect(podOf(values).spec?.volumes?.map(({ name }) => name)).toEqual(['cni-net-dir', 'linkerd-tmp-dir']);
  expect(containerOf(values, 'install-cni')?.volumeMounts).toEqual([
    { mountPath: '/host/etc/cni', name: 'cni-net-dir' },
    { mountPath: '/tmp', name: 'linkerd-tmp-dir' },
  ]);
});

test('the CNI configuration contains the group 0 of the proxy, and large user IDs without an exponent', () => {
  const text = networkConfig(viewOf({ proxyGID: 0, proxyUID: 1_000_700_000 }));
  expect(JSON.parse(text)).toMatchObject({ linkerd: { 'proxy-gid': 0 } });
  expect(text).toContain('"proxy-uid": 1000700000,');
});

test('the CNI plugin omits an empty imagePullPolicy', () => {
  expect(containerOf({ image: { pullPolicy: '' } }, 'install-cni')?.imagePullPolicy).toBeUndefined();
});
