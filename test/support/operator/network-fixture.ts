import type { Cluster } from '../cluster/cluster';
import { type KubeObject, ref } from '../cluster/objects';

/** The plural of Multus's networks, by which the audit log refers to them. */
export const NETWORKS = 'network-attachment-definitions';

/** The linkerd-cni network of a namespace. */
export const networkRef = (namespace: string) =>
  ref('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'linkerd-cni', namespace);

/** The ConfigMap of the CNI plugin, with the given part `linkerd` of its configuration. */
export function cniConfigMap(namespace: string, linkerd: Readonly<Record<string, unknown>> = {}): KubeObject {
  const config = { name: 'linkerd-cni', kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' }, linkerd };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'linkerd-cni-config', namespace },
    data: { cni_network_config: JSON.stringify(config), dest_cni_net_dir: '/etc/cni/net.d' },
  };
}

/** The part `linkerd` of the network's configuration, which is copied from the plugin's. */
export async function redirection(cluster: Cluster, namespace: string): Promise<unknown> {
  return JSON.parse((await cluster.get(networkRef(namespace))).spec.config).linkerd;
}

/** Sets annotations of a namespace; null removes an annotation. */
export async function annotate(
  cluster: Cluster,
  namespace: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  await cluster.patch(ref('v1', 'Namespace', namespace), { metadata: { annotations } });
}
