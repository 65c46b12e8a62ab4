import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { type FaultTable, faultsOf } from '#helm/chart/chart-faults';

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

/** Why a chart of a folder is refused, besides the reasons of the renderer. */
export const FOLDER_FAULTS = {
  'archive-not-published': {
    reason: ({ digest, name, version, published }: Named<'digest' | 'name' | 'version' | 'published'>) =>
      `the digest of the archive is ${digest}, and that of the published ${name} ${version} is ${published}`,
    remedy: 'Pull the chart again from its publisher; give a chart of your own another version',
  },
} as const satisfies FaultTable;

/** Returns a fault of a chart of a folder. */
export const folderFault = faultsOf(FOLDER_FAULTS);
