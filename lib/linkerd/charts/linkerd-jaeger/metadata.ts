import { EXTENSION } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import type { JaegerView } from './jaeger-view';

/** Label of the extension's objects. */
export const JAEGER = { [EXTENSION]: 'jaeger' };

/** Returns the labels of one component of the extension. */
export function component(name: string): Record<string, string> {
  return { ...JAEGER, component: name };
}

/** Returns an object's own labels and the user's common ones. */
export function withCommonLabels(
  { commonLabels }: JaegerView,
  own: Readonly<Record<string, string>> = JAEGER,
): Record<string, string> {
  return { ...own, ...commonLabels };
}

/** Returns the annotation with which this library marks the extension's objects. */
export function creator({ linkerdVersion }: JaegerView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}
