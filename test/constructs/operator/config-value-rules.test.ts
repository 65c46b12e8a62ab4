import type { Values } from '#base/values';
import { checkInstalledValues, configValueWarnings as warningsOf } from '#lib/constructs/operator/linkerd-config';
import { LINKERD_VERSIONS, type LinkerdVersion } from '#lib/linkerd/releases/known-releases';
import { Release, releaseOf } from '#lib/linkerd/releases/release';
import { releaseInjector } from '#lib/linkerd/releases/release-injector';
import { chartValues } from '../../linkerd/charts/linkerd-control-plane/fixture';
import { facts } from '../../support/findings';
import { linkerdCharts } from '../../support/linkerd-charts';

const RELEASE = releaseOf('edge-26.8.3');
const INSTALLED = chartValues({ proxy: { resources: { memory: { limit: '250Mi' } } } });
const check = (values: Values, controlPlane = INSTALLED, cni?: Values) =>
  checkInstalledValues(values, { injector: releaseInjector(RELEASE), controlPlane, cni });
const wrong = (values: Values, controlPlane = INSTALLED) => check(values, controlPlane).map(facts);

test.each([
  ['clusterDomain', { clusterDomain: 'example.org' }],
  ['cniEnabled', { cniEnabled: false }],
  ['identityTrustDomain', { identityTrustDomain: 'example.org' }],
  ['identity', { identity: { issuer: { issuanceLifetime: '72h' } } }],
])('%s is decided elsewhere', (path, values) => {
  expect(check(values)).toMatchObject([{ code: 'value-set-elsewhere', about: `values.${path}`, parameters: { path } }]);
});

test('what the proxy would not understand is refused as in the installation', () => {
  expect(wrong({ proxy: { logLevel: 'verbose' } })).toMatchObject([
    { finding: 'log-filter-refused', field: 'values.proxy.logLevel' },
  ]);
  expect(wrong({ proxy: { resources: { memory: { limit: '64mb' } } } })).toHaveLength(1);
});

test('values count together with those of the installation', () => {
  expect(wrong({ proxy: { resources: { memory: { request: '300Mi' } } } })).toMatchObject([
    { finding: 'request-over-limit', field: 'values.proxy.resources.memory', limit: '250Mi' },
  ]);
});

test('proxies are of the release that the control plane is', () => {
  expect(wrong({ linkerdVersion: 'edge-99' })).toMatchObject([
    { finding: 'release-in-config', version: '"edge-99"', release: 'edge-26.8.3' },
  ]);
  expect(wrong({ linkerdVersion: 'edge-26.8.3' })).toEqual([]);
});

test('what is decided elsewhere is one problem, however wrong', () => {
  expect(wrong({ clusterDomain: 'a"b', identity: null, linkerdVersion: 'edge"99' })).toHaveLength(3);
});

