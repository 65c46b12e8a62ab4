import type { Problem } from '../../kubernetes/findings/problem';
import { matchesSelector } from '../../kubernetes/label-selector';
import { type Values, valueAt } from '../../kubernetes/values';
import { CONTROL_PLANE_FINDINGS } from './findings';

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
    CONTROL_PLANE_FINDINGS.injectorDeadlock(
      { namespaces: caught.join(', ') },
      { about: 'values.proxyInjector.namespaceSelector' },
    ),
  ];
}
