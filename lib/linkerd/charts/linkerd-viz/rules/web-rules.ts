import { violationOf } from '../../../../../operator/api/kubernetes/violation';
import type { Problem } from '../../../../kubernetes/findings/problem';
import type { VizView } from '../viz-view';

/** Reports what the chart refuses about the dashboard. */
export function checkWeb({ grafana }: VizView): readonly Problem[] {
  if (!grafana.url || !grafana.externalUrl) return [];
  return [
    {
      code: 'second-grafana',
      violates: violationOf('value', 'grafana'),
      about: 'values.grafana.url',
      what: `values.grafana.url is "${grafana.url}" and values.grafana.externalUrl is "${grafana.externalUrl}"`,
      why: 'Links of the dashboard can lead to one Grafana only',
      fix: 'keep grafana.url for one in the cluster, behind the dashboard, or grafana.externalUrl for one elsewhere',
    },
  ];
}
