import { isMap, mergeValues, type Value, type Values, valueAt } from '#base/values';
import defaults from '#imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { checkInjection } from '#linkerd/injection/check-injection';
import { injectorOf } from '#linkerd/injection/injector';
import { facts } from '#test/support/findings';

const whats = (values: Values) => checkInjection(mergeValues(defaults, values), injectorOf('edge-26.8.3')).map(facts);

/** The path and value of the single wrong value, as a finding reports them. */
function factsOf(values: Values, finding: string): object {
  const path: string[] = [];
  let value: Value = values;
  for (let keys = Object.keys(value); keys.length === 1; keys = isMap(value) ? Object.keys(value) : []) {
    path.push(...keys);
    value = valueAt(values, path.join('.')) as Value;
  }
  const place = path.join('.');
  const isMissing = finding.startsWith('injected-value-missing/');
  return { value: JSON.stringify(value), ...(isMissing ? { path: place } : { field: `values.${place}` }) };
}

test("the check of injection accepts the chart's own values", () => expect(whats({})).toEqual([]));

test.each<[Values, finding: string, facts?: object]>([
  [{ networkValidator: null }, 'injected-value-missing/map'],
  [{ proxy: null }, 'injected-value-missing/map'],
  [{ proxy: { image: null } }, 'injected-value-missing/map'],
  [{ proxy: { livenessProbe: null } }, 'injected-value-missing/map'],
  [{ proxy: { ports: null } }, 'injected-value-missing/map'],
  [{ proxy: { readinessProbe: null } }, 'injected-value-missing/map'],
  [{ proxyInit: null }, 'injected-value-missing/map'],
  [{ proxy: { logHTTPHeaders: 'all' } }, 'injected-value-refused/header-logs'],
  [
    { proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } },
    'injected-value-missing/trace-identity',
    { missing: 'serviceAccountName and namespace' },
  ],
  [{ proxyInit: { iptablesMode: 'plain' } }, 'injected-value-refused/iptables-mode'],
  [{ proxyInit: { closeWaitTimeoutSecs: 30 } }, 'injected-value-refused/init-wait', { seconds: '30' }],
  [{ identity: null }, 'injected-value-missing/map'],
  [{ debugContainer: null }, 'injected-value-missing/map'],
  [{ debugContainer: { image: null } }, 'injected-value-missing/map'],
  [{ proxy: { metrics: null } }, 'injected-value-missing/map'],
  [{ proxy: { resources: null } }, 'injected-value-missing/map'],
  [{ proxy: { startupProbe: null } }, 'injected-value-missing/map'],
  [{ proxyInit: { xtMountPath: null } }, 'injected-value-missing/map'],
  [{ proxyInit: { xtMountPath: { name: 'lock' } } }, 'injected-value-refused/text'],
  [{ proxy: { saMountPath: { name: 'a', mountPath: '/b' } } }, 'injected-value-refused/token-mount', {}],
  [{ proxy: { securityContext: { procMount: '' } } }, 'injected-value-refused/text'],
  [{ clusterNetworks: 'abc' }, 'address-refused/skipped-subnets', { field: 'values.clusterNetworks[0]', value: 'abc' }],
  [{ clusterNetworks: '10.0.0.0/8,' }, 'address-refused/skipped-subnets', { field: 'values.clusterNetworks[1]' }],
  [
    { proxyInit: { skipSubnets: '10.0.0.0/33' } },
    'address-refused/skipped-subnets',
    { field: 'values.proxyInit.skipSubnets[0]', value: '10.0.0.0/33' },
  ],
  [{ clusterDomain: 'a"b' }, 'injected-value-refused/text'],
  [{ linkerdVersion: 'edge"26' }, 'injected-value-refused/text'],
  [{ linkerdVersion: null }, 'injected-value-missing/value'],
  [{ proxy: { image: { version: 'edge\n26' } } }, 'injected-value-refused/text'],
  [{ proxy: { image: { name: '' } } }, 'injected-value-missing/value'],
  [{ proxy: { image: { name: 'Proxy' } } }, 'injected-value-refused/text'],
  [{ proxy: { uid: 0 } }, 'injected-value-refused/range'],
  [{ proxy: { uid: null } }, 'injected-value-missing/value'],
  [{ proxy: { uid: 2 ** 31 } }, 'injected-value-refused/range'],
  [
    { proxy: { ports: { admin: 4190 } } },
    'injected-value-refused/ports-equal',
    { fields: 'values.proxy.ports.admin and values.proxy.ports.control', port: 4190 },
  ],
  [{ proxy: { ports: { admin: null } } }, 'injected-value-missing/value'],
  [{ proxy: { waitBeforeExitSeconds: -1 } }, 'injected-value-refused/range'],
  [{ proxy: { securityContext: { runAsNonRoot: true, runAsUser: 0 } } }, 'injected-value-refused/root', {}],
  [
    { proxy: { securityContext: { privileged: true, allowPrivilegeEscalation: false } } },
    'injected-value-refused/privileges',
    { path: 'proxy.securityContext' },
  ],
  [
    { proxy: { securityContext: { seccompProfile: { type: 'Localhost' } } } },
    'injected-value-refused/profile-missing',
    {},
  ],
  [{ proxy: { securityContext: { appArmorProfile: {} } } }, 'injected-value-missing/value', { value: 'null' }],
  [
    { proxy: { securityContext: { seLinuxOptions: { level: 1 } } } },
    'injected-value-refused/type',
    { value: '1', expected: 'a string' },
  ],
  [
    { proxy: { resources: { cpu: { limit: true } } } },
    'quantity-refused/invalid',
    { field: 'values.proxy.resources.cpu.limit', quantity: 'true' },
  ],
  [
    { proxy: { additionalEnv: [{ name: 'A=B', value: 'c' }] } },
    'injected-value-refused/variable',
    { field: 'values.proxy.additionalEnv[0]' },
  ],
  [
    { proxy: { additionalEnv: [{ name: 'A', value: 'b', valueFrom: {} }] } },
    'injected-value-refused/variable-value',
    { field: 'values.proxy.additionalEnv[0]' },
  ],
  [{ proxy: { tracing: { labels: { a: 'b\nc' } } } }, 'injected-value-refused/text'],
  [
    { proxy: { tracing: { labels: { 'a\n': 'b' } } } },
    'injected-value-refused/text',
    { field: 'a key of values.proxy.tracing.labels', value: '"a\\n"' },
  ],
  [{ proxy: { tracing: { traceServiceName: 'yes' } } }, 'injected-value-refused/text'],
  [
    { networkValidator: { timeout: '1h30m' } },
    'duration-refused/proxy',
    { field: 'values.networkValidator.timeout', text: '1h30m' },
  ],
  [{ networkValidator: { timeout: '0' } }, 'injected-value-refused/text'],
  [
    { networkValidator: { securityContext: { seccompProfile: { localhostProfile: '' } } } },
    'injected-value-refused/profile-unused',
    { type: '"RuntimeDefault"' },
  ],
  [{ networkValidator: { listenAddr: '4140' } }, 'injected-value-refused/socket-address'],
  [{ controllerReplicas: -1 }, 'injected-value-refused/range'],
  [
    { podAnnotations: { a: {} } },
    'injected-value-refused/type',
    { field: 'values.podAnnotations.a', value: 'a map', expected: 'a string' },
  ],
  [
    { nodeSelector: [] },
    'injected-value-refused/type',
    { field: 'values.nodeSelector', value: 'a list', expected: 'a map' },
  ],
  [
    { cniEnabled: 'true' },
    'injected-value-refused/type',
    { field: 'values.cniEnabled', value: '"true"', expected: 'true or false' },
  ],
])('the check of injection reports %j', (values, finding, parameters = factsOf(values, finding)) =>
  expect(whats(values)).toMatchObject([{ finding, ...parameters }]),
);

