import { checkPin } from '#linkerd/charts/pinned-chart';

test.each(['1.2.3', 'v1.21.1', '2026.8.3', '1.2.3-rc.1', '1.2.3+build.5'])(
  'checkPin accepts the chart version %s',
  (version) => expect(checkPin({ name: 'proxy', version })).toEqual([]),
);

test.each(['', 'latest', '1', '1.2', '1.x', '^1.2.3', '>=1.2.3', '~1.2', '1.2.3 - 2', '*', '01.2.3'])(
  'checkPin refuses the chart version "%s"',
  (version) => {
    expect(checkPin({ name: 'proxy', version })).toMatchObject([
      { code: 'chart-version-inexact', parameters: { chart: 'proxy', version } },
    ]);
  },
);
