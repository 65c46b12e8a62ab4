import type { NetworkAttachmentDefinition } from '../../imports/crds/k8s.cni.cncf.io';
import { attachmentConfig, LINKERD_NETWORK } from '../../operator/api/multus/network-attachment';
import type { Values } from '../helm/values';
import { cniNetworkConfig } from '../linkerd/cni-network-config';

/** The network of a namespace by which Multus runs the plugin for pods, configured as the CNI chart's values say. */
export function networkAttachment(namespace: string, cniValues: Values): NetworkAttachmentDefinition {
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: LINKERD_NETWORK, namespace },
    spec: { config: attachmentConfig(cniNetworkConfig(cniValues)) },
  };
}
