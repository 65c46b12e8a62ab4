import { checkColumns, releaseOfCharts } from '#tools/release/charts-of-release';

const DAY = '2099-01-31';
const charts = (version: string, ...names: readonly string[]) => names.map((name) => ({ name, version }));
const all = (version: string) =>
  charts(version, 'linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni', 'linkerd-crds', 'linkerd-multicluster');

test('releaseOfCharts reads the release from the charts, or from their version', () => {
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
  ['the releases differ', [...all('2099.1.1'), ...charts('2099.1.2', 'linkerd-viz')], DAY, /edge-99.1.1, edge-99.1.2/],
  ['the release is known', all('2026.8.3'), DAY, /^edge-26\.8\.3 is already known$/],
  ['the release is older than others', all('2026.7.3'), DAY, /^edge-26\.7\.3 is older than the newest known release/],
  ['the day is not a date', all('2099.1.1'), 'tomorrow', /^tomorrow is not a day: write it like 20/],
  ['the month lacks the day', all('2099.1.1'), '2099-02-30', /^2099-02-30 is not a day/],
  [
    'the day is before that of another release',
    all('2099.1.1'),
    '2024-01-01',
    /^2024-01-01 is before the newest known release/,
  ],
])('releaseOfCharts refuses a release if %s', (_, given, day, message) => {
  expect(() => releaseOfCharts(given, day)).toThrow(message);
});

test('checkColumns requires a minor version and an existing group of injectors', () => {
  expect(() => checkColumns({ line: '2.21', injector: 'edge-26.8.3' })).not.toThrow();
  expect(() => checkColumns({ line: '2.21.0', injector: 'edge-26.8.3' })).toThrow(/^--line 2\.21\.0 is not a minor/);
  expect(() => checkColumns({ line: '2.21', injector: 'edge-26.8.2' })).toThrow(
    /is not a group of releases: use one of edge-/,
  );
});
