import type { Values } from '#base/values';
import { checkInstalledValues, configValueWarnings as warningsOf } from '#lib/constructs/operator/linkerd-config';
import { LINKERD_VERSIONS, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { Release, releaseOf } from '#linkerd/releases/release';
import { releaseInjector } from '#linkerd/releases/release-injector';
import { chartValues } from '../../packages/linkerd/renderers/linkerd-control-plane/fixture';
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
])('a LinkerdConfig refuses %s, which other objects decide', (path, values) => {
  expect(check(values)).toMatchObject([{ code: 'value-set-elsewhere', about: `values.${path}`, parameters: { path } }]);
});

test('a LinkerdConfig refuses values that proxies cannot parse', () => {
  expect(wrong({ proxy: { logLevel: 'verbose' } })).toMatchObject([
    { finding: 'log-filter-refused', field: 'values.proxy.logLevel' },
  ]);
  expect(wrong({ proxy: { resources: { memory: { limit: '64mb' } } } })).toHaveLength(1);
});

test('synth merges the values of a LinkerdConfig with those of the installation before it checks them', () => {
  expect(wrong({ proxy: { resources: { memory: { request: '300Mi' } } } })).toMatchObject([
    { finding: 'request-over-limit', field: 'values.proxy.resources.memory', limit: '250Mi' },
  ]);
});

test('a LinkerdConfig refuses proxies of another release than the control plane', () => {
  expect(wrong({ linkerdVersion: 'edge-99' })).toMatchObject([
    { finding: 'release-in-config', version: '"edge-99"', release: 'edge-26.8.3' },
  ]);
  expect(wrong({ linkerdVersion: 'edge-26.8.3' })).toEqual([]);
});

test('a LinkerdConfig has one problem for each wrong value that other objects decide', () => {
  expect(wrong({ clusterDomain: 'a"b', identity: null, linkerdVersion: 'edge"99' })).toHaveLength(3);
});

describe('a LinkerdConfig that makes the injector fail for every pod', () => {
  test.each<[Values, finding: string, at?: string]>([
    [{ proxy: null }, 'injected-value-missing/map', 'proxy'],
    [{ proxyInit: { closeWaitTimeoutSecs: 30 } }, 'injected-value-refused/init-wait'],
    [{ proxyInit: { skipSubnets: '10.0.0.0' } }, 'address-refused/skipped-subnets', 'values.proxyInit.skipSubnets[0]'],
    [{ proxy: { uid: 0 } }, 'injected-value-refused/range', 'values.proxy.uid'],
    [
      { proxy: { tracing: { enabled: true, collector: { endpoint: 'otel:4317' } } } },
      'injected-value-missing/trace-identity',
      'proxy.tracing.collector.meshIdentity',
    ],
  ])('is refused with the values %j: %s', (values, finding, ...[at]) => {
    const [found, ...others] = wrong(values);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ finding });
    if (at !== undefined) expect([found?.field, found?.path]).toContain(at);
  });

  test('is accepted if the installation sets the missing value', () => {
    const installed = chartValues({ proxyInit: { runAsRoot: true } });
    expect(wrong({ proxyInit: { closeWaitTimeoutSecs: 30 } }, installed)).toEqual([]);
  });
});

test('a LinkerdConfig may not change ports that the CNI plugin redirects to', () => {
  const moved = { proxy: { ports: { inbound: 4999 } } };
  expect(check(moved, INSTALLED, { inboundProxyPort: 4143 })).toMatchObject([
    { code: 'cni-mismatch', parameters: { here: '4999', key: 'inboundProxyPort', there: '4143' } },
  ]);
  expect(wrong(moved)).toEqual([]);
});

test('the check of a LinkerdConfig does not repeat problems of the installation', () => {
  const installed = chartValues({ proxy: { resources: { memory: { limit: 'much' } } } });
  expect(wrong({ proxy: { logLevel: 'info' } }, installed)).toEqual([]);
});

const configValueWarnings = (values: Values) => warningsOf(values, RELEASE);

test('synth warns of proxies of another version than the control plane', () => {
  const proxies = (version: string) => ({ proxy: { image: { version } } });
  expect(configValueWarnings(proxies('edge-99'))).toMatchObject([
    { code: 'proxy-version', parameters: { proxies: '"edge-99"', version: 'edge-26.8.3' } },
  ]);
  expect(configValueWarnings(proxies('edge-26.8.3'))).toEqual([]);
  expect(configValueWarnings(proxies(''))).toEqual([]);
});

test('synth warns of a release for which the operator assumes another injector', () => {
  const codes = (release: Release) => warningsOf({}, release).map(({ code }) => code);
  const release = (version: string, injectorLike?: LinkerdVersion) =>
    Release.fromCharts(linkerdCharts({ version }), version, injectorLike && { injectorLike });
  expect(codes(release('edge-26.9.1', 'edge-25.10.7'))).toEqual(['operator-release-differs']);
  expect(codes(release('edge-26.9.1'))).toEqual([]);
  expect(codes(release('edge-26.4.5'))).toEqual([]);
});

test.each(LINKERD_VERSIONS)('synth and the operator use the same injector for %s', (version) => {
  expect(warningsOf({}, releaseOf(version))).toEqual([]);
});

describe('values of a LinkerdConfig that no proxy uses', () => {
  test('are listed in one warning', () => {
    const values = { policyController: { logLevel: 'debug' }, controllerReplicas: 3 };
    expect(configValueWarnings(values)).toMatchObject([
      { code: 'config-values-unused', parameters: { paths: 'controllerReplicas, policyController' } },
    ]);
  });

  test('do not include values of proxies', () => {
    expect(configValueWarnings({ proxy: { logLevel: 'debug' }, proxyInit: { skipSubnets: '10.0.0.0/8' } })).toEqual([]);
  });

  test('are not listed if they are refused', () => {
    expect(configValueWarnings({ identity: { issuer: { issuanceLifetime: '72h' } } })).toEqual([]);
  });
});
