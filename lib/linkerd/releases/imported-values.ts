import type { Values } from '../../kubernetes/values';
import { isChanged, type StoredValues, withChanges } from './stored-values';

/** The values of a chart of a release, or those of its `values-ha.yaml`, as they were imported. */
export function importedValues(chart: string, release: string, file: 'defaults' | 'ha'): Values {
  const stored: StoredValues = require(`../../../imports/charts/${chart}/${release}.${file}.json`);
  return isChanged(stored) ? withChanges(importedValues(chart, stored.base, file), stored.changes) : stored;
}
