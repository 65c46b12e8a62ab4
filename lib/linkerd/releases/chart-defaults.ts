import { deepFreeze } from '../../kubernetes/plain-data';
import { remembered } from '../../kubernetes/remembered';
import { isMap, type Value, type Values } from '../../kubernetes/values';
import { importedValues } from './imported-values';
import type { PinnedChart } from './pinned-chart';
import type { Release } from './release';

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
