import type { Problem } from '../../../../kubernetes/findings/problem';
import { LINKERD_CHART_FINDINGS } from '../../findings';
import type { VizView } from '../viz-view';

/** Reports what the chart refuses about the dashboard. */
export function checkWeb({ grafana }: VizView): readonly Problem[] {
  if (!grafana.url || !grafana.externalUrl) return [];
  return [
    LINKERD_CHART_FINDINGS.grafanaAmbiguous(
      { url: grafana.url, externalUrl: grafana.externalUrl },
      { about: 'values.grafana.url' },
    ),
  ];
}
