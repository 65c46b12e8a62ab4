import type { Problem } from '../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../kubernetes/names';
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
  if (namespaces.length === 0) return [NO_NAMESPACES];
  const isOutside = (namespace: string): boolean =>
    namespace !== controlPlaneNamespace && !namespaces.includes(namespace);
  const unattached = [...new Set(attached.filter(isOutside))].sort();
  const unseen = restarted.filter(({ namespace }) => isOutside(namespace));
  return [
    ...namespaces.flatMap((namespace, index) => checkDnsLabel(`namespaces[${index}]`, namespace)),
    ...(unattached.length === 0 ? [] : [outsideMultus(unattached)]),
    ...(unseen.length === 0 ? [] : [outsideRestarts(unseen)]),
  ];
}

const NO_NAMESPACES: Problem = {
  code: 'namespaces-empty',
  what: 'namespaces is empty',
  why: 'The operator itself takes that for all namespaces, for which it would have no permissions',
  fix: "name the namespaces whose workloads it looks after, or leave it out for all; the control plane's is always one",
};

function outsideMultus(names: readonly string[]): Problem {
  return {
    code: 'attached-namespace-unseen',
    what: `MultusAttach has pods in ${names.join(', ')} attached, which the operator's namespaces leave out`,
    why: 'Nobody would attach these pods: their linkerd-network-validator fails, and they do not start',
    fix: 'add them to namespaces of ReconcilerOperator',
  };
}

function outsideRestarts(workloads: readonly RestartedWorkload[]): Problem {
  const names = workloads.map(({ namespace, name }) => `${namespace}/${name}`).sort();
  return {
    code: 'restarted-namespace-unseen',
    what: `${names.join(', ')} asked to be restarted by the operator, whose namespaces leave ${names.length === 1 ? 'it' : 'them'} out`,
    why: 'A change of the configuration would not reach these proxies until somebody restarts them',
    fix: 'add their namespaces to namespaces of ReconcilerOperator, or take the label config.linkerd.io/reconcile away',
  };
}
