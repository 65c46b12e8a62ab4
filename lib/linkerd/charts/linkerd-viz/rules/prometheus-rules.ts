import type { Problem } from '../../../../kubernetes/findings/problem';
import { isEmpty } from '../../empty';
import { LINKERD_CHART_FINDINGS } from '../../findings';
import type { VizView } from '../viz-view';

/** Reports where Viz has no Prometheus, or one that cannot keep anything. */
export function checkPrometheusValues({ prometheus, prometheusUrl }: VizView): readonly Problem[] {
  if (prometheus.enabled) return checkPersistence(prometheus);
  if (prometheusUrl) return [];
  return [
    LINKERD_CHART_FINDINGS.prometheusMissing(
      { enabled: String(prometheus.enabled ?? null) },
      { about: 'values.prometheus.enabled' },
    ),
  ];
}

function checkPersistence({ persistence }: VizView['prometheus']): readonly Problem[] {
  if (persistence === undefined || isEmpty(persistence)) return [];
  return (['accessMode', 'size'] as const)
    .filter((key) => isEmpty(persistence[key]))
    .map((key) =>
      LINKERD_CHART_FINDINGS.chartValueMissingPersistence(
        { key, example: key === 'size' ? '10Gi' : 'ReadWriteOnce' },
        { about: 'values.prometheus.persistence' },
      ),
    );
}
