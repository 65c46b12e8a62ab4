import { type ControlPlaneFacts, checkControlPlane } from '../../../lib/constructs/control-plane/control-plane-rules';
import type { CniFacts } from '../../../lib/constructs/control-plane/linkerd-cni';
import { mergeValues, type Values } from '../../../lib/kubernetes/values';
import { defaultsOf } from '../../../lib/linkerd/releases/chart-defaults';
import { Release, releaseOf } from '../../../lib/linkerd/releases/release';

const { controlPlane, cni: cniValues } = defaultsOf(releaseOf('edge-26.8.3'));
const cni: CniFacts = {
  release: releaseOf('edge-26.8.3'),
  namespace: 'linkerd-cni',
  openShift: false,
  effectiveValues: cniValues,
};
const facts: ControlPlaneFacts = {
  release: releaseOf('edge-26.8.3'),
  namespace: 'linkerd',
  highAvailability: false,
  monitoring: false,
  needed: [],
  crds: { release: releaseOf('edge-26.8.3') },
  values: controlPlane,
};
const whats = (changes: Partial<ControlPlaneFacts>, values: Values = {}) =>
  checkControlPlane({ ...facts, values: mergeValues(controlPlane, values), ...changes }).map(({ what }) => what);

test('the default control plane is fine', () => {
  expect(whats({})).toEqual([]);
});

test('CRDs, CNI plugin and images must be of the same release', () => {
  const other = releaseOf('stable-2.14.10');
  expect(
    whats({ crds: { release: other }, cni: { ...cni, release: other } }, { linkerdVersion: 'edge-26.8.2' }),
  ).toEqual([
    'crds is of stable-2.14.10, but the control plane is edge-26.8.3',
    'cni is of stable-2.14.10, but the control plane is edge-26.8.3',
    'values.linkerdVersion is of edge-26.8.2, but the control plane is edge-26.8.3',
  ]);
});

test('one version of which two are taken for different releases is not the same release', () => {
  const release = Release.like('edge-26.8.3', 'edge-26.9.1');
  const other = Release.like('2.19', 'edge-26.9.1');
  const mine = { release, values: mergeValues(controlPlane, { linkerdVersion: 'edge-26.9.1' }) };
  const equal = Release.like('edge-26.8.3', 'edge-26.9.1', { proxyVersion: 'edge-26.9.2' });
  expect(whats({ ...mine, crds: { release: equal }, cni: { ...cni, release: equal } })).toEqual([]);
  expect(whats({ ...mine, crds: { release: other }, cni: { ...cni, release: other } })).toEqual([
    'crds is of edge-26.9.1 (like edge-25.10.7), but the control plane is edge-26.9.1 (like edge-26.8.3)',
    'cni is of edge-26.9.1 (like edge-25.10.7), but the control plane is edge-26.9.1 (like edge-26.8.3)',
  ]);
});

test('an alias is the release that it stands for', () => {
  const values = mergeValues(controlPlane, { linkerdVersion: 'edge-26.6.3' });
  expect(whats({ release: releaseOf('edge-26.6.3'), crds: { release: releaseOf('2.20') }, values })).toEqual([]);
});

test.each(['default', 'kube-system', 'kube-public', 'kube-node-lease'])('%s is no namespace for it', (namespace) => {
  expect(whats({ namespace })).toEqual([`The control plane's namespace is ${namespace}`]);
});

test('the CNI plugin has a namespace of its own', () => {
  expect(whats({ cni: { ...cni, namespace: 'linkerd' } })).toEqual([
    'The control plane and the CNI plugin are both in namespace linkerd',
  ]);
});

test('the CNI plugin serves the proxies that are injected', () => {
  expect(whats({ cni }, { proxy: { uid: 5000 } })).toEqual([
    "values.proxy.uid is 5000, but the CNI plugin's proxyUID is 2102",
  ]);
});

test('cniEnabled needs a CNI plugin', () => {
  expect(whats({}, { cniEnabled: true })).toEqual(['values.cniEnabled is true, but there is no cni']);
  expect(whats({ cni }, { cniEnabled: true })).toEqual([]);
});

test('high availability is checked where it is asked for', () => {
  expect(whats({ highAvailability: true })).toHaveLength(5);
});

test('key material and tracing are checked', () => {
  expect(
    whats({}, { identity: { issuer: { tls: { keyPEM: 'MHcCAQEE' } } }, controller: { tracing: { enabled: true } } }),
  ).toHaveLength(2);
});

test('only root sets kernel parameters', () => {
  expect(whats({}, { proxyInit: { closeWaitTimeoutSecs: 30 } })).toEqual([
    'values.proxyInit.closeWaitTimeoutSecs is 30, but proxyInit.runAsRoot is not true',
  ]);
  expect(whats({}, { proxyInit: { closeWaitTimeoutSecs: 30, runAsRoot: true } })).toEqual([]);
});

test('there is no PodSecurityPolicy any more', () => {
  expect(whats({}, { enablePSP: true })).toEqual(['values.enablePSP is true']);
});

test('metrics are scraped by one set of PodMonitors', () => {
  const values = { podMonitor: { enabled: true } };
  expect(whats({ monitoring: true }, values)).toEqual([
    'Both the prop monitoring and values.podMonitor.enabled are set',
  ]);
  expect(whats({ monitoring: true })).toEqual([]);
  expect(whats({}, values)).toEqual([]);
});

test.each<[Values, string]>([
  [
    { proxyInit: { skipSubnets: '10.0.0.0' } },
    'values.proxyInit.skipSubnets is "10.0.0.0", in which "10.0.0.0" is no subnet',
  ],
  [{ clusterNetworks: 'abc' }, 'values.clusterNetworks is "abc", in which "abc" is no subnet'],
  [{ proxy: { uid: 0 } }, 'values.proxy.uid is 0'],
  [{ proxy: { ports: { admin: 4190 } } }, 'values.proxy.ports.admin and values.proxy.ports.control are both 4190'],
  [{ debugContainer: null }, 'values.debugContainer is null, not a map'],
])('%j is what no pod of the mesh can have', (values, what) => {
  expect(whats({}, values)).toEqual([what]);
  const version = 'stable-2.14.10';
  const stable = mergeValues(defaultsOf(releaseOf(version)).controlPlane, values);
  expect(
    checkControlPlane({
      ...facts,
      release: releaseOf(version),
      crds: { release: releaseOf(version) },
      values: stable,
    }).map((p) => p.what),
  ).toEqual([what]);
});

test.each<Values>([
  { proxy: { uid: 'root' } },
  { proxy: { logFormat: 'xml' } },
  { proxy: { image: 'cr.l5d.io/linkerd/proxy' } },
])('what the schema of the values refuses is said by the chart alone: %j', (values) => {
  expect(whats({}, values)).toEqual([]);
});

test('no more than one problem of a user that is wrong twice', () => {
  expect(whats({ cni }, { proxy: { uid: 0 } })).toHaveLength(1);
});

test('2.14 has values of its own, which are fine', () => {
  const version = 'stable-2.14.10';
  const { controlPlane: values } = defaultsOf(releaseOf(version));
  expect(
    checkControlPlane({ ...facts, release: releaseOf(version), crds: { release: releaseOf(version) }, values }),
  ).toEqual([]);
});