test('a missing map does not hide problems in other maps', () => {
  expect(whats({ proxy: null, proxyInit: { iptablesMode: 'plain' } })).toHaveLength(2);
});

test('the check of injection ignores the init container with the CNI plugin', () => {
  expect(whats({ cniEnabled: true, proxyInit: { closeWaitTimeoutSecs: 30 } })).toEqual([]);
});

test('the check of injection ignores tracing by the controllers', () => {
  expect(whats({ controller: { tracing: { enabled: true } } })).toEqual([]);
});

test.each<Values>([
  { proxy: { tracing: null, runtime: null, control: null, cores: null, securityContext: null } },
  { proxy: { gid: -1 }, podAnnotations: null, tolerations: null, imagePullSecrets: null },
  { proxy: { resources: { cpu: null, memory: { limit: 64_000_000 } } } },
  { clusterNetworks: '', proxyInit: { skipSubnets: '', ignoreInboundPorts: null } },
  { debugContainer: { image: { version: null, pullPolicy: null } } },
  { proxy: { image: { name: '[::1]:5000/proxy', version: 'edge-26.8.3' } } },
])('the check of injection accepts %j', (values) => expect(whats(values)).toEqual([]));

test('the check of injection truncates long values in its findings', () => {
  expect(JSON.stringify(whats({ linkerdVersion: 'x'.repeat(1_000_000) })).length).toBeLessThan(500);
});
