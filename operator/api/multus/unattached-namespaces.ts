/** The namespaces in which Linkerd runs. */
export interface MeshNamespaces {
  readonly linkerdNamespace: string;
  readonly cniNamespace: string;
}

/**
 * Namespaces whose pods never attach: those of kube-system bring up the network that attaching them would wait for, and
 * the plugin's own pods cannot wait for the plugin. A control plane in the plugin's namespace attaches all the same.
 */
export function unattachedNamespaces({ linkerdNamespace, cniNamespace }: MeshNamespaces): readonly string[] {
  return cniNamespace === linkerdNamespace ? ['kube-system'] : ['kube-system', cniNamespace];
}
