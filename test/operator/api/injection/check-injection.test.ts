import defaults from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import { checkInjection } from '../../../../operator/api/injection/check-injection';
import { injectorOf } from '../../../../operator/api/injection/injector';
import { mergeValues, type Values } from '../../../../operator/api/kubernetes/values-merge';

const whats = (values: Values) =>
  checkInjection(mergeValues(defaults, values), injectorOf('edge-26.8.3')).map(({ what }) => what);

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
  [
    { proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } },
    'meshIdentity has no serviceAccountName and namespace',
  ],
  [{ proxyInit: { iptablesMode: 'plain' } }, 'values.proxyInit.iptablesMode is "plain"'],
  [{ proxyInit: { closeWaitTimeoutSecs: 30 } }, 'values.proxyInit.closeWaitTimeoutSecs is 30'],
  [{ identity: null }, 'values.identity is null'],
  [{ debugContainer: null }, 'values.debugContainer is null'],
  [{ debugContainer: { image: null } }, 'values.debugContainer.image is null'],
  [{ proxy: { metrics: null } }, 'values.proxy.metrics is null'],
  [{ proxy: { resources: null } }, 'values.proxy.resources is null'],
  [{ proxy: { startupProbe: null } }, 'values.proxy.startupProbe is null'],
  [{ proxyInit: { xtMountPath: null } }, 'values.proxyInit.xtMountPath is null'],
  [{ proxyInit: { xtMountPath: { name: 'lock' } } }, 'values.proxyInit.xtMountPath.name is "lock"'],
  [{ proxy: { saMountPath: { name: 'a', mountPath: '/b' } } }, 'values.proxy.saMountPath is set'],
  [{ proxy: { securityContext: { procMount: '' } } }, 'values.proxy.securityContext.procMount is ""'],
  [{ clusterNetworks: 'abc' }, 'values.clusterNetworks[0] is "abc"'],
  [{ clusterNetworks: '10.0.0.0/8,' }, 'values.clusterNetworks[1] is ""'],
  [{ proxyInit: { skipSubnets: '10.0.0.0/33' } }, 'values.proxyInit.skipSubnets[0] is "10.0.0.0/33"'],
  [{ clusterDomain: 'a"b' }, 'values.clusterDomain is "a\\"b"'],
  [{ linkerdVersion: 'edge"26' }, 'values.linkerdVersion is "edge\\"26"'],
  [{ linkerdVersion: null }, 'values.linkerdVersion is null'],
  [{ proxy: { image: { version: 'edge\n26' } } }, 'values.proxy.image.version is "edge\\n26"'],
  [{ proxy: { image: { name: '' } } }, 'values.proxy.image.name is ""'],
  [{ proxy: { image: { name: 'Proxy' } } }, 'values.proxy.image.name is "Proxy"'],
  [{ proxy: { uid: 0 } }, 'values.proxy.uid is 0'],
  [{ proxy: { uid: null } }, 'values.proxy.uid is null'],
  [{ proxy: { uid: 2 ** 31 } }, 'values.proxy.uid is 2147483648'],
  [{ proxy: { ports: { admin: 4190 } } }, 'values.proxy.ports.admin and values.proxy.ports.control are both 4190'],
  [{ proxy: { ports: { admin: null } } }, 'values.proxy.ports.admin is null'],
  [{ proxy: { waitBeforeExitSeconds: -1 } }, 'values.proxy.waitBeforeExitSeconds is -1'],
  [{ proxy: { securityContext: { runAsNonRoot: true, runAsUser: 0 } } }, 'securityContext.runAsUser is 0'],
  [
    { proxy: { securityContext: { privileged: true, allowPrivilegeEscalation: false } } },
    'values.proxy.securityContext.privileged is true',
  ],
  [{ proxy: { securityContext: { seccompProfile: { type: 'Localhost' } } } }, 'localhostProfile is not set'],
  [{ proxy: { securityContext: { appArmorProfile: {} } } }, 'securityContext.appArmorProfile.type is null'],
  [{ proxy: { securityContext: { seLinuxOptions: { level: 1 } } } }, 'seLinuxOptions.level is 1, not a string'],
  [{ proxy: { resources: { cpu: { limit: true } } } }, 'values.proxy.resources.cpu.limit is "true"'],
  [{ proxy: { additionalEnv: [{ name: 'A=B', value: 'c' }] } }, 'values.proxy.additionalEnv[0] has no name'],
  [
    { proxy: { additionalEnv: [{ name: 'A', value: 'b', valueFrom: {} }] } },
    'values.proxy.additionalEnv[0] has both value and valueFrom',
  ],
  [{ proxy: { tracing: { labels: { a: 'b\nc' } } } }, 'values.proxy.tracing.labels.a is "b\\nc"'],
  [{ proxy: { tracing: { labels: { 'a\n': 'b' } } } }, 'a key of values.proxy.tracing.labels is "a\\n"'],
  [{ proxy: { tracing: { traceServiceName: 'yes' } } }, 'values.proxy.tracing.traceServiceName is "yes"'],
  [{ networkValidator: { timeout: '1h30m' } }, 'values.networkValidator.timeout is "1h30m"'],
  [{ networkValidator: { timeout: '0' } }, 'values.networkValidator.timeout is "0"'],
  [{ networkValidator: { securityContext: { seccompProfile: { localhostProfile: '' } } } }, 'localhostProfile is set'],
  [{ networkValidator: { listenAddr: '4140' } }, 'values.networkValidator.listenAddr is "4140"'],
  [{ controllerReplicas: -1 }, 'values.controllerReplicas is -1'],
  [{ podAnnotations: { a: {} } }, 'values.podAnnotations.a is a map, not a string'],
  [{ nodeSelector: [] }, 'values.nodeSelector is a list, not a map'],
  [{ cniEnabled: 'true' }, 'values.cniEnabled is "true", not true or false'],
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

test.each<Values>([
  { proxy: { tracing: null, runtime: null, control: null, cores: null, securityContext: null } },
  { proxy: { gid: -1 }, podAnnotations: null, tolerations: null, imagePullSecrets: null },
  { proxy: { resources: { cpu: null, memory: { limit: 64_000_000 } } } },
  { clusterNetworks: '', proxyInit: { skipSubnets: '', ignoreInboundPorts: null } },
  { debugContainer: { image: { version: null, pullPolicy: null } } },
  { proxy: { image: { name: '[::1]:5000/proxy', version: 'edge-26.8.3' } } },
])('%j is fine', (values) => {
  expect(whats(values)).toEqual([]);
});

test('what is long is not repeated whole', () => {
  expect(whats({ linkerdVersion: 'x'.repeat(1_000_000) })[0]?.length).toBeLessThan(200);
});
