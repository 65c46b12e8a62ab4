import { EXTENSION } from '../../annotations';
import { PART_OF_LINKERD } from '../metadata/labels';

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

/** Returns the labels with which readers identify a workload. */
export function applicationName(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': name, ...PART_OF_LINKERD };
}
