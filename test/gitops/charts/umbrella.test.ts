import { parse } from 'yaml';
import { umbrellaFiles } from '#lib/gitops/charts/umbrella';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';

function chart(name: string, version: string): PinnedChart {
  return {
    name,
    version,
    repository: `https://${name}.example.com`,
    valuesOf: version,
    kinds: [],
    foreignNamespaces: [],
  };
}

const CRDS = { chart: chart('linkerd-crds', '2026.8.3'), values: {} };
const CONTROL_PLANE = { chart: chart('linkerd-control-plane', '2026.8.4'), values: { a: { b: null }, c: undefined } };

test('an umbrella chart depends on every chart at its exact version', () => {
  expect(parse(umbrellaFiles('linkerd', [CRDS, CONTROL_PLANE])['Chart.yaml'])).toEqual({
    apiVersion: 'v2',
    name: 'linkerd',
    description: 'linkerd-control-plane, linkerd-crds and the manifests that go with it',
    type: 'application',
    version: '2026.8.4',
    dependencies: [
      { name: 'linkerd-control-plane', version: '2026.8.4', repository: 'https://linkerd-control-plane.example.com' },
      { name: 'linkerd-crds', version: '2026.8.3', repository: 'https://linkerd-crds.example.com' },
    ],
  });
});

test('an umbrella chart has the version of the last chart, as SemVer', () => {
  const certManager = { chart: chart('cert-manager', 'v1.21.1'), values: {} };
  expect(parse(umbrellaFiles('x', [CONTROL_PLANE, certManager])['Chart.yaml'])).toHaveProperty('version', '1.21.1');
});

test('an umbrella chart has values under the name of each chart, and keeps nulls', () => {
  expect(parse(umbrellaFiles('linkerd', [CRDS, CONTROL_PLANE])['values.yaml'])).toEqual({
    'linkerd-control-plane': { a: { b: null } },
    'linkerd-crds': {},
  });
});

test('the folder of an umbrella chart sets the name of the Helm release', () => {
  expect(parse(umbrellaFiles('linkerd', [CRDS])['.argocd-source.yaml'])).toEqual({ helm: { releaseName: 'linkerd' } });
});
