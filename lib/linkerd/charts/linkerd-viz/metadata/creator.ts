import { createdBy } from '../../metadata/created-by';
import type { VizView } from '../viz-view';

/** The annotation by which this library signs the objects of Viz. */
export function creator({ linkerdVersion }: VizView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}
