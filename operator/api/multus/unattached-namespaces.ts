/** The namespaces in which Linkerd runs. */
export interface MeshNamespaces {
  readonly linkerdNamespace: string;
  readonly cniNamespace: string;
}

/**
 * Returns namespaces whose pods never attach. Pods of kube-system set up the network that an attached pod waits for,
 * and the plugin's own pods cannot wait for the plugin. A control plane in the plugin's namespace attaches anyway.
 */
export function unattachedNamespaces({ linkerdNamespace, cniNamespace }: MeshNamespaces): readonly string[] {
  return cniNamespace === linkerdNamespace ? ['kube-system'] : ['kube-system', cniNamespace];
}
