import { mergeValues, type Values } from '#base/values';
import { checkProxyValues } from '#linkerd/injection/check-injection';
import { injectorOf } from '#linkerd/injection/injector';
import { checkPortList } from '#linkerd/proxy-values/port-list';
import { checkProxyDuration } from '#linkerd/proxy-values/proxy-duration';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { facts } from '#test/support/findings';

const NEWEST = injectorOf(undefined);
const whats = (values: Values, injector = NEWEST) => checkProxyValues(values, injector).map(facts);

test.each(LINKERD_VERSIONS)(
  'the check of proxy values accepts the defaults of %s, with and without high availability',
  (version) => {
    const { controlPlane, highAvailability } = defaultsOf(releaseOf(version));
    const injector = injectorOf(controlPlane.linkerdVersion);
    expect(whats(controlPlane, injector)).toEqual([]);
    expect(whats(mergeValues(controlPlane, highAvailability), injector)).toEqual([]);
  },
);

test.each<readonly [object, Values]>([
  [
    { finding: 'duration-refused/proxy', field: 'values.proxy.shutdownGracePeriod', text: '1h30m' },
    { proxy: { shutdownGracePeriod: '1h30m' } },
  ],
  [
    { finding: 'duration-refused/proxy', field: 'values.proxy.outboundConnectTimeout', text: 'soon' },
    { proxy: { outboundConnectTimeout: 'soon' } },
  ],
  [
    { finding: 'port-refused/list', field: 'values.proxy.requireIdentityOnInboundPorts', list: 'x', wrong: '"x"' },
    { proxy: { requireIdentityOnInboundPorts: 'x' } },
  ],
  [
    { finding: 'port-refused/list', field: 'values.proxyInit.ignoreOutboundPorts', list: '0', wrong: '"0"' },
    { proxyInit: { ignoreOutboundPorts: '0' } },
  ],
  [
    { finding: 'log-filter-refused', field: 'values.proxy.logLevel', filter: 'loud', wrong: '"loud"' },
    { proxy: { logLevel: 'loud' } },
  ],
  [
    { finding: 'quantity-refused/invalid', field: 'values.proxy.resources.cpu.limit', quantity: 'two' },
    { proxy: { resources: { cpu: { limit: 'two' } } } },
  ],
  [
    { finding: 'quantity-refused/fraction', field: 'values.identityResources.memory.request', quantity: '100m' },
    { identityResources: { memory: { request: '100m' } } },
  ],
  [
    { finding: 'request-over-limit', field: 'values.proxy.resources.cpu', request: '2' },
    { proxy: { resources: { cpu: { request: 2, limit: '1' } } } },
  ],
])('the check of proxy values reports %j', (what, values) => expect(whats(values)).toMatchObject([what]));

test.each(['0', '5m', ' 100ms ', '2d', '90s'])('the check of proxy values accepts the duration %j', (text) =>
  expect(checkProxyDuration('it', text)).toEqual([]),
);
test.each(['', '5', '1.5s', '-1s', '5 m', '1h30m'])('the check of proxy values refuses the duration %j', (text) =>
  expect(checkProxyDuration('it', text)).toHaveLength(1),
);

test.each(['25', '25,3306', '4000-4100, 25', '1-65535'])(
  'the check of proxy values accepts the list of ports %j',
  (list) => expect(checkPortList('it', list)).toEqual([]),
);
test.each(['0', '65536', '25,', '5-4', 'smtp', '25;26', '1-2-3'])(
  'the check of proxy values refuses the list of ports %j',
  (list) => expect(checkPortList('it', list)).toHaveLength(1),
);
test('the check of proxy values names wrong entries', () =>
  expect(checkPortList('it', '25,smtp,0').map(facts)[0]).toEqual({
    finding: 'port-refused/list',
    field: 'it',
    list: '25,smtp,0',
    wrong: '"smtp", "0"',
  }));
