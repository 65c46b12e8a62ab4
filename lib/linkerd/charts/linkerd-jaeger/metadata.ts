import { EXTENSION } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import type { JaegerView } from './jaeger-view';

/** Label of all that belongs to the extension. */
export const JAEGER = { [EXTENSION]: 'jaeger' };

/** Labels of what belongs to one component of the extension. */
export function component(name: string): Record<string, string> {
  return { ...JAEGER, component: name };
}

/** Own labels of an object and those that the user gives to everything. */
export function withCommonLabels(
  { commonLabels }: JaegerView,
  own: Readonly<Record<string, string>> = JAEGER,
): Record<string, string> {
  return { ...own, ...commonLabels };
}

/** The annotation by which this library signs the objects of the extension. */
export function creator({ linkerdVersion }: JaegerView): Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}
