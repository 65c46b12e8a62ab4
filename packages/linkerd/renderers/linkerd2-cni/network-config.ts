import type { ConfigMap, EnvVar } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { print } from '../print';
import type { CniView } from './cni-view';
import { labels } from './metadata';

const CONFIG_MAP = 'linkerd-cni-config';

/** Renders the ConfigMap for the installer: the directories on nodes, and the plugin's configuration. */
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

/** Returns an environment variable with the value of a key in the ConfigMap. */
export function envFromConfig(name: string, key: string): EnvVar {
  return { name, valueFrom: { configMapKeyRef: { name: CONFIG_MAP, key } } };
}

/** The part with the API server. Only the configuration of plugins before 1.4 contains it. */
const API_SERVER = `
  "policy": {
      "type": "k8s",
      "k8s_api_root": "https://__KUBERNETES_SERVICE_HOST__:__KUBERNETES_SERVICE_PORT__",
      "k8s_auth_token": "__SERVICEACCOUNT_TOKEN__"
  },`;

/**
 * Returns the network configuration that the plugin writes on each node: JSON with placeholders between underscores,
 * which its installer fills in. The layout is that of linkerd2-cni, so that a ConfigMap from Helm stays unchanged.
 */
export function networkConfig(values: CniView): string {
  return `{
  "name": "linkerd-cni",
  "type": "linkerd-cni",
  "log_level": "${values.logLevel ?? ''}",${values.templates.redirectionChosen ? '' : API_SERVER}
  "kubernetes": {
      "kubeconfig": "__KUBECONFIG_FILEPATH__"
  },
  "linkerd": {
${redirection(values)
  .map(([key, json]) => `    "${key}": ${json}`)
  .join(',\n')}
  }
}`;
}

function redirection(values: CniView): readonly (readonly [key: string, json: string])[] {
  const { ignoreInboundPorts, ignoreOutboundPorts } = values;
  const ownPorts = print`${values.proxyAdminPort},${values.proxyControlPort}`;
  return [
    ['incoming-proxy-port', print`${values.inboundProxyPort}`],
    ['outgoing-proxy-port', print`${values.outboundProxyPort}`],
    ['proxy-uid', print`${values.proxyUID}`],
    ...proxyGroup(values),
    ['ports-to-redirect', print`[${values.portsToRedirect}]`],
    ['inbound-ports-to-ignore', textList(ignoreInboundPorts ? `${ownPorts},${ignoreInboundPorts}` : ownPorts)],
    ...(ignoreOutboundPorts ? [['outbound-ports-to-ignore', textList(ignoreOutboundPorts)] as const] : []),
    ['simulate', 'false'],
    ['use-wait-flag', print`${values.useWaitFlag}`],
    ...iptables(values),
  ];
}

function proxyGroup({ templates, proxyGID }: CniView): readonly (readonly [key: string, json: string])[] {
  return templates.redirectionChosen && proxyGID !== undefined && proxyGID >= 0 ? [['proxy-gid', `${proxyGID}`]] : [];
}

function iptables({
  templates,
  iptablesMode,
  disableIPv6,
}: CniView): readonly (readonly [key: string, json: string])[] {
  if (!templates.redirectionChosen) return [];
  return [
    ['iptables-mode', JSON.stringify(iptablesMode ?? '')],
    ['ipv6', `${!disableIPv6}`],
  ];
}

function textList(list: string): string {
  return JSON.stringify(list.split(','));
}
