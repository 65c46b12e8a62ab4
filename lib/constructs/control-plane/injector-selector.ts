import type { Problem } from '../../kubernetes/findings/problem';
import { matchesSelector } from '../../kubernetes/label-selector';
import { type Values, valueAt } from '../../kubernetes/values';

/** The labels of a namespace that pods must be able to start in while no injector answers. */
export interface NeededNamespace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reports where pods that the injector itself needs would wait for it. */
export function checkInjectorDeadlocks(values: Values, needed: readonly NeededNamespace[]): readonly Problem[] {
  if (values.webhookFailurePolicy !== 'Fail') return [];
  const selector = valueAt(values, 'proxyInjector.namespaceSelector');
  const caught = needed
    .filter(({ name, labels }) => matchesSelector(selector, { 'kubernetes.io/metadata.name': name, ...labels }))
    .map(({ name }) => name);
  if (caught.length === 0) return [];
  return [
    {
      code: 'injector-deadlock',
      about: 'values.proxyInjector.namespaceSelector',
      what: `values.proxyInjector.namespaceSelector selects ${caught.join(', ')}, and webhookFailurePolicy is Fail`,
      why: 'Their pods could not start while no injector runs, and no injector runs without them: after an outage the cluster would not come up by itself. A list in values replaces that of the chart',
      fix: `repeat the chart's matchExpressions in yours, those that exempt ${caught.join(' and ')}`,
    },
  ];
}
