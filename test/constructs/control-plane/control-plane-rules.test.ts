import { mergeValues, type Values } from '#base/values';
import { type ControlPlaneFacts, checkControlPlane } from '#lib/constructs/control-plane/control-plane-rules';
import type { CniFacts } from '#lib/constructs/control-plane/linkerd-cni';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { Release, releaseOf } from '#linkerd/releases/release';
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

const differs = (component: string, other: string, own: string) => ({
  code: 'component-release-differs',
  about: component,
  parameters: { component, other, own },
});

test('synth refuses CRDs, CNI plugin and images of different releases', () => {
  const other = releaseOf('stable-2.14.10');
  expect(
    check({ crds: { release: other }, cni: { ...cni, release: other } }, { linkerdVersion: 'edge-26.8.2' }),
  ).toMatchObject([
    differs('crds', 'stable-2.14.10', 'edge-26.8.3'),
    differs('cni', 'stable-2.14.10', 'edge-26.8.3'),
    differs('values.linkerdVersion', 'edge-26.8.2', 'edge-26.8.3'),
  ]);
});

test('synth refuses CRDs and a CNI plugin whose release differs only in its injector', () => {
  const release = Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { injectorLike: 'edge-26.8.3' });
  const other = Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { injectorLike: '2.19' });
  const mine = { release, values: mergeValues(controlPlane, { linkerdVersion: 'edge-26.9.1' }) };
  const equal = Release.fromCharts(linkerdCharts(), 'edge-26.9.1', { proxyVersion: 'edge-26.9.2' });
  expect(check({ ...mine, crds: { release: equal }, cni: { ...cni, release: equal } })).toEqual([]);
  const names = ['edge-25.10.7', 'edge-26.8.3'].map((like) => `edge-26.9.1 (with the injector of ${like})`);
  const [others = '', own = ''] = names;
  expect(check({ ...mine, crds: { release: other }, cni: { ...cni, release: other } })).toMatchObject([
    differs('crds', others, own),
    differs('cni', others, own),
  ]);
});

test('synth accepts CRDs by the alias of the control plane’s release', () => {
  const values = mergeValues(controlPlane, { linkerdVersion: 'edge-26.6.3' });
  expect(check({ release: releaseOf('edge-26.6.3'), crds: { release: releaseOf('2.20') }, values })).toEqual([]);
});

test.each(['default', 'kube-system', 'kube-public', 'kube-node-lease'])(
  'the control plane cannot be in the namespace %s',
  (namespace) => {
    expect(check({ namespace })).toMatchObject([
      { code: 'control-plane-namespace-reserved', parameters: { namespace } },
    ]);
  },
);

test('synth refuses a CNI plugin in the namespace of the control plane', () => {
  expect(check({ cni: { ...cni, namespace: 'linkerd' } })).toMatchObject([
    { code: 'cni-mismatch', parameters: { namespace: 'linkerd' } },
  ]);
});

const podMonitor = { enabled: true };
const issuer = { tls: { keyPEM: 'MHcCAQEE' } };
const MISSING_KEY = 'high-availability-overridden';

test.each<[Partial<ControlPlaneFacts>, Values, readonly string[]]>([
  [{}, { cniEnabled: true }, ['cni-mismatch']],
  [{ cni }, { cniEnabled: true }, []],
  [{ highAvailability: true }, {}, Array(5).fill(MISSING_KEY)],
  [
    {},
    { identity: { issuer }, controller: { tracing: { enabled: true } } },
    ['private-key-found', 'injected-value-missing'],
  ],
  [{}, { proxyInit: { closeWaitTimeoutSecs: 30 } }, ['injected-value-refused']],
  [{}, { proxyInit: { closeWaitTimeoutSecs: 30, runAsRoot: true } }, []],
  [{}, { enablePSP: true }, ['chart-value-refused']],
  [{ monitoring: true }, { podMonitor }, ['control-plane-value-refused']],
  [{ monitoring: true }, {}, []],
  [{}, { podMonitor }, []],
  [{ cni }, { proxy: { uid: 0 } }, ['cni-mismatch', 'injected-value-refused']],
  // The chart's schema already reports these.
  [{}, { proxy: { uid: 'root' } }, []],
  [{}, { proxy: { logFormat: 'xml' } }, []],
  [{}, { proxy: { image: 'cr.l5d.io/linkerd/proxy' } }, []],
])('a control plane with the facts %j and the values %j has the problems %j', (changes, values, codes) => {
  expect(check(changes, values).map(({ code }) => code)).toEqual(codes);
});

const stable = releaseOf('stable-2.14.10');
const STABLE = { release: stable, crds: { release: stable } };

test.each<[Values, object]>([
  [
    { proxyInit: { skipSubnets: '10.0.0.0' } },
    { finding: 'address-refused/skipped-subnets', field: 'values.proxyInit.skipSubnets[0]', value: '10.0.0.0' },
  ],
  [{ debugContainer: null }, { finding: 'injected-value-missing/map', path: 'debugContainer', value: 'null' }],
])('synth refuses the value %j, with which no pod starts in any release', (values, what) => {
  expect(check({}, values).map(facts)).toMatchObject([what]);
  const ofStable = mergeValues(defaultsOf(stable).controlPlane, values);
  expect(checkControlPlane({ ...DEFAULTS, ...STABLE, values: ofStable }).map(facts)).toMatchObject([what]);
});
