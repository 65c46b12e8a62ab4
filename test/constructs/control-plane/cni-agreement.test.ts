import { mergeValues } from '#base/values';
import { checkCniAgreement } from '#lib/constructs/control-plane/control-plane-rules';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';

test.each(LINKERD_VERSIONS)('by default, the charts of the CNI plugin and the control plane agree in %s', (version) => {
  const { controlPlane, cni } = defaultsOf(releaseOf(version));
  expect(checkCniAgreement(controlPlane, cni)).toEqual([]);
});

test.each([
  ['inboundProxyPort', 4150, 'proxy.ports.inbound', '4143'],
  ['outboundProxyPort', 4150, 'proxy.ports.outbound', '4140'],
  ['proxyAdminPort', 4150, 'proxy.ports.admin', '4191'],
  ['proxyControlPort', 4150, 'proxy.ports.control', '4190'],
  ['proxyUID', 1001, 'proxy.uid', '2102'],
  ['proxyGID', 1001, 'proxy.gid', '-1'],
  ['disableIPv6', false, 'disableIPv6', 'true'],
])('synth refuses a CNI plugin whose %s differs from the proxies’', (key, value, path, here) => {
  const { controlPlane, cni } = defaultsOf(releaseOf('edge-26.8.3'));
  const problems = checkCniAgreement(controlPlane, mergeValues(cni, { [key]: value }));
  expect(problems).toMatchObject([
    { code: 'cni-mismatch', about: `values.${path}`, parameters: { path, here, key, there: String(value) } },
  ]);
});

test('the check of the CNI plugin skips values of a wrong type', () => {
  const { controlPlane, cni } = defaultsOf(releaseOf('edge-26.8.3'));
  expect(checkCniAgreement(controlPlane, mergeValues(cni, { proxyUID: 'x' }))).toEqual([]);
});
