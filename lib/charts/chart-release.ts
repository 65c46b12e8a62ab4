import type { Construct, IConstruct } from 'constructs';
import type { Problem } from '../problems/problem';
import type { Values } from '../releases/values';
import { HelmRelease, type HelmReleaseProps } from './helm-release';
import type { AddedValues } from './layered-values';
import { type ChartRenderer, ManifestRelease } from './manifest-release';
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

/** A chart, and how it is delivered. */
export interface ChartReleaseProps extends HelmReleaseProps {
  /**
   * The way of the chart's objects to the cluster.
   *
   * @default 'manifests' - where there is a renderer, else 'helm'
   */
  readonly delivery?: Delivery;
  /** The renderer of the chart; absent where there is none. */
  readonly renderer?: ChartRenderer;
}

/** Adds a chart. What a chart provides and requires is seen in its manifests, and has to be said of a Helm release. */
export function addChart(scope: Construct, id: string, props: ChartReleaseProps): ChartRelease {
  const { delivery, renderer, chart, namespace, defaults, fromProps, values } = props;
  if (renderer === undefined || delivery === 'helm') return new HelmRelease(scope, id, props);
  return new ManifestRelease(scope, id, { chart, namespace, defaults, fromProps, values, renderer });
}

/** Checks that a chart can be delivered in this way. */
export function checkDelivery(
  delivery: Delivery | undefined,
  version: string,
  isRendered: boolean,
): readonly Problem[] {
  if (delivery !== 'manifests' || isRendered) return [];
  return [
    {
      code: 'delivery-not-native',
      what: `delivery is 'manifests', but the charts of ${version} can only be inflated by Helm`,
      why: 'Every release renders other objects from its values, and only those of the current one are known here',
      fix: "leave delivery out, or set it to 'helm'",
    },
  ];
}
