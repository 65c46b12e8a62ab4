import type { ConfigMap, EnvVar } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../render-context';
import type { CniView } from './cni-view';
import { labels } from './metadata';
import { networkConfig } from './network-config';

const CONFIG_MAP = 'linkerd-cni-config';

/** Renders the ConfigMap that the installer reads: where things go on nodes, and the plugin's configuration. */
export function cniConfigMap(values: CniView, { namespace }: RenderContext): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CONFIG_MAP, namespace, labels: labels(values) },
    data: {
      dest_cni_net_dir: values.destCNINetDir ?? '',
      dest_cni_bin_dir: values.destCNIBinDir ?? '',
      cni_network_config: networkConfig(values),
    },
  } satisfies ConfigMap;
}

/** An environment variable with the value of a key of the ConfigMap. */
export function envFromConfig(name: string, key: string): EnvVar {
  return { name, valueFrom: { configMapKeyRef: { name: CONFIG_MAP, key } } };
}
