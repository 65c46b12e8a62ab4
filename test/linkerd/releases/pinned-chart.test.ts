import { checkPin } from '#lib/charts/pinned-chart';

test.each(['1.2.3', 'v1.21.1', '2026.8.3', '1.2.3-rc.1', '1.2.3+build.5'])(
  'the chart version %s is exact',
  (version) => {
    expect(checkPin({ name: 'proxy', version })).toEqual([]);
  },
);

test.each(['', 'latest', '1', '1.2', '1.x', '^1.2.3', '>=1.2.3', '~1.2', '1.2.3 - 2', '*', '01.2.3'])(
  'the chart version "%s" is not exact',
  (version) => {
    expect(checkPin({ name: 'proxy', version })).toMatchObject([
      { code: 'chart-version-inexact', parameters: { chart: 'proxy', version } },
    ]);
  },
);
