import type { Values } from '#base/values';

/** Name of the network with which pods attach to Linkerd's CNI plugin, and of the plugin itself. */
export const LINKERD_NETWORK = 'linkerd-cni';

/** Value of the label `app.kubernetes.io/managed-by` of networks from Git, as emitted by MultusAttach. */
export const EMITTED_NETWORK = 'cdk8s-linkerd';

/** CNI version with which the plugin is called, as in linkerd-multus-attach-operator. */
const CNI_VERSION = '0.3.0';

/** Name of the kubeconfig that the CNI installer writes into the hosts' network configuration directory. */
const KUBECONFIG = 'ZZZ-linkerd-cni-kubeconfig';

/** Returns the path to which the CNI installer writes the plugin's kubeconfig, in the hosts' network directory. */
export function kubeconfigIn(cniNetDirectory: string): string {
  return `${cniNetDirectory}/${KUBECONFIG}`;
}

/**
 * Returns `spec.config` of the network's NetworkAttachmentDefinition: the plugin's configuration in its order, as JSON,
 * with two changes. It adds a `cniVersion`, which Multus requires and a plugin in a chain of plugins does not have. It
 * omits the `policy` of releases up to 2.14, which contains a token in clear text. No plugin since 2.14 reads it.
 */
export function attachmentConfig(pluginConfig: Values): string {
  const { policy: _, ...kept } = pluginConfig;
  return JSON.stringify({ cniVersion: CNI_VERSION, ...kept }, undefined, 2);
}
