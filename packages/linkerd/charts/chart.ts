import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import type { PinnedChart } from './pinned-chart';
import type { RenderContext } from './render-context';

/**
 * A chart of one release, for constructs, the command line and the comparison with Helm. Values are the user's merged
 * over the chart's own; null removes a key.
 */
export interface Chart {
  readonly pinned: PinnedChart;
  /** The chart's namespace in Linkerd's guides. */
  readonly namespace: string;
  /** The chart's default values. */
  readonly defaults: Values;
  /** Returns the objects that it creates in a namespace and that other objects refer to. */
  provides(values: Values, namespace: string): readonly Reference[];
  /** Returns the objects in its namespace to which its own objects refer because of values. */
  requires(values: Values, namespace: string): readonly Reference[];
  /**
   * Returns the namespaces that it writes to because of values, in addition to those of `pinned`.
   *
   * @default - none
   */
  readonly writesTo?: ((values: Values) => readonly string[]) | undefined;
  /**
   * Deployments that must start after another Deployment of the chart: the name of the earlier one, by the name of the
   * later one.
   *
   * @default - none
   */
  readonly startsAfter?: Readonly<Record<string, string>> | undefined;
  /**
   * Checks the values that override its own.
   *
   * @default - by the schema of its values in `imports/`
   */
  readonly checkGiven?: ((values: Values) => readonly Problem[]) | undefined;
  /** The renderer that needs no Helm; absent if the library does not know the templates. Loaded on demand. */
  readonly native?: NativeRenderer | undefined;
}

/** A chart that is rendered without Helm. */
export type RenderedChart = Chart & { readonly native: NativeRenderer };

/** Whether a chart can be rendered without Helm. */
export function isRendered(chart: Chart): chart is RenderedChart {
  return chart.native !== undefined;
}

/** Renders a chart's values to objects, as Helm does. */
export interface NativeRenderer {
  /**
   * Identifies inputs of its objects other than the chart's name and version, the values and the context.
   *
   * @default - no other inputs
   */
  readonly fingerprint?: string;
  /** Checks complete values; values with problems are not rendered. */
  check(values: Values): readonly Problem[];
  /** Renders the objects for values without problems. */
  render(values: Values, context: RenderContext): readonly KubernetesObject[];
  /**
   * How its objects depend on values that differ between clusters.
   *
   * @default - there are no such values
   */
  readonly perCluster?: ClusterVariation;
  readonly intended: Intentions;
}

/** How the objects of a chart differ from cluster to cluster: most of them are the same. */
export interface ClusterVariation {
  /** Example values instead of a cluster's values, for the objects that are rendered once for all clusters. */
  readonly example: Values;
  /** Returns the objects for the values of a cluster. Reuses given objects, and parts of them, that do not change. */
  vary(objects: readonly KubernetesObject[], values: Values, context: RenderContext): readonly KubernetesObject[];
}

/** The intended differences between a chart and its native renderer. */
export interface Intentions {
  /** Places in which the objects differ. */
  readonly differences: readonly IntendedDifference[];
  /** Values that the chart renders, but the library refuses. */
  readonly refusals: readonly IntendedValues[];
  /** Values that the chart fails on because of a bug, but the library renders. */
  readonly fixes: readonly IntendedValues[];
}

/** An intended difference between the library's objects and those of the official chart. */
export interface IntendedDifference {
  /** The objects: regular expression on `<apiVersion>/<kind>/<namespace>/<name>`. */
  readonly object: string;
  /** The place in these objects: regular expression on the keys and indexes of its path, each after a slash. */
  readonly path: string;
  readonly reason: string;
}

/** Values that only the official chart, or only the library, accepts. */
export interface IntendedValues {
  /** An example. */
  readonly values: Values;
  readonly reason: string;
}
