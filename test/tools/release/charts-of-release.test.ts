import { checkColumns, releaseOfCharts } from '#tools/release/charts-of-release';

const DAY = '2099-01-31';
const charts = (version: string, ...names: readonly string[]) => names.map((name) => ({ name, version }));
const all = (version: string) =>
  charts(version, 'linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni', 'linkerd-crds', 'linkerd-multicluster');

test('charts are of the release that they name, or that their version says', () => {
  expect(releaseOfCharts(all('2099.1.1'), DAY)).toBe('edge-99.1.1');
  const named = all('1.2.3').map((chart) => ({ ...chart, appVersion: 'stable-9.9.9' }));
  expect(releaseOfCharts(named, DAY)).toBe('stable-9.9.9');
});

test.each([
  [
    'a chart is missing',
    charts('2099.1.1', 'linkerd-viz'),
    DAY,
    /^linkerd-control-plane and linkerd2-cni and linkerd-crds and linkerd-multicluster/,
  ],
  ['they are of several', [...all('2099.1.1'), ...charts('2099.1.2', 'linkerd-viz')], DAY, /edge-99.1.1, edge-99.1.2/],
  ['it is known', all('2026.8.3'), DAY, /^edge-26\.8\.3 is known already$/],
  ['an older one is published late', all('2026.7.3'), DAY, /^edge-26\.7\.3 is older than the newest known release/],
  ['the day is none', all('2099.1.1'), 'tomorrow', /^tomorrow is no day: write it as 20/],
  ['the month has no such day', all('2099.1.1'), '2099-02-30', /^2099-02-30 is no day/],
  ['it is older than others', all('2099.1.1'), '2024-01-01', /^2024-01-01 is before the newest known release/],
])('a release has no charts where %s', (_, given, day, message) => {
  expect(() => releaseOfCharts(given, day)).toThrow(message);
});

test('a row has a minor version and a group of injectors that there is', () => {
  expect(() => checkColumns({ line: '2.21', injector: 'edge-26.8.3' })).not.toThrow();
  expect(() => checkColumns({ line: '2.21.0', injector: 'edge-26.8.3' })).toThrow(/^--line 2\.21\.0 is no minor/);
  expect(() => checkColumns({ line: '2.21', injector: 'edge-26.8.2' })).toThrow(/is no group of releases: take edge-/);
});
