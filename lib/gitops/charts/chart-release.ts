import type { Construct, IConstruct } from 'constructs';
import type { Reference } from '../../kubernetes/references';
import { mergeValues, type Values } from '../../kubernetes/values';
import { type Chart, isRendered } from '../../linkerd/charts/chart';
import { HelmRelease } from './helm-release';
import type { AddedValues, ValueLayers } from './layered-values';
import { ManifestRelease } from './manifest-release';
import { mirroredValues } from './mirrored-values';
import type { Patchable } from './object-patches';

/**
 * The way of a chart's objects to the cluster: as manifests that are rendered at synth, without Helm, or as a chart
 * that Argo CD inflates.
 */
export type Delivery = 'manifests' | 'helm';

/** A chart that is delivered one way or the other. */
export interface ChartRelease extends IConstruct, Patchable {
  /** The values that the chart gets. Complete at synth: until then, constructs may add to them. */
  readonly values: Values;
  /**
   * Adds values that follow from the props of another construct, or by a function from what all others decide; the
   * user's must not contradict these either.
   */
  addValues(values: AddedValues, from: IConstruct): void;
}

/** A chart, its values, and how it is delivered. */
export interface ChartReleaseProps extends ValueLayers {
  readonly chart: Chart;
  /** Namespace of the release. */
  readonly namespace: string;
  /**
   * Name of the cluster, where objects of the chart depend on it.
   *
   * @default - they do not
   */
  readonly clusterName?: string | undefined;
  /**
   * The way of the chart's objects to the cluster.
   *
   * @default 'manifests' - where something renders the chart, else 'helm'
   */
  readonly delivery?: Delivery | undefined;
  /**
   * The objects that its own refer to besides those that follow from values.
   *
   * @default - nothing
   */
  readonly requires?: readonly Reference[];
  /**
   * Returns the values that are checked in the place of those that it has: others that are known to be right may stand
   * for those that are each cluster's own, so that the clusters of a fleet are checked as one.
   *
   * @default - those that it has
   */
  readonly asChecked?: ((values: Values) => Values) | undefined;
}

/** Adds a chart. What a chart provides and requires is seen in its manifests, and has to be said of a Helm release. */
export function addChart(scope: Construct, id: string, props: ChartReleaseProps): ChartRelease {
  const { chart, namespace, clusterName, delivery, requires = [], asChecked, ...given } = props;
  const mirrored = mirroredValues(scope, chart.defaults);
  const layers = { ...given, defaults: mergeValues(mirrored, (given.defaults ?? {}) as Values) };
  if (delivery !== 'helm' && isRendered(chart)) {
    return new ManifestRelease(scope, id, { ...layers, chart, asChecked, context: { namespace, clusterName } });
  }
  return new HelmRelease(scope, id, {
    ...layers,
    chart: chart.pinned,
    namespace,
    requires,
    declare: (values) => {
      const all = mergeValues(chart.defaults, values);
      return { provides: chart.provides(all, namespace), requires: chart.requires(all, namespace) };
    },
  });
}
