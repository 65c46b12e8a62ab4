import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { RECONCILE_AUTO } from '#linkerd/annotation-values';
import { RECONCILE } from '#linkerd/annotations';
import { objectsAround } from '../../gitops/tree/api-objects';
import { OPERATOR_FINDINGS } from './findings';

interface RestartedWorkload {
  readonly namespace: string;
  /** Kind and name: `Deployment/web`. */
  readonly name: string;
}

/** Returns the workloads in the chart of `scope` that have a namespace and the label for restarts by the operator. */
export function restartedWorkloads(scope: IConstruct): readonly RestartedWorkload[] {
  return objectsAround(scope).flatMap(({ namespace, kind, name, json }) => {
    if (namespace === undefined || !json().some(isRestarted)) return [];
    return [{ namespace, name: `${kind}/${name}` }];
  });
}

function isRestarted(object: KubernetesObject): boolean {
  const pods = object as { readonly spec?: { readonly template?: { readonly metadata?: { labels?: unknown } } } };
  const labels = pods.spec?.template?.metadata?.labels;
  return (labels as Readonly<Record<string, unknown>> | undefined)?.[RECONCILE] === RECONCILE_AUTO;
}

interface OperatorBounds {
  readonly namespaces: readonly string[];
  readonly controlPlaneNamespace: string;
  readonly attached: readonly string[];
  readonly restarted: readonly RestartedWorkload[];
}

/** Checks the namespaces that an operator is restricted to. */
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
