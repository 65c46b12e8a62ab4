import type { Problem } from '../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../kubernetes/names';
import { OPERATOR_FINDINGS } from './findings';
import type { RestartedWorkload } from './restarted-workloads';

/** An operator that is bound to namespaces, and what else counts on it. */
export interface OperatorBounds {
  readonly namespaces: readonly string[];
  readonly controlPlaneNamespace: string;
  /** Namespaces whose pods it is to attach by Multus. */
  readonly attached: readonly string[];
  /** Workloads that it is to restart. */
  readonly restarted: readonly RestartedWorkload[];
}

/** Checks the namespaces that an operator is bound to. */
export function checkBounds(bounds: OperatorBounds): readonly Problem[] {
  const { namespaces, controlPlaneNamespace, attached, restarted } = bounds;
  if (namespaces.length === 0) return [OPERATOR_FINDINGS.operatorSettingRefusedNamespaces()];
  const isOutside = (namespace: string): boolean =>
    namespace !== controlPlaneNamespace && !namespaces.includes(namespace);
  const unattached = [...new Set(attached.filter(isOutside))].sort();
  const unseen = restarted.filter(({ namespace }) => isOutside(namespace));
  return [
    ...namespaces.flatMap((namespace, index) => checkDnsLabel(`namespaces[${index}]`, namespace)),
    ...(unattached.length === 0
      ? []
      : [OPERATOR_FINDINGS.operatorNamespacesIncompleteAttached({ namespaces: unattached.join(', ') })]),
    ...(unseen.length === 0 ? [] : [outsideRestarts(unseen)]),
  ];
}

function outsideRestarts(workloads: readonly RestartedWorkload[]): Problem {
  const names = workloads.map(({ namespace, name }) => `${namespace}/${name}`).sort();
  return OPERATOR_FINDINGS.operatorNamespacesIncompleteRestarted({ workloads: names.join(', ') });
}
