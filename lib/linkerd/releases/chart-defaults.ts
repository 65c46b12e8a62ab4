import { deepFreeze } from '../../kubernetes/plain-data';
import { remembered } from '../../kubernetes/remembered';
import { isMap, type Value, type Values } from '../../kubernetes/values';
import type { PinnedChart } from './pinned-chart';
import type { Release } from './release';

/** The difference of a value from that of another release. */
export interface ValueChange {
  /** The keys that lead to it. */
  readonly at: readonly string[];
  /** The value, which may be null; absent where the key is gone. */
  readonly value?: Value;
}

/** The values of a release as what differs from those of another one of the same chart. */
export interface ChangedValues {
  readonly base: string;
  readonly changes: readonly ValueChange[];
}

/** Values as they are in `imports/`: whole, or as what differs from those of another release. */
export type StoredValues = Values | ChangedValues;

/** Tells whether values are stored as what differs; no chart has these two as values of its own. */
export function isChanged(stored: StoredValues): stored is ChangedValues {
  return Object.keys(stored).sort().join() === 'base,changes';
}

/** Returns values with changes. What has none is shared with the values that were given. */
export function withChanges(values: Values, changes: readonly ValueChange[]): Values {
  return changes.reduce((before, { at, value }) => changedAt(before, at, value), values);
}

function changedAt(values: Values, [key = '', ...below]: readonly string[], value: Value | undefined): Values {
  if (below.length > 0) {
    const inside = values[key];
    return { ...values, [key]: changedAt(isMap(inside) ? inside : {}, below, value) };
  }
  if (value !== undefined) return { ...values, [key]: value };
  const { [key]: _gone, ...others } = values;
  return others;
}

/** The values of a chart of a release, or those of its `values-ha.yaml`, as they were imported. */
export function importedValues(chart: string, release: string, file: 'defaults' | 'ha'): Values {
  const stored: StoredValues = require(`../../../imports/charts/${chart}/${release}.${file}.json`);
  return isChanged(stored) ? withChanges(importedValues(chart, stored.base, file), stored.changes) : stored;
}

/** The values that a chart has of itself. */
export const chartDefaults = remembered(({ name, valuesOf = '', linkerdVersion }: PinnedChart): Values => {
  const values = importedValues(name, valuesOf, 'defaults');
  const { linkerdVersion: imported } = values;
  if (linkerdVersion === undefined || typeof imported !== 'string') return deepFreeze(values);
  return deepFreeze(withRelease(values, imported, linkerdVersion));
});

/** Values in which another release stands wherever the chart has its own: its sources have one placeholder for it. */
function withRelease(values: Values, from: string, to: string): Values {
  const replaced = (value: Value): Value => (isMap(value) ? withRelease(value, from, to) : value === from ? to : value);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, replaced(value ?? null)]));
}

/** The `values-ha.yaml` that comes with a chart. */
const profile = remembered(
  ({ name, valuesOf = '' }: PinnedChart): Values => deepFreeze(importedValues(name, valuesOf, 'ha')),
);

/** The values that a release's charts have of themselves, and the profiles that come with them. */
interface ChartDefaults {
  readonly controlPlane: Values;
  /** The control plane's `values-ha.yaml`. */
  readonly highAvailability: Values;
  readonly cni: Values;
  /** The `values-ha.yaml` of Viz. */
  readonly vizHighAvailability: Values;
  /** The `values-ha.yaml` of the multi-cluster extension; none where the release's has no service mirrors. */
  readonly multiclusterHighAvailability: Values;
}

/** The values that a release's charts have of themselves, each read when it is asked for. */
export function defaultsOf({ charts: { controlPlane, cni, viz, multicluster } }: Release): ChartDefaults {
  return {
    get controlPlane() {
      return chartDefaults(controlPlane);
    },
    get highAvailability() {
      return profile(controlPlane);
    },
    get cni() {
      return chartDefaults(cni);
    },
    get vizHighAvailability() {
      return profile(viz);
    },
    get multiclusterHighAvailability() {
      return multicluster === undefined ? {} : profile(multicluster);
    },
  };
}
