import { EXTENSION } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import { type LabelValues, PART_OF_LINKERD } from '../metadata/labels';
import type { VizView } from './viz-view';

/** Label of all that belongs to Viz. */
export const VIZ = { [EXTENSION]: 'viz' };

/** Labels of what belongs to one component of Viz. */
export function component(name: string): Record<string, string> {
  return { ...VIZ, component: name };
}

/** Labels of what belongs to one component of one Viz: some of the chart's objects name the namespace, too. */
export function namespacedComponent(name: string, namespace: string): Record<string, string> {
  return { ...component(name), namespace };
}

/** Own labels of an object and those that the user gives to everything. */
export function withCommonLabels(
  { commonLabels }: LabelValues,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...own, ...commonLabels };
}

/** The labels by which people see what runs. */
export function applicationName(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': name, ...PART_OF_LINKERD };
}

/** The annotation by which this library signs the objects of Viz. */
export function creator({ linkerdVersion }: VizView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}
