import { Testing } from 'cdk8s';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { homeNamespaceOf } from '#lib/gitops/tree/home-namespace';
import { declarationsOf } from '#lib/gitops/tree/references';
import { emitted } from '../../support/control-plane-fixture';
import { ruleErrorsIn, warningsAt } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

test('the CRDs come from the chart of the release', () => {
  const chart = Testing.chart();
  new LinkerdCrds(chart, 'crds', { values: { installGatewayAPI: true } });
  expect(emitted(chart, 'Application')['linkerd-crds']?.spec).toMatchObject({
    source: { chart: 'linkerd-crds', targetRevision: '2026.8.3', helm: { values: 'installGatewayAPI: true\n' } },
  });
});

test('another release has another chart, and other values', () => {
  const chart = Testing.chart();
  const crds = new LinkerdCrds(chart, 'crds', { version: 'stable-2.14.10', values: { enableHttpRoutes: false } });
  expect(crds.release.version).toBe('stable-2.14.10');
  expect(emitted(chart, 'Application')['linkerd-crds']?.spec).toMatchObject({ source: { targetRevision: '1.8.0' } });
  expect(ruleErrorsIn(crds)).toEqual([]);
});

test('they have a folder of their own, but need no namespace', () => {
  const chart = Testing.chart();
  const crds = new LinkerdCrds(chart, 'crds');
  expect(homeNamespaceOf(crds)).toBe('linkerd-crds');
  expect(emitted(chart, 'Namespace')).toEqual({});
});

test('existing CRDs emit nothing', () => {
  const chart = Testing.chart();
  const crds = LinkerdCrds.fromExisting(chart, 'crds', { version: 'stable-2.14.10' });
  expect(crds.release.version).toBe('stable-2.14.10');
  expect(plainObjects(chart)).toEqual([]);
});

test.each<[string, ConstructorParameters<typeof LinkerdCrds>[2]]>([
  ['by its prop', { gatewayApi: 'existing' }],
  ['by its value', { values: { installGatewayAPI: false } }],
])('who says %s that the Gateway API is there need not declare it again for routes', (_how, props) => {
  const chart = Testing.chart();
  const crds = new LinkerdCrds(chart, 'crds', props);
  expect(declarationsOf(crds).flatMap(({ external = [] }) => external)).toEqual([
    { kind: 'CustomResourceDefinition', name: 'httproutes.gateway.networking.k8s.io' },
  ]);
  expect(warningsAt(crds)).toEqual([]);
});
