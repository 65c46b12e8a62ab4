import { partOfChart, releaseOfChart } from '#linkerd/releases/charts';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';

test.each(LINKERD_VERSIONS)('releaseOfChart finds the release of each chart of %s', (name) => {
  const { charts, version } = releaseOf(name);
  for (const chart of Object.values(charts)) {
    expect(releaseOfChart({ name: chart.name, version: chart.version })).toBe(version);
    expect(releaseOfChart(chart)).toBe(version);
  }
});

test('releaseOfChart reads an unknown edge release from the version of its chart', () => {
  expect(releaseOfChart({ name: 'linkerd-viz', version: '2027.12.11' })).toBe('edge-27.12.11');
});

test('releaseOfChart prefers the release that a chart names to its version', () => {
  const chart = { name: 'linkerd-crds', version: '1.16.9', linkerdVersion: 'stable-2.14.9' };
  expect(releaseOfChart(chart)).toBe('stable-2.14.9');
  expect(releaseOfChart({ ...chart, name: 'other' })).toBeUndefined();
});

test('releaseOfChart finds no release for other charts and unknown versions', () => {
  expect(releaseOfChart({ name: 'cert-manager', version: '2026.8.3' })).toBeUndefined();
  expect(releaseOfChart({ name: 'linkerd-viz', version: '30.12.10' })).toBeUndefined();
  expect(partOfChart('toString')).toBeUndefined();
});
