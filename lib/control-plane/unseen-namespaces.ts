import type { Problem } from '../problems/problem';

/**
 * Namespaces that the proxy injector's webhook does not see: proxyInjector.namespaceSelector in the control plane
 * charts of all releases.
 */
const UNSEEN: readonly string[] = ['kube-system', 'cert-manager'];

/** Reports what keeps Linkerd from injecting the pods in a namespace. */
export function checkInjectedNamespace(what: string, namespace: string | undefined): readonly Problem[] {
  if (namespace === undefined || !UNSEEN.includes(namespace)) return [];
  return [
    {
      code: 'namespace-never-injected',
      what: `${what} is to be part of the mesh, in the namespace ${namespace}`,
      why: `The proxy injector is not asked about pods in ${UNSEEN.join(' and ')}: they would run without a proxy, and nothing would say so`,
      fix: 'install it in a namespace of its own, or leave it out of the mesh',
    },
  ];
}
