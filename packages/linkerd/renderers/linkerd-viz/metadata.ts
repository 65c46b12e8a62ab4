import { EXTENSION } from '../../annotations';
import { PART_OF_LINKERD } from '../metadata/labels';

/** Label of Viz's objects. */
export const VIZ = { [EXTENSION]: 'viz' };

/** Returns the labels of one component of Viz. */
export function component(name: string): Record<string, string> {
  return { ...VIZ, component: name };
}

/** Returns the labels of a component with its namespace, which some objects of the chart also have. */
export function namespacedComponent(name: string, namespace: string): Record<string, string> {
  return { ...component(name), namespace };
}

/** Returns the recommended labels of Kubernetes for a workload. */
export function applicationName(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': name, ...PART_OF_LINKERD };
}
