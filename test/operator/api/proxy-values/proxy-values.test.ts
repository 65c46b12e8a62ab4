import { mergeValues, type Values } from '../../../../lib/kubernetes/values';
import { defaultsOf } from '../../../../lib/linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS, releaseOf } from '../../../../lib/linkerd/releases/release';
import { checkProxyValues } from '../../../../operator/api/injection/check-injection';
import { injectorOf } from '../../../../operator/api/injection/injector';
import { checkPortList } from '../../../../operator/api/proxy-values/port-list';
import { checkProxyDuration } from '../../../../operator/api/proxy-values/proxy-duration';

const NEWEST = injectorOf(undefined);
const whats = (values: Values, injector = NEWEST) => checkProxyValues(values, injector).map(({ what }) => what);

test.each(LINKERD_VERSIONS)('the values of %s are right, with high availability and without', (version) => {
  const { controlPlane, highAvailability } = defaultsOf(releaseOf(version));
  const injector = injectorOf(controlPlane.linkerdVersion);
  expect(whats(controlPlane, injector)).toEqual([]);
  expect(whats(mergeValues(controlPlane, highAvailability), injector)).toEqual([]);
});

test.each<readonly [string, Values]>([
  ['values.proxy.shutdownGracePeriod is "1h30m"', { proxy: { shutdownGracePeriod: '1h30m' } }],
  ['values.proxy.outboundConnectTimeout is "soon"', { proxy: { outboundConnectTimeout: 'soon' } }],
  ['values.proxy.requireIdentityOnInboundPorts is "x"', { proxy: { requireIdentityOnInboundPorts: 'x' } }],
  ['values.proxyInit.ignoreOutboundPorts is "0"', { proxyInit: { ignoreOutboundPorts: '0' } }],
  ['values.proxy.logLevel is "loud"', { proxy: { logLevel: 'loud' } }],
  ['values.proxy.resources.cpu.limit is "two"', { proxy: { resources: { cpu: { limit: 'two' } } } }],
  ['values.identityResources.memory.request is 100m', { identityResources: { memory: { request: '100m' } } }],
  ['values.proxy.resources.cpu.request is 2, more than', { proxy: { resources: { cpu: { request: 2, limit: '1' } } } }],
])('%s', (what, values) => expect(whats(values)).toEqual([expect.stringContaining(what)]));

test.each(['0', '5m', ' 100ms ', '2d', '90s'])('%j is a duration to the proxy', (text) =>
  expect(checkProxyDuration('it', text)).toEqual([]),
);
test.each(['', '5', '1.5s', '-1s', '5 m', '1h30m'])('%j is none', (text) =>
  expect(checkProxyDuration('it', text)).toHaveLength(1),
);

test.each(['25', '25,3306', '4000-4100, 25', '1-65535'])('%j is a list of ports', (list) =>
  expect(checkPortList('it', list)).toEqual([]),
);
test.each(['0', '65536', '25,', '5-4', 'smtp', '25;26', '1-2-3'])('%j is none', (list) =>
  expect(checkPortList('it', list)).toHaveLength(1),
);
test('entries that are wrong are named', () =>
  expect(checkPortList('it', '25,smtp,0')[0]?.what).toBe('it is "25,smtp,0", in which "smtp", "0" is not a port'));
