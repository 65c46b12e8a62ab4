import type { NetworkAttachmentDefinition } from '../../imports/crds/k8s.cni.cncf.io';
import type { Values } from '../helm/values';
import { cniNetworkConfig } from '../linkerd/cni-network-config';

/** Name of the network by which pods attach to Linkerd's CNI plugin; also the plugin's own name. */
export const LINKERD_NETWORK = 'linkerd-cni';

/** Version of the CNI specification that the plugin is called with, as by linkerd-multus-attach-operator. */
const CNI_VERSION = '0.3.0';

/** The network of a namespace by which Multus runs the plugin for pods, configured as the CNI chart's values say. */
export function networkAttachment(namespace: string, cniValues: Values): NetworkAttachmentDefinition {
  const config = { cniVersion: CNI_VERSION, ...cniNetworkConfig(cniValues) };
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: LINKERD_NETWORK, namespace },
    spec: { config: JSON.stringify(config, undefined, 2) },
  };
}
