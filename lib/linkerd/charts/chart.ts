import type { Problem } from '../../kubernetes/findings/problem';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import type { Reference } from '../../kubernetes/references';
import type { Values } from '../../kubernetes/values';
import type { PinnedChart } from '../releases/pinned-chart';
import type { RenderContext } from './render-context';

/**
 * A chart of one release: all that constructs, the command line and the comparison with Helm know of it. Values are
 * those of the user over the chart's own; null removes a key.
 */
export interface Chart {
  readonly pinned: PinnedChart;
  /** The namespace in which Linkerd's guides install it. */
  readonly namespace: string;
  /** The values that it has of itself. */
  readonly defaults: Values;
  /** Returns what it brings along in a namespace that objects of others refer to. */
  provides(values: Values, namespace: string): readonly Reference[];
  /** Returns what its objects refer to by values of their own, in its namespace. */
  requires(values: Values, namespace: string): readonly Reference[];
  /** The renderer that does without Helm; absent where nothing here knows the templates. Loaded when it is asked for. */
  readonly native?: NativeRenderer | undefined;
}

/** A chart that is rendered without Helm. */
export type RenderedChart = Chart & { readonly native: NativeRenderer };

/** Tells whether something renders a chart without Helm. */
export function isRendered(chart: Chart): chart is RenderedChart {
  return chart.native !== undefined;
}

/** Turns a chart's values into its objects, as Helm would. */
export interface NativeRenderer {
  /** Checks values, all of the chart's included; nothing is rendered of those with problems. */
  check(values: Values): readonly Problem[];
  /** Renders the objects for values that `check` finds nothing in. */
  render(values: Values, context: RenderContext): readonly KubernetesObject[];
  readonly intended: Intentions;
}

/** The differences between a chart and its native renderer that are on purpose. */
export interface Intentions {
  /** Places where the objects differ. */
  readonly differences: readonly IntendedDifference[];
  /** Values that the chart renders, and that are refused here. */
  readonly refusals: readonly IntendedValues[];
  /** Values that the chart fails on by mistake, and that are rendered here. */
  readonly fixes: readonly IntendedValues[];
}

/** A place where our objects differ from those of the official chart on purpose. */
export interface IntendedDifference {
  /** The objects: regular expression on `<apiVersion>/<kind>/<namespace>/<name>`. */
  readonly object: string;
  /** The place in them: regular expression on the keys and indexes that lead there, each after a slash. */
  readonly path: string;
  readonly reason: string;
}

/** Values that the official chart takes and we do not, or the other way round. */
export interface IntendedValues {
  /** An example of them. */
  readonly values: Values;
  readonly reason: string;
}
