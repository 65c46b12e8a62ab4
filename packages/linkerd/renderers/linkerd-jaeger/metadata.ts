import { EXTENSION } from '../../annotations';

/** Label of the extension's objects. */
export const JAEGER = { [EXTENSION]: 'jaeger' };

/** Returns the labels of one component of the extension. */
export function component(name: string): Record<string, string> {
  return { ...JAEGER, component: name };
}
