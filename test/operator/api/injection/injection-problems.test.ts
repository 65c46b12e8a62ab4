import defaults from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { injectionProblems } from '../../../../operator/api/injection/injection-problems';
import { mergeValues, type Values } from '../../../../operator/api/values-merge';

const whats = (values: Values) => injectionProblems(mergeValues(defaults, values)).map(({ what }) => what);

test("the chart's own values are fine", () => {
  expect(whats({})).toEqual([]);
});

test.each<[Values, string]>([
  [{ networkValidator: null }, 'values.networkValidator is null'],
  [{ proxy: null }, 'values.proxy is null'],
  [{ proxy: { image: null } }, 'values.proxy.image is null'],
  [{ proxy: { livenessProbe: null } }, 'values.proxy.livenessProbe is null'],
  [{ proxy: { ports: null } }, 'values.proxy.ports is null'],
  [{ proxy: { readinessProbe: null } }, 'values.proxy.readinessProbe is null'],
  [{ proxyInit: null }, 'values.proxyInit is null'],
  [{ proxy: { logHTTPHeaders: 'all' } }, 'values.proxy.logHTTPHeaders is "all"'],
  [{ proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } }, 'meshIdentity lacks'],
  [{ proxyInit: { iptablesMode: 'plain' } }, 'values.proxyInit.iptablesMode is "plain"'],
  [{ proxyInit: { closeWaitTimeoutSecs: 30 } }, 'values.proxyInit.closeWaitTimeoutSecs is 30'],
])('%j is a problem', (values, what) => {
  expect(whats(values)).toEqual([expect.stringContaining(what)]);
});

test('a map that is missing does not hide what is wrong elsewhere', () => {
  expect(whats({ proxy: null, proxyInit: { iptablesMode: 'plain' } })).toHaveLength(2);
});

test('the CNI plugin takes the place of the init container', () => {
  expect(whats({ cniEnabled: true, proxyInit: { closeWaitTimeoutSecs: 30 } })).toEqual([]);
});

test('tracing by the controllers is no matter of the injector', () => {
  expect(whats({ controller: { tracing: { enabled: true } } })).toEqual([]);
});
