import type { NativeRenderer } from '#lib/charts/chart';
import { deepFreeze } from '#lib/kubernetes/plain-data';
import { JAEGER_DIFFERENCES, JAEGER_REFUSALS } from './intended-differences';
import { renderJaeger } from './jaeger';
import { checkJaegerRender } from './render-rules';

/** The native renderer of linkerd-jaeger. */
export const JAEGER_RENDERER: NativeRenderer = deepFreeze({
  check: checkJaegerRender,
  render: renderJaeger,
  intended: { differences: JAEGER_DIFFERENCES, refusals: JAEGER_REFUSALS, fixes: [] },
});
