import type { Problem } from '../../kubernetes/findings/problem';
import { NEVER_INJECTED } from '../../linkerd/policy/pod-sets';

/** Reports what keeps Linkerd from injecting the pods in a namespace. */
export function checkInjectedNamespace(what: string, namespace: string | undefined): readonly Problem[] {
  if (namespace === undefined || !NEVER_INJECTED.includes(namespace)) return [];
  return [
    {
      code: 'namespace-never-injected',
      what: `${what} is to be part of the mesh, in the namespace ${namespace}`,
      why: `The proxy injector is not asked about pods in ${NEVER_INJECTED.join(' and ')}: they would run without a proxy, and nothing would say so`,
      fix: 'install it in a namespace of its own, or leave it out of the mesh',
    },
  ];
}
