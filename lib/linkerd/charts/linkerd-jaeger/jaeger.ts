import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { Values } from '../../../kubernetes/values';
import { withoutNulls } from '../chart-view';
import type { RenderContext } from '../render-context';
import { allInOne } from './all-in-one';
import { collector } from './collector';
import { injector } from './injector';
import { jaegerView } from './jaeger-view';
import { namespaceMetadata } from './namespace-metadata';
import { tracingPolicy } from './policy';

/**
 * Every object of the Jaeger extension, equal to what the official chart of stable-2.14.10 renders but for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's over the chart's own; null removes a key. To be checked by
 * `checkJaegerRender` first.
 */
export function renderJaeger(values: Values, context: RenderContext): readonly KubernetesObject[] {
  const view = jaegerView(withoutNulls(values));
  return [
    ...injector(view, context),
    ...collector(view, context),
    ...allInOne(view, context),
    ...tracingPolicy(view, context),
    ...namespaceMetadata(view, context),
  ];
}
