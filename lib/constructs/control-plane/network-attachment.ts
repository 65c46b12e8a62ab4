import type { Value, Values } from '#base/values';
import type { NetworkAttachmentDefinition } from '#imports/crds/k8s.cni.cncf.io';
import {
  attachmentConfig,
  EMITTED_NETWORK,
  kubeconfigIn,
  LINKERD_NETWORK,
} from '#operator/api/multus/network-attachment';
import { MANAGED_BY_LABEL } from '#operator/api/names';
import type { CniFacts } from './linkerd-cni';

/**
 * Returns the NetworkAttachmentDefinition with which Multus runs the plugin for the pods of a namespace. It has the
 * configuration that the plugin was installed with.
 */
export function networkAttachment(
  namespace: string,
  { effectiveValues, kubeconfig }: Pick<CniFacts, 'effectiveValues' | 'kubeconfig'>,
): NetworkAttachmentDefinition {
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    // The label makes the operator leave this object alone, even if the operator created it first.
    metadata: { name: LINKERD_NETWORK, namespace, labels: { [MANAGED_BY_LABEL]: EMITTED_NETWORK } },
    spec: { config: attachmentConfig(cniNetworkConfig(effectiveValues, kubeconfig)) },
  };
}

/**
 * Returns the network configuration that the chart linkerd2-cni writes for its plugin, from all of the chart's values.
 *
 * Settings without a value in a release's chart are left out, because its plugin does not support them. The `policy`
 * that 2.14 wrote is left out, too: it contains a token in clear text, and no plugin of 2.14 or later reads it.
 *
 * @param kubeconfig path of the plugin's kubeconfig on the hosts; default: where the installer writes it
 *
 * Source: charts/linkerd2-cni/templates/cni-plugin.yaml and linkerd2-proxy-init/cni-plugin/main.go.
 */
export function cniNetworkConfig(values: Values, kubeconfig = kubeconfigIn(`${values.destCNINetDir}`)): Values {
  return {
    name: 'linkerd-cni',
    type: 'linkerd-cni',
    log_level: values.logLevel,
    kubernetes: { kubeconfig },
    linkerd: {
      'incoming-proxy-port': values.inboundProxyPort,
      'outgoing-proxy-port': values.outboundProxyPort,
      'proxy-uid': values.proxyUID,
      ...whenGiven(
        'proxy-gid',
        typeof values.proxyGID === 'number' && values.proxyGID >= 0 ? values.proxyGID : undefined,
      ),
      'ports-to-redirect': split(values.portsToRedirect).map(Number),
      'inbound-ports-to-ignore': [
        `${values.proxyAdminPort}`,
        `${values.proxyControlPort}`,
        ...split(values.ignoreInboundPorts),
      ],
      ...whenGiven('outbound-ports-to-ignore', nonEmpty(split(values.ignoreOutboundPorts))),
      simulate: false,
      'use-wait-flag': values.useWaitFlag,
      ...whenGiven('iptables-mode', values.iptablesMode),
      ...whenGiven('ipv6', typeof values.disableIPv6 === 'boolean' ? !values.disableIPv6 : undefined),
    },
  };
}

function split(list: Value | undefined): readonly string[] {
  return typeof list === 'string' && list !== '' ? list.split(',') : [];
}

function nonEmpty(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function whenGiven(key: string, value: Value | undefined): Values {
  return value === undefined || value === null ? {} : { [key]: value };
}
