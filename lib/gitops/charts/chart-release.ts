import type { Construct, IConstruct } from 'constructs';
import { mergeValues, type Values } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import { type Chart, isRendered } from '#linkerd/charts/chart';
import { type Delivery, HelmRelease } from './helm-release';
import type { AddedValues, ValueLayers } from './layered-values';
import { ManifestRelease } from './manifest-release';
import { mirroredValues } from './mirrored-values';
import type { Patchable } from './object-patches';

/** A chart, delivered as manifests or as a Helm release. */
export interface ChartRelease extends IConstruct, Patchable {
  /** The values of the chart. Complete at synth: until then, constructs may add to them. */
  readonly values: Values;
  /**
   * Adds values that the props of another construct set, or that a function derives from all other values. Values of
   * the user must not contradict them.
   */
  addValues(values: AddedValues, from: IConstruct): void;
}

/** A chart, its values, and how it is delivered. */
export interface ChartReleaseProps extends ValueLayers {
  readonly chart: Chart;
  /** Namespace of the release. */
  readonly namespace: string;
  /**
   * How the chart's objects are delivered to the cluster.
   *
   * @default 'manifests' - if the library can render the chart, else 'helm'
   */
  readonly delivery?: Delivery | undefined;
  /**
   * Objects to which the chart's objects refer, in addition to those that are derived from values.
   *
   * @default - none
   */
  readonly requires?: readonly Reference[];
  /**
   * Values of only this cluster, with the lowest precedence. No rule checks them, so that clusters of a fleet that
   * differ only in these values are checked once.
   *
   * @default - none
   */
  readonly clusterValues?: Values;
}

/** Adds a chart. Its manifests show what it provides and requires; a Helm release declares it. */
export function addChart(scope: Construct, id: string, props: ChartReleaseProps): ChartRelease {
  const { chart, namespace, delivery, requires = [], clusterValues, ...given } = props;
  const mirrored = mirroredValues(scope, chart.defaults);
  const layers = { ...given, defaults: mergeValues(mirrored, (given.defaults ?? {}) as Values) };
  if (delivery !== 'helm' && isRendered(chart)) {
    return new ManifestRelease(scope, id, { ...layers, chart, clusterValues, context: { namespace } });
  }
  return new HelmRelease(scope, id, {
    ...layers,
    defaults: mergeValues(clusterValues ?? {}, layers.defaults),
    chart: chart.pinned,
    checkGiven: chart.checkGiven,
    delivery,
    namespace,
    requires,
    writesTo: (values) => chart.writesTo?.(mergeValues(chart.defaults, values)) ?? [],
    declare: (values) => {
      const all = mergeValues(chart.defaults, values);
      return { provides: chart.provides(all, namespace), requires: chart.requires(all, namespace) };
    },
  });
}
