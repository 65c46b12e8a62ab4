import { isMap, type Values } from '#base/values';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { attachmentConfig, kubeconfigIn } from '../../api/multus/network-attachment';

/** The ConfigMap of the chart linkerd2-cni with what its installer writes to the hosts. */
export const CNI_CONFIG_MAP = 'linkerd-cni-config';

/** Key of the plugin's configuration: JSON with a placeholder for the path of its kubeconfig. */
const NETWORK_CONFIG = 'cni_network_config';
const NET_DIRECTORY = 'dest_cni_net_dir';
const DEFAULT_NET_DIRECTORY = '/etc/cni/net.d';
const KUBECONFIG_PLACEHOLDER = '__KUBECONFIG_FILEPATH__';

/** The fields of the ConfigMap that are read. */
export interface CniConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The configuration of networks, or why it is unknown. */
export type CniConfig = { readonly config: string } | { readonly problem: string };

/**
 * Reads the configuration of networks.
 * @param kubeconfig path of the plugin's kubeconfig on the hosts; default: where the installer writes it
 */
export function readCniConfig(configMap: CniConfigMap | undefined, kubeconfig?: string): CniConfig {
  if (configMap === undefined) return { problem: `there is no ConfigMap ${CNI_CONFIG_MAP}: is linkerd-cni installed?` };
  const text = configMap.data?.[NETWORK_CONFIG];
  if (text === undefined) return { problem: `ConfigMap ${CNI_CONFIG_MAP} has no key ${NETWORK_CONFIG}` };
  const path = kubeconfig ?? kubeconfigIn(configMap.data?.[NET_DIRECTORY] ?? DEFAULT_NET_DIRECTORY);
  const pluginConfig = parsePluginConfig(text, path);
  if (pluginConfig === undefined) {
    return { problem: `key ${NETWORK_CONFIG} of ConfigMap ${CNI_CONFIG_MAP} is not a JSON object` };
  }
  return { config: attachmentConfig(pluginConfig) };
}

function parsePluginConfig(text: string, kubeconfig: string): Values | undefined {
  try {
    // Replaced in the parsed values, because a path may need escapes in JSON text.
    const parsed: unknown = JSON.parse(text, (_key, value) =>
      typeof value === 'string' ? value.replaceAll(KUBECONFIG_PLACEHOLDER, () => kubeconfig) : value,
    );
    return isMap(parsed) ? parsed : undefined;
  } catch {
    // The parser's message quotes the text, which may contain a token.
    return undefined;
  }
}
