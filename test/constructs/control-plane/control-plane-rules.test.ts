import { mergeValues, type Values } from '#base/values';
import { type ControlPlaneFacts, checkControlPlane } from '#lib/constructs/control-plane/control-plane-rules';
import type { CniFacts } from '#lib/constructs/control-plane/linkerd-cni';
import { defaultsOf } from '#lib/linkerd/releases/chart-defaults';
import { Release, releaseOf } from '#lib/linkerd/releases/release';
import { facts } from '../../support/findings';
import { linkerdCharts } from '../../support/linkerd-charts';

const { controlPlane, cni: cniValues } = defaultsOf(releaseOf('edge-26.8.3'));
const cni: CniFacts = {
  release: releaseOf('edge-26.8.3'),
  namespace: 'linkerd-cni',
  openShift: false,
  effectiveValues: cniValues,
};
const DEFAULTS: ControlPlaneFacts = {
  release: releaseOf('edge-26.8.3'),
  namespace: 'linkerd',
  highAvailability: false,
  monitoring: false,
  needed: [],
  crds: { release: releaseOf('edge-26.8.3') },
  values: controlPlane,
};
const check = (changes: Partial<ControlPlaneFacts>, values: Values = {}) =>
  checkControlPlane({ ...DEFAULTS, values: mergeValues(controlPlane, values), ...changes });

test('the default control plane is fine', () => {
  expect(check({})).toEqual([]);
});

const differs = (component: string, other: string, own: string) => ({
  code: 'component-release-differs',
  about: component,
  parameters: { component, other, own },
});

test('CRDs, CNI plugin and images must be of the same release', () => {
  const other = releaseOf('stable-2.14.10');
  expect(
    check({ crds: { release: other }, cni: { ...cni, release: other } }, { linkerdVersion: 'edge-26.8.2' }),
  ).toMatchObject([
    differs('crds', 'stable-2.14.10', 'edge-26.8.3'),
    differs('cni', 'stable-2.14.10', 'edge-26.8.3'),
    differs('values.linkerdVersion', 'edge-26.8.2', 'edge-26.8.3'),
  ]);
});

test('one version with two injectors is not the same release', () => {
  const release = Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { injectorLike: 'edge-26.8.3' });
  const other = Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { injectorLike: '2.19' });
  const mine = { release, values: mergeValues(controlPlane, { linkerdVersion: 'edge-26.9.1' }) };
  const equal = Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { proxyVersion: 'edge-26.9.2' });
  expect(check({ ...mine, crds: { release: equal }, cni: { ...cni, release: equal } })).toEqual([]);
  expect(check({ ...mine, crds: { release: other }, cni: { ...cni, release: other } })).toMatchObject([
    differs(
      'crds',
      'edge-26.9.1 (with the injector of edge-25.10.7)',
      'edge-26.9.1 (with the injector of edge-26.8.3)',
    ),
    differs('cni', 'edge-26.9.1 (with the injector of edge-25.10.7)', 'edge-26.9.1 (with the injector of edge-26.8.3)'),
  ]);
});

test('an alias is the release that it stands for', () => {
  const values = mergeValues(controlPlane, { linkerdVersion: 'edge-26.6.3' });
  expect(check({ release: releaseOf('edge-26.6.3'), crds: { release: releaseOf('2.20') }, values })).toEqual([]);
});

test.each(['default', 'kube-system', 'kube-public', 'kube-node-lease'])('%s is no namespace for it', (namespace) => {
  expect(check({ namespace })).toMatchObject([{ code: 'control-plane-namespace-reserved', parameters: { namespace } }]);
});

test('the CNI plugin has a namespace of its own', () => {
  expect(check({ cni: { ...cni, namespace: 'linkerd' } })).toMatchObject([
    { code: 'cni-mismatch', parameters: { namespace: 'linkerd' } },
  ]);
});

test('cniEnabled needs a CNI plugin', () => {
  expect(check({}, { cniEnabled: true })).toMatchObject([{ code: 'cni-mismatch', about: 'values.cniEnabled' }]);
  expect(check({ cni }, { cniEnabled: true })).toEqual([]);
});

test('high availability is checked where it is asked for', () => {
  expect(check({ highAvailability: true })).toHaveLength(5);
});

test('key material and tracing are checked', () => {
  expect(
    check({}, { identity: { issuer: { tls: { keyPEM: 'MHcCAQEE' } } }, controller: { tracing: { enabled: true } } }),
  ).toHaveLength(2);
});

test('only root sets kernel parameters', () => {
  expect(check({}, { proxyInit: { closeWaitTimeoutSecs: 30 } }).map(facts)).toMatchObject([
    { finding: 'injected-value-refused/init-wait', seconds: '30' },
  ]);
  expect(check({}, { proxyInit: { closeWaitTimeoutSecs: 30, runAsRoot: true } })).toEqual([]);
});

test('there is no PodSecurityPolicy any more', () => {
  expect(check({}, { enablePSP: true }).map(facts)).toMatchObject([
    { finding: 'chart-value-refused/pod-security-policy' },
  ]);
});

test('metrics are scraped by one set of PodMonitors', () => {
  const values = { podMonitor: { enabled: true } };
  expect(check({ monitoring: true }, values)).toMatchObject([{ code: 'control-plane-value-refused' }]);
  expect(check({ monitoring: true })).toEqual([]);
  expect(check({}, values)).toEqual([]);
});

test.each<[Values, object]>([
  [
    { proxyInit: { skipSubnets: '10.0.0.0' } },
    { finding: 'address-refused/skipped-subnets', field: 'values.proxyInit.skipSubnets[0]', value: '10.0.0.0' },
  ],
  [
    { clusterNetworks: 'abc' },
    { finding: 'address-refused/skipped-subnets', field: 'values.clusterNetworks[0]', value: 'abc' },
  ],
  [{ proxy: { uid: 0 } }, { finding: 'injected-value-refused/range', field: 'values.proxy.uid', value: '0' }],
  [
    { proxy: { ports: { admin: 4190 } } },
    {
      finding: 'injected-value-refused/ports-equal',
      fields: 'values.proxy.ports.admin and values.proxy.ports.control',
      port: 4190,
    },
  ],
  [{ debugContainer: null }, { finding: 'injected-value-missing/map', path: 'debugContainer', value: 'null' }],
])('%j is what no pod of the mesh can have', (values, what) => {
  expect(check({}, values).map(facts)).toMatchObject([what]);
  const version = 'stable-2.14.10';
  const stable = mergeValues(defaultsOf(releaseOf(version)).controlPlane, values);
  expect(
    checkControlPlane({
      ...DEFAULTS,
      release: releaseOf(version),
      crds: { release: releaseOf(version) },
      values: stable,
    }).map(facts),
  ).toMatchObject([what]);
});

test.each<Values>([
  { proxy: { uid: 'root' } },
  { proxy: { logFormat: 'xml' } },
  { proxy: { image: 'cr.l5d.io/linkerd/proxy' } },
])('what the schema of the values refuses is said by the chart alone: %j', (values) => {
  expect(check({}, values)).toEqual([]);
});

test('a user that is wrong twice is two problems', () => {
  expect(check({ cni }, { proxy: { uid: 0 } }).map(({ code }) => code)).toEqual([
    'cni-mismatch',
    'injected-value-refused',
  ]);
});

test('2.14 has values of its own, which are fine', () => {
  const version = 'stable-2.14.10';
  const { controlPlane: values } = defaultsOf(releaseOf(version));
  expect(
    checkControlPlane({ ...DEFAULTS, release: releaseOf(version), crds: { release: releaseOf(version) }, values }),
  ).toEqual([]);
});
