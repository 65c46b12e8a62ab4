import { Testing } from 'cdk8s';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { declarationsOf } from '#lib/gitops/tree/references';
import { findingsAt } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

test('existing CRDs of Linkerd emit nothing', () => {
  const chart = Testing.chart();
  const crds = LinkerdCrds.fromExisting(chart, 'crds', { version: 'stable-2.14.10' });
  expect(crds.release.version).toBe('stable-2.14.10');
  expect(plainObjects(chart)).toEqual([]);
});

test.each<[string, ConstructorParameters<typeof LinkerdCrds>[2]]>([
  ["the prop gatewayApi: 'existing'", { gatewayApi: 'existing' }],
  ['the value installGatewayAPI: false', { values: { installGatewayAPI: false } }],
])('LinkerdCrds with %s declares that the Gateway API exists', (_, props) => {
  const chart = Testing.chart();
  const crds = new LinkerdCrds(chart, 'crds', props);
  expect(declarationsOf(crds).flatMap(({ external = [] }) => external)).toEqual([
    { kind: 'CustomResourceDefinition', name: 'httproutes.gateway.networking.k8s.io' },
  ]);
  expect(findingsAt(crds)).toEqual([]);
});
