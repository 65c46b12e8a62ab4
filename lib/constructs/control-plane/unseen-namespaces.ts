import type { Problem } from '../../kubernetes/findings/problem';
import { NEVER_INJECTED } from '../../linkerd/policy/pod-sets';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** Reports what keeps Linkerd from injecting the pods in a namespace. */
export function checkInjectedNamespace(workload: string, namespace: string | undefined): readonly Problem[] {
  if (namespace === undefined || !NEVER_INJECTED.includes(namespace)) return [];
  return [CONTROL_PLANE_FINDINGS.namespaceNeverInjected({ workload, namespace, exempt: NEVER_INJECTED.join(' and ') })];
}
