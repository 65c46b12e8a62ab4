import { violationOf } from '../../../../../operator/api/kubernetes/violation';
import type { Problem } from '../../../../kubernetes/findings/problem';
import { isEmpty } from '../../empty';
import type { VizView } from '../viz-view';

/** Reports where Viz has no Prometheus, or one that cannot keep anything. */
export function checkPrometheusValues({ prometheus, prometheusUrl }: VizView): readonly Problem[] {
  if (prometheus.enabled) return checkPersistence(prometheus);
  if (prometheusUrl) return [];
  return [
    {
      code: 'prometheus-missing',
      violates: violationOf('value', 'prometheusUrl'),
      about: 'values.prometheus.enabled',
      what: `values.prometheus.enabled is ${prometheus.enabled ?? null}, and prometheusUrl is empty`,
      why: 'Without a Prometheus neither dashboard nor CLI has anything to show',
      fix: 'set prometheusUrl to the URL of one, or prometheus.enabled to true',
    },
  ];
}

function checkPersistence({ persistence }: VizView['prometheus']): readonly Problem[] {
  if (persistence === undefined || isEmpty(persistence)) return [];
  return (['accessMode', 'size'] as const)
    .filter((key) => isEmpty(persistence[key]))
    .map((key) => ({
      code: 'persistence-incomplete',
      violates: violationOf('value', `prometheus.persistence.${key}`),
      about: 'values.prometheus.persistence',
      what: `values.prometheus.persistence has no ${key}`,
      why: 'The API server refuses a claim without it, and Prometheus would wait for its volume for ever',
      fix: `set ${key}, such as ${key === 'size' ? '"10Gi"' : '"ReadWriteOnce"'}, or remove persistence`,
    }));
}
