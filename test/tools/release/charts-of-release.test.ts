import { releaseOfCharts } from '../../../tools/release/charts-of-release';

const DAY = '2099-01-31';
const charts = (version: string, ...names: readonly string[]) => names.map((name) => ({ name, version }));
const all = (version: string) =>
  charts(version, 'linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni', 'linkerd-crds');

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
    /^linkerd-control-plane and linkerd2-cni and linkerd-crds/,
  ],
  ['they are of several', [...all('2099.1.1'), ...charts('2099.1.2', 'linkerd-viz')], DAY, /edge-99.1.1, edge-99.1.2/],
  ['it is known', all('2026.8.3'), DAY, /^edge-26\.8\.3 is known already$/],
  ['it is older than others', all('2099.1.1'), '2024-01-01', /^2024-01-01 is before the newest known release/],
])('none where %s', (_, given, day, message) => {
  expect(() => releaseOfCharts(given, day)).toThrow(message);
});