describe('what the injector would fail on for every pod', () => {
  test.each<[Values, object]>([
    [{ proxy: null }, { finding: 'injected-value-missing/map', path: 'proxy', value: 'null' }],
    [{ proxy: { image: null } }, { finding: 'injected-value-missing/map', path: 'proxy.image', value: 'null' }],
    [{ proxyInit: null }, { finding: 'injected-value-missing/map', path: 'proxyInit', value: 'null' }],
    [{ networkValidator: null }, { finding: 'injected-value-missing/map', path: 'networkValidator', value: 'null' }],
    [{ proxyInit: { closeWaitTimeoutSecs: 30 } }, { finding: 'injected-value-refused/init-wait', seconds: '30' }],
    [
      { proxyInit: { iptablesMode: 'plain' } },
      { finding: 'injected-value-refused/iptables-mode', field: 'values.proxyInit.iptablesMode', value: '"plain"' },
    ],
    [
      { clusterNetworks: 'abc' },
      { finding: 'address-refused/skipped-subnets', field: 'values.clusterNetworks[0]', value: 'abc' },
    ],
    [
      { proxyInit: { skipSubnets: '10.0.0.0' } },
      { finding: 'address-refused/skipped-subnets', field: 'values.proxyInit.skipSubnets[0]', value: '10.0.0.0' },
    ],
    [{ proxy: { metrics: null } }, { finding: 'injected-value-missing/map', path: 'proxy.metrics', value: 'null' }],
    [{ proxy: { uid: 0 } }, { finding: 'injected-value-refused/range', field: 'values.proxy.uid', value: '0' }],
    [
      { proxy: { ports: { admin: 4190 } } },
      {
        finding: 'injected-value-refused/ports-equal',
        fields: 'values.proxy.ports.admin and values.proxy.ports.control',
        port: 4190,
      },
    ],
    [
      { proxy: { image: { version: 'a"b' } } },
      { finding: 'injected-value-refused/text', field: 'values.proxy.image.version', value: '"a\\"b"' },
    ],
    [{ debugContainer: null }, { finding: 'injected-value-missing/map', path: 'debugContainer', value: 'null' }],
    [
      { proxy: { logHTTPHeaders: 'all' } },
      { finding: 'injected-value-refused/header-logs', field: 'values.proxy.logHTTPHeaders', value: '"all"' },
    ],
    [
      { proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } },
      { finding: 'injected-value-missing/trace-identity', path: 'proxy.tracing.collector.meshIdentity' },
    ],
  ])('%j', (values, what) => {
    expect(wrong(values)).toMatchObject([what]);
  });

  test('not where the rest of it is installed', () => {
    const installed = chartValues({ proxyInit: { runAsRoot: true } });
    expect(wrong({ proxyInit: { closeWaitTimeoutSecs: 30 } }, installed)).toEqual([]);
  });
});

test('proxies keep the ports that the CNI plugin redirects to', () => {
  const moved = { proxy: { ports: { inbound: 4999 } } };
  expect(check(moved, INSTALLED, { inboundProxyPort: 4143 })).toMatchObject([
    { code: 'cni-mismatch', parameters: { here: '4999', key: 'inboundProxyPort', there: '4143' } },
  ]);
  expect(wrong(moved)).toEqual([]);
});

test('what the installation is wrong about is not said again', () => {
  const installed = chartValues({ proxy: { resources: { memory: { limit: 'much' } } } });
  expect(wrong({ proxy: { logLevel: 'info' } }, installed)).toEqual([]);
});

const configValueWarnings = (values: Values) => warningsOf(values, RELEASE);

test('proxies of another version than the control plane are warned of', () => {
  const proxies = (version: string) => ({ proxy: { image: { version } } });
  expect(configValueWarnings(proxies('edge-99'))).toMatchObject([
    { code: 'proxy-version', parameters: { proxies: '"edge-99"', version: 'edge-26.8.3' } },
  ]);
  expect(configValueWarnings(proxies('edge-26.8.3'))).toEqual([]);
  expect(configValueWarnings(proxies(''))).toEqual([]);
});

test('a release that the operator takes for another one than synth does is warned of', () => {
  const codes = (release: Release) => warningsOf({}, release).map(({ code }) => code);
  const release = (version: string, injectorLike?: LinkerdVersion) =>
    Release.fromCharts(linkerdCharts({ version }), version, injectorLike && { injectorLike });
  expect(codes(release('edge-26.9.1', 'edge-25.10.7'))).toEqual(['operator-release-differs']);
  expect(codes(release('edge-26.9.1'))).toEqual([]);
  expect(codes(release('edge-26.4.5'))).toEqual([]);
});

test.each(LINKERD_VERSIONS)('%s is the same to synth and to the operator', (version) => {
  expect(warningsOf({}, releaseOf(version))).toEqual([]);
});

describe('values that no proxy follows', () => {
  test('are named, all in one warning', () => {
    const values = { policyController: { logLevel: 'debug' }, controllerReplicas: 3 };
    expect(configValueWarnings(values)).toMatchObject([
      {
        code: 'config-values-unused',
        parameters: { paths: 'controllerReplicas, policyController' },
      },
    ]);
  });

  test('do not include those of proxies', () => {
    expect(configValueWarnings({ proxy: { logLevel: 'debug' }, proxyInit: { skipSubnets: '10.0.0.0/8' } })).toEqual([]);
  });

  test('are not named where they are refused', () => {
    expect(configValueWarnings({ identity: { issuer: { issuanceLifetime: '72h' } } })).toEqual([]);
  });
});
