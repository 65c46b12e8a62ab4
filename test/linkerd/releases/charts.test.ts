import { partOfChart, releaseOfChart } from '#lib/linkerd/releases/charts';
import { LINKERD_VERSIONS } from '#lib/linkerd/releases/known-releases';
import { releaseOf } from '#lib/linkerd/releases/release';

test.each(LINKERD_VERSIONS)('the charts of %s tell their release', (name) => {
  const { charts, version } = releaseOf(name);
  for (const chart of Object.values(charts)) {
    expect(releaseOfChart({ name: chart.name, version: chart.version })).toBe(version);
    expect(releaseOfChart(chart)).toBe(version);
  }
});

test('the chart of an edge release that is not known does, too', () => {
  expect(releaseOfChart({ name: 'linkerd-viz', version: '2027.12.11' })).toBe('edge-27.12.11');
});

test('a chart that names its release needs no version that tells it', () => {
  const chart = { name: 'linkerd-crds', version: '1.16.9', linkerdVersion: 'stable-2.14.9' };
  expect(releaseOfChart(chart)).toBe('stable-2.14.9');
  expect(releaseOfChart({ ...chart, name: 'other' })).toBeUndefined();
});

test('other charts, and invalid versions, name no release', () => {
  expect(releaseOfChart({ name: 'cert-manager', version: '2026.8.3' })).toBeUndefined();
  expect(releaseOfChart({ name: 'linkerd-viz', version: '30.12.10' })).toBeUndefined();
  expect(partOfChart('toString')).toBeUndefined();
});
