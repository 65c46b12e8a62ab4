import { mergeValues, type Values } from '#base/values';
import defaults from '#imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { checkInjection } from '#operator/api/injection/check-injection';
import { injectorOf } from '#operator/api/injection/injector';
import { facts } from '#test/support/findings';

const whats = (values: Values) => checkInjection(mergeValues(defaults, values), injectorOf('edge-26.8.3')).map(facts);

test("the check of injection accepts the chart's own values", () => expect(whats({})).toEqual([]));

test.each<[Values, object]>([
  [{ networkValidator: null }, { finding: 'injected-value-missing/map', path: 'networkValidator', value: 'null' }],
  [{ proxy: null }, { finding: 'injected-value-missing/map', path: 'proxy', value: 'null' }],
  [{ proxy: { image: null } }, { finding: 'injected-value-missing/map', path: 'proxy.image', value: 'null' }],
  [
    { proxy: { livenessProbe: null } },
    { finding: 'injected-value-missing/map', path: 'proxy.livenessProbe', value: 'null' },
  ],
  [{ proxy: { ports: null } }, { finding: 'injected-value-missing/map', path: 'proxy.ports', value: 'null' }],
  [
    { proxy: { readinessProbe: null } },
    { finding: 'injected-value-missing/map', path: 'proxy.readinessProbe', value: 'null' },
  ],
  [{ proxyInit: null }, { finding: 'injected-value-missing/map', path: 'proxyInit', value: 'null' }],
  [
    { proxy: { logHTTPHeaders: 'all' } },
    { finding: 'injected-value-refused/header-logs', field: 'values.proxy.logHTTPHeaders', value: '"all"' },
  ],
  [
    { proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } },
    { finding: 'injected-value-missing/trace-identity', missing: 'serviceAccountName and namespace' },
  ],
  [
    { proxyInit: { iptablesMode: 'plain' } },
    { finding: 'injected-value-refused/iptables-mode', field: 'values.proxyInit.iptablesMode', value: '"plain"' },
  ],
  [{ proxyInit: { closeWaitTimeoutSecs: 30 } }, { finding: 'injected-value-refused/init-wait', seconds: '30' }],
  [{ identity: null }, { finding: 'injected-value-missing/map', path: 'identity', value: 'null' }],
  [{ debugContainer: null }, { finding: 'injected-value-missing/map', path: 'debugContainer', value: 'null' }],
  [
    { debugContainer: { image: null } },
    { finding: 'injected-value-missing/map', path: 'debugContainer.image', value: 'null' },
  ],
  [{ proxy: { metrics: null } }, { finding: 'injected-value-missing/map', path: 'proxy.metrics', value: 'null' }],
  [{ proxy: { resources: null } }, { finding: 'injected-value-missing/map', path: 'proxy.resources', value: 'null' }],
  [
    { proxy: { startupProbe: null } },
    { finding: 'injected-value-missing/map', path: 'proxy.startupProbe', value: 'null' },
  ],
  [
    { proxyInit: { xtMountPath: null } },
    { finding: 'injected-value-missing/map', path: 'proxyInit.xtMountPath', value: 'null' },
  ],
  [
    { proxyInit: { xtMountPath: { name: 'lock' } } },
    { finding: 'injected-value-refused/text', field: 'values.proxyInit.xtMountPath.name', value: '"lock"' },
  ],
  [{ proxy: { saMountPath: { name: 'a', mountPath: '/b' } } }, { finding: 'injected-value-refused/token-mount' }],
  [
    { proxy: { securityContext: { procMount: '' } } },
    { finding: 'injected-value-refused/text', field: 'values.proxy.securityContext.procMount', value: '""' },
  ],
  [
    { clusterNetworks: 'abc' },
    { finding: 'address-refused/skipped-subnets', field: 'values.clusterNetworks[0]', value: 'abc' },
  ],
  [
    { clusterNetworks: '10.0.0.0/8,' },
    { finding: 'address-refused/skipped-subnets', field: 'values.clusterNetworks[1]' },
  ],
  [
    { proxyInit: { skipSubnets: '10.0.0.0/33' } },
    { finding: 'address-refused/skipped-subnets', field: 'values.proxyInit.skipSubnets[0]', value: '10.0.0.0/33' },
  ],
  [
    { clusterDomain: 'a"b' },
    { finding: 'injected-value-refused/text', field: 'values.clusterDomain', value: '"a\\"b"' },
  ],
  [
    { linkerdVersion: 'edge"26' },
    { finding: 'injected-value-refused/text', field: 'values.linkerdVersion', value: '"edge\\"26"' },
  ],
  [{ linkerdVersion: null }, { finding: 'injected-value-missing/value', path: 'linkerdVersion', value: 'null' }],
  [
    { proxy: { image: { version: 'edge\n26' } } },
    { finding: 'injected-value-refused/text', field: 'values.proxy.image.version', value: '"edge\\n26"' },
  ],
  [
    { proxy: { image: { name: '' } } },
    { finding: 'injected-value-missing/value', path: 'proxy.image.name', value: '""' },
  ],
  [
    { proxy: { image: { name: 'Proxy' } } },
    { finding: 'injected-value-refused/text', field: 'values.proxy.image.name', value: '"Proxy"' },
  ],
  [{ proxy: { uid: 0 } }, { finding: 'injected-value-refused/range', field: 'values.proxy.uid', value: '0' }],
  [{ proxy: { uid: null } }, { finding: 'injected-value-missing/value', path: 'proxy.uid', value: 'null' }],
  [
    { proxy: { uid: 2 ** 31 } },
    { finding: 'injected-value-refused/range', field: 'values.proxy.uid', value: '2147483648' },
  ],
  [
    { proxy: { ports: { admin: 4190 } } },
    {
      finding: 'injected-value-refused/ports-equal',
      fields: 'values.proxy.ports.admin and values.proxy.ports.control',
      port: 4190,
    },
  ],
  [
    { proxy: { ports: { admin: null } } },
    { finding: 'injected-value-missing/value', path: 'proxy.ports.admin', value: 'null' },
  ],
  [
    { proxy: { waitBeforeExitSeconds: -1 } },
    { finding: 'injected-value-refused/range', field: 'values.proxy.waitBeforeExitSeconds', value: '-1' },
  ],
  [{ proxy: { securityContext: { runAsNonRoot: true, runAsUser: 0 } } }, { finding: 'injected-value-refused/root' }],
  [
    { proxy: { securityContext: { privileged: true, allowPrivilegeEscalation: false } } },
    { finding: 'injected-value-refused/privileges', path: 'proxy.securityContext' },
  ],
  [
    { proxy: { securityContext: { seccompProfile: { type: 'Localhost' } } } },
    { finding: 'injected-value-refused/profile-missing' },
  ],
  [{ proxy: { securityContext: { appArmorProfile: {} } } }, { finding: 'injected-value-missing/value', value: 'null' }],
  [
    { proxy: { securityContext: { seLinuxOptions: { level: 1 } } } },
    { finding: 'injected-value-refused/type', value: '1', expected: 'a string' },
  ],
  [
    { proxy: { resources: { cpu: { limit: true } } } },
    { finding: 'quantity-refused/invalid', field: 'values.proxy.resources.cpu.limit', quantity: 'true' },
  ],
  [
    { proxy: { additionalEnv: [{ name: 'A=B', value: 'c' }] } },
    { finding: 'injected-value-refused/variable', field: 'values.proxy.additionalEnv[0]' },
  ],
  [
    { proxy: { additionalEnv: [{ name: 'A', value: 'b', valueFrom: {} }] } },
    { finding: 'injected-value-refused/variable-value', field: 'values.proxy.additionalEnv[0]' },
  ],
  [
    { proxy: { tracing: { labels: { a: 'b\nc' } } } },
    { finding: 'injected-value-refused/text', field: 'values.proxy.tracing.labels.a', value: '"b\\nc"' },
  ],
  [
    { proxy: { tracing: { labels: { 'a\n': 'b' } } } },
    { finding: 'injected-value-refused/text', field: 'a key of values.proxy.tracing.labels', value: '"a\\n"' },
  ],
  [
    { proxy: { tracing: { traceServiceName: 'yes' } } },
    { finding: 'injected-value-refused/text', field: 'values.proxy.tracing.traceServiceName', value: '"yes"' },
  ],
  [
    { networkValidator: { timeout: '1h30m' } },
    { finding: 'duration-refused/proxy', field: 'values.networkValidator.timeout', text: '1h30m' },
  ],
  [
    { networkValidator: { timeout: '0' } },
    { finding: 'injected-value-refused/text', field: 'values.networkValidator.timeout', value: '"0"' },
  ],
  [
    { networkValidator: { securityContext: { seccompProfile: { localhostProfile: '' } } } },
    { finding: 'injected-value-refused/profile-unused', type: '"RuntimeDefault"' },
  ],
  [
    { networkValidator: { listenAddr: '4140' } },
    { finding: 'injected-value-refused/socket-address', field: 'values.networkValidator.listenAddr', value: '"4140"' },
  ],
  [
    { controllerReplicas: -1 },
    { finding: 'injected-value-refused/range', field: 'values.controllerReplicas', value: '-1' },
  ],
  [
    { podAnnotations: { a: {} } },
    { finding: 'injected-value-refused/type', field: 'values.podAnnotations.a', value: 'a map', expected: 'a string' },
  ],
  [
    { nodeSelector: [] },
    { finding: 'injected-value-refused/type', field: 'values.nodeSelector', value: 'a list', expected: 'a map' },
  ],
  [
    { cniEnabled: 'true' },
    { finding: 'injected-value-refused/type', field: 'values.cniEnabled', value: '"true"', expected: 'true or false' },
  ],
])('the check of injection reports %j', (values, what) => expect(whats(values)).toMatchObject([what]));

test('a missing map does not hide problems elsewhere', () => {
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
