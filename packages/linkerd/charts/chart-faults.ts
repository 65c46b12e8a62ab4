import type { Named } from '#base/named';
import { type FaultTable, faultsOf } from '#helm/chart/chart-faults';

/** Why a chart of a folder is refused, in addition to the reasons of the renderer. */
export const FOLDER_FAULTS = {
  'archive-not-published': {
    reason: ({ digest, name, version, published }: Named<'digest' | 'name' | 'version' | 'published'>) =>
      `the digest of the archive is ${digest}, and that of the published ${name} ${version} is ${published}`,
    remedy: 'Pull the chart again from its publisher; for a chart of your own, use another version',
  },
} as const satisfies FaultTable;

/** Returns a fault of a chart of a folder. */
export const folderFault = faultsOf(FOLDER_FAULTS);
