import { catalogue } from '#base/findings/catalogue';

/** What is wrong with a chart, whichever it is. */
export const ANY_CHART_FINDINGS = catalogue({
  'chart-version-inexact': {
    severity: 'error',
    what: ({ chart, version }: { chart: string; version: string }) =>
      `The version of chart ${chart} is "${version}", which is not exact`,
    why: 'Helm installs whichever release matches at the time of a sync, which may be one that was never reviewed',
    fix: 'write the full version, such as "1.2.3"',
  },
});
