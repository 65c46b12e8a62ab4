import { checkCniAgreement } from '../../../lib/constructs/control-plane/cni-agreement';
import { mergeValues } from '../../../lib/kubernetes/values';
import { defaultsOf } from '../../../lib/linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS, releaseOf } from '../../../lib/linkerd/releases/release';

test.each(LINKERD_VERSIONS)('the charts of %s agree of themselves', (version) => {
  const { controlPlane, cni } = defaultsOf(releaseOf(version));
  expect(checkCniAgreement(controlPlane, cni)).toEqual([]);
});

test.each([
  ['inboundProxyPort', 4150, 'values.proxy.ports.inbound is 4143'],
  ['outboundProxyPort', 4150, 'values.proxy.ports.outbound is 4140'],
  ['proxyAdminPort', 4150, 'values.proxy.ports.admin is 4191'],
  ['proxyControlPort', 4150, 'values.proxy.ports.control is 4190'],
  ['proxyUID', 1001, 'values.proxy.uid is 2102'],
  ['proxyGID', 1001, 'values.proxy.gid is -1'],
  ['disableIPv6', false, 'values.disableIPv6 is true'],
])('%s must be that of the proxies', (key, value, what) => {
  const { controlPlane, cni } = defaultsOf(releaseOf('edge-26.8.3'));
  const problems = checkCniAgreement(controlPlane, mergeValues(cni, { [key]: value }));
  expect(problems.map((problem) => problem.what)).toEqual([`${what}, but the CNI plugin's ${key} is ${value}`]);
});

test('what has another type is reported elsewhere', () => {
  const { controlPlane, cni } = defaultsOf(releaseOf('edge-26.8.3'));
  expect(checkCniAgreement(controlPlane, mergeValues(cni, { proxyUID: 'x' }))).toEqual([]);
});
