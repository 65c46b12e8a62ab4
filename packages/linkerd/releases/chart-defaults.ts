import { remembered } from '#base/remembered';
import { isMap, type Value, type Values } from '#base/values';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { PinnedChart } from '../charts/pinned-chart';
import type { LinkerdPart } from './charts';
import type { Release } from './release';

/** A value that differs from another release's. */
export interface ValueChange {
  /** The keys that lead to it. */
  readonly at: readonly string[];
  /** The value, which may be null; absent if the key is removed. */
  readonly value?: Value;
}

/** The values of a release, as differences from those of another release of the same chart. */
export interface ChangedValues {
  readonly base: string;
  readonly changes: readonly ValueChange[];
}

/** Values in `imports/`: complete, or as differences from those of another release. */
export type StoredValues = Values | ChangedValues;

/** Whether values are stored as differences; no chart has values of these two names. */
export function isChanged(stored: StoredValues): stored is ChangedValues {
  return Object.keys(stored).sort().join() === 'base,changes';
}

/** Returns values with changes applied. Unchanged parts are shared with the given values. */
export function withChanges(values: Values, changes: readonly ValueChange[]): Values {
  return changes.reduce((before, { at, value }) => changedAt(before, at, value), values);
}

function changedAt(values: Values, [key = '', ...below]: readonly string[], value: Value | undefined): Values {
  if (below.length > 0) {
    const inside = values[key];
    return { ...values, [key]: changedAt(isMap(inside) ? inside : {}, below, value) };
  }
  if (value !== undefined) return { ...values, [key]: value };
  const { [key]: _gone, ...rest } = values;
  return rest;
}

/** Returns the imported values of a chart of a release, or those of its `values-ha.yaml`. */
export function importedValues(chart: string, release: string, file: 'defaults' | 'ha'): Values {
  const stored: StoredValues = require(`../../../imports/charts/${chart}/${release}.${file}.json`);
  return isChanged(stored) ? withChanges(importedValues(chart, stored.base, file), stored.changes) : stored;
}

/** Returns the default values of a chart. */
export const chartDefaults = remembered(({ name, valuesOf = '', linkerdVersion }: PinnedChart): Values => {
  const values = importedValues(name, valuesOf, 'defaults');
  const { linkerdVersion: imported } = values;
  if (linkerdVersion === undefined || typeof imported !== 'string') return deepFreeze(values);
  return deepFreeze(withRelease(values, imported, linkerdVersion));
});

/** A chart's sources have a single placeholder for the release. */
function withRelease(values: Values, from: string, to: string): Values {
  const replaced = (value: Value): Value => (isMap(value) ? withRelease(value, from, to) : value === from ? to : value);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, replaced(value ?? null)]));
}

/** The `values-ha.yaml` of a chart. */
const profile = remembered(
  ({ name, valuesOf = '' }: PinnedChart): Values => deepFreeze(importedValues(name, valuesOf, 'ha')),
);

interface ChartDefaults {
  readonly controlPlane: Values;
  readonly highAvailability: Values;
  readonly cni: Values;
  readonly vizHighAvailability: Values;
  /** Empty if the release has no service mirrors. */
  readonly multiclusterHighAvailability: Values;
}

/** Returns the default values of a release's charts, each read on demand. */
export function defaultsOf(release: Release): ChartDefaults {
  return {
    get controlPlane() {
      return partDefaults(release, 'controlPlane');
    },
    get highAvailability() {
      return partProfile(release, 'controlPlane');
    },
    get cni() {
      return partDefaults(release, 'cni');
    },
    get vizHighAvailability() {
      return partProfile(release, 'viz');
    },
    get multiclusterHighAvailability() {
      return partProfile(release, 'multicluster');
    },
  };
}

/** Returns the default values of a release's chart; empty if it has none. */
export function partDefaults({ archives, charts }: Release, part: LinkerdPart): Values {
  const pinned = charts[part];
  return archives?.find(part)?.defaults ?? (pinned === undefined ? NONE : chartDefaults(pinned));
}

function partProfile({ archives, charts }: Release, part: LinkerdPart): Values {
  const pinned = charts[part];
  return archives?.find(part)?.highAvailability ?? (pinned === undefined ? NONE : profile(pinned));
}

const NONE: Values = Object.freeze({});
