import { formatIndex, indexOf, parseIndex } from '#lib/gitops/synth/output/cluster-index';
import { definition } from '#lib/linkerd/releases/definitions';
import { installedFrom, installedWords } from '#lib/linkerd/releases/installed';

const INSTALLED = {
  releases: { crds: 'edge-26.8.3', controlPlane: 'edge-26.8.3' },
  definitions: [definition('a.example.com', 'v1*'), definition('b.example.com', 'v1', 'v2*', 'v1alpha1-')],
};

test('an index says what is installed, a line for each', () => {
  const index = indexOf([], [], INSTALLED);
  expect(index.releases).toEqual(['linkerd-crds edge-26.8.3', 'linkerd-control-plane edge-26.8.3']);
  expect(index.definitions).toEqual(['a.example.com v1*', 'b.example.com v1 v2* v1alpha1-']);
  expect(parseIndex(formatIndex(index)).installed).toEqual(INSTALLED);
});

test('where nothing of Linkerd is, an index has no line about it', () => {
  expect(installedWords({ releases: {}, definitions: [] })).toEqual({});
  expect(installedFrom({ charts: ['cert-manager v1.21.1'] })).toBeUndefined();
});

test('the index of an older library tells by the charts that Helm inflates', () => {
  const old = { charts: ['linkerd-crds 1.8.0 (stable-2.14.10)', 'linkerd-viz 30.12.11 (stable-2.14.10)'] };
  expect(installedFrom(old)).toMatchObject({
    releases: { crds: 'stable-2.14.10', controlPlane: 'stable-2.14.10', viz: 'stable-2.14.10' },
    isPartial: true,
  });
  const names = installedFrom(old)?.definitions.map(({ name }) => name);
  expect(names).toContain('servers.policy.linkerd.io');
  expect(names).not.toContain('httproutes.gateway.networking.k8s.io');
});

test('an edited index is read as far as it is valid', () => {
  const edited = {
    charts: [],
    releases: ['', 'linkerd-viz', 'other 1', 'linkerd-viz edge-26.8.3'],
    definitions: ['a'],
  };
  expect(installedFrom(edited)).toEqual({
    releases: { viz: 'edge-26.8.3' },
    definitions: [{ name: 'a', versions: [] }],
  });
  expect(parseIndex('{"writer":"x","charts":[],"files":[],"releases":[1]}').damage).toBe(
    'it does not have the fields of an index',
  );
});
