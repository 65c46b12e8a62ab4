import type { Values } from '../kubernetes/values-merge';

/** Name of the network by which pods attach to Linkerd's CNI plugin; also the plugin's own name. */
export const LINKERD_NETWORK = 'linkerd-cni';

/** Value of the label `app.kubernetes.io/managed-by` of networks that come from Git, as MultusAttach emits them. */
export const EMITTED_NETWORK = 'cdk8s-linkerd';

/** Version of the CNI specification that the plugin is called with, as by linkerd-multus-attach-operator. */
const CNI_VERSION = '0.3.0';

/** Name of the kubeconfig that the CNI installer writes into the hosts' network configuration directory. */
const KUBECONFIG = 'ZZZ-linkerd-cni-kubeconfig';

/** Returns the path at which the CNI installer leaves the plugin's kubeconfig, by the hosts' network directory. */
export function kubeconfigIn(cniNetDirectory: string): string {
  return `${cniNetDirectory}/${KUBECONFIG}`;
}

/**
 * `spec.config` of the network's NetworkAttachmentDefinition: the plugin's configuration, unchanged and in its order, as
 * JSON. Two things differ. Multus wants a `cniVersion`, which a plugin in a chain of plugins does without. And the
 * `policy` that releases up to 2.14 wrote is left out: it holds a token in clear text, which no plugin of 2.14 or later
 * reads.
 */
export function attachmentConfig(pluginConfig: Values): string {
  const { policy: _, ...kept } = pluginConfig;
  return JSON.stringify({ cniVersion: CNI_VERSION, ...kept }, undefined, 2);
}
