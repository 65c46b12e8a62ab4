import { CHART_OF_PART, LINKERD_PARTS, releaseOfChart } from '#linkerd/releases/charts';
import { INTERMEDIATE_RELEASES } from '#linkerd/releases/intermediate-releases';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { compareReleases, edgeOfLine, lineOf } from '#linkerd/releases/lines';
import { releaseOf } from '#linkerd/releases/release';
import { releaseFacts } from '#linkerd/releases/release-facts';

test('INTERMEDIATE_RELEASES has one release for each line without a renderer', () => {
  const lines = INTERMEDIATE_RELEASES.map(({ version }) => lineOf(version));
  expect(lines).toEqual(['2.15', '2.16', '2.17', '2.18']);
  expect(lines.map((line) => edgeOfLine(line ?? ''))).toEqual(INTERMEDIATE_RELEASES.map(({ version }) => version));
  expect(INTERMEDIATE_RELEASES.flatMap(({ version }) => releaseFacts(version) ?? [])).toEqual([]);
  const versions = INTERMEDIATE_RELEASES.map(({ version }) => version);
  expect(versions.toSorted(compareReleases)).toEqual(versions);
});

test('releaseOfChart finds the intermediate release of each chart by name and version', () => {
  for (const { version, charts } of INTERMEDIATE_RELEASES) {
    const found = LINKERD_PARTS.map((part) => releaseOfChart({ name: CHART_OF_PART[part], version: charts[part] }));
    expect(new Set(found)).toEqual(new Set([version]));
  }
  // 30.14.10-edge is a version of linkerd-viz.
  expect(releaseOfChart({ name: 'linkerd-crds', version: '30.14.10-edge' })).toBeUndefined();
  expect(releaseOfChart({ name: 'linkerd-viz', version: '1.18.10-edge' })).toBeUndefined();
});

test('each release has a unique version of the chart of the control plane', () => {
  const known = LINKERD_VERSIONS.map((name) => releaseOf(name).charts.controlPlane.version);
  const all = [...new Set(known), ...INTERMEDIATE_RELEASES.map(({ charts }) => charts.controlPlane)];
  expect(all).toEqual([...new Set(all)]);
});
