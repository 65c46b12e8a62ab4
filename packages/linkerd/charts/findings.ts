import { catalogue } from '#base/findings/catalogue';

/** Findings about any chart. */
export const ANY_CHART_FINDINGS = catalogue({
  'chart-version-inexact': {
    severity: 'error',
    what: ({ chart, version }: { chart: string; version: string }) =>
      `The version of chart ${chart} is "${version}", which is not exact`,
    why: 'Helm installs the newest release that matches at the time of a sync, which may never have been reviewed',
    fix: 'write the full version, such as "1.2.3"',
  },
});
