import { EXTENSION } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import { type LabelValues, PART_OF_LINKERD } from '../metadata/labels';
import type { VizView } from './viz-view';

/** Label of Viz's objects. */
export const VIZ = { [EXTENSION]: 'viz' };

/** Returns the labels of one component of Viz. */
export function component(name: string): Record<string, string> {
  return { ...VIZ, component: name };
}

/** Returns the labels of one component of one Viz: some of the chart's objects also name the namespace. */
export function namespacedComponent(name: string, namespace: string): Record<string, string> {
  return { ...component(name), namespace };
}

/** Returns an object's own labels and the user's common ones. */
export function withCommonLabels(
  { commonLabels }: LabelValues,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...own, ...commonLabels };
}

/** Returns the labels with which readers identify a workload. */
export function applicationName(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': name, ...PART_OF_LINKERD };
}

/** Returns the annotation with which this library marks Viz's objects. */
export function creator({ linkerdVersion }: VizView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}
