import type { NetworkAttachmentDefinition } from '../../../imports/crds/k8s.cni.cncf.io';
import { attachmentConfig, EMITTED_NETWORK, LINKERD_NETWORK } from '../../../operator/api/multus/network-attachment';
import { MANAGED_BY_LABEL } from '../../../operator/api/names';
import { cniNetworkConfig } from './cni-network-config';
import type { CniFacts } from './linkerd-cni';

/** The network of a namespace by which Multus runs the plugin for pods, configured as the plugin was installed. */
export function networkAttachment(
  namespace: string,
  { effectiveValues, kubeconfig }: Pick<CniFacts, 'effectiveValues' | 'kubeconfig'>,
): NetworkAttachmentDefinition {
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    // Takes over one that the operator made first, which it would otherwise go on changing.
    metadata: { name: LINKERD_NETWORK, namespace, labels: { [MANAGED_BY_LABEL]: EMITTED_NETWORK } },
    spec: { config: attachmentConfig(cniNetworkConfig(effectiveValues, kubeconfig)) },
  };
}
