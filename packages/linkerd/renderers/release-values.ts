import type { Problem } from '#base/findings/problem';
import { mergeValues, type Values, valueAt } from '#base/values';
import { defaultsOf } from '../releases/chart-defaults';
import type { Release } from '../releases/release';
import { LINKERD_CHART_FINDINGS } from './findings';
import { CONTROL_PLANE_NEEDS, checkHighAvailability } from './high-availability';
import { checkInjectedValues } from './injected-values';
import { checkControllerTracing } from './tracing-rules';

/**
 * Reports values of the control plane's chart that contradict each other, or that its injector cannot read.
 *
 * @param values - those that a user sets
 * @param release - undefined if it is unknown, and so are the defaults of the chart
 */
export function checkControlPlaneValues(values: Values, release: Release | undefined): readonly Problem[] {
  const all = release === undefined ? values : mergeValues(defaultsOf(release).controlPlane, values);
  const isKnown = (path: string) => valueAt(all, path) !== undefined;
  return [
    ...(release === undefined ? [] : checkInjectedValues(release)(all)),
    ...(isKnown('controller.tracing.collector') ? checkControllerTracing(all) : []),
    ...(all.highAvailability === true
      ? checkHighAvailability(
          all,
          CONTROL_PLANE_NEEDS.filter(({ path }) => isKnown(path)),
        )
      : []),
  ];
}

/** Reports a Viz that has no Prometheus, by the values that a user sets. */
export function checkVizSource(values: Values): readonly Problem[] {
  const { isOwn, url, enabled } = sourceOf(values);
  return isOwn || url !== undefined ? [] : [LINKERD_CHART_FINDINGS.prometheusMissing({ enabled })];
}

/** Returns the URL of the Prometheus that Viz queries, by the values that a user sets; undefined if it has its own. */
export function externalPrometheus(values: Values): string | undefined {
  const { isOwn, url } = sourceOf(values);
  return isOwn ? undefined : url;
}

/** The chart includes a Prometheus by default. */
function sourceOf(values: Values) {
  const enabled = valueAt(values, 'prometheus.enabled');
  const url = valueAt(values, 'prometheusUrl');
  return {
    isOwn: enabled !== false,
    enabled: String(enabled),
    url: typeof url === 'string' && url !== '' ? url : undefined,
  };
}
