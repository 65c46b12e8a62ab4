import type { Problem } from '#base/findings/problem';
import { checkDnsSubdomain } from '#kubernetes/names';
import { keysOf, LIST } from '#kubernetes/options/known-keys';
import { PROXY_VALUE_FINDINGS } from '#linkerd/proxy-values/findings';
import { checkSubnets } from '#linkerd/proxy-values/subnets';
import { OPERATOR_FINDINGS } from './findings';

/** The clients that may call the operator's webhooks: API servers, by network or certificate. */
export interface WebhookClients {
  /**
   * Networks from which API servers connect, in CIDR notation. The NetworkPolicy blocks other networks. With
   * masquerading, use the source address that reaches the pod.
   *
   * @default - any client may connect
   */
  readonly cidrs?: readonly string[];

  /**
   * The CA of the API servers' client certificates. The webhooks answer no other client. API servers present a
   * certificate only if their `--admission-control-config-file` names a kubeconfig with a certificate for this Service.
   *
   * @default - no client certificate required
   */
  readonly clientCa?: WebhookClientCa;
}

/** A ConfigMap with a CA, in the operator's namespace. */
export interface WebhookClientCa {
  /** Name of the ConfigMap. It must exist in the cluster. */
  readonly configMap: string;

  /**
   * Key of the PEM text.
   *
   * @default 'ca.crt'
   */
  readonly key?: string;
}

/** The keys of WebhookClients. */
export const WEBHOOK_CLIENTS = keysOf<WebhookClients>({
  cidrs: LIST,
  clientCa: keysOf<WebhookClientCa>({ configMap: true, key: true }),
});

/** Checks the clients of the webhooks. */
export function checkWebhookClients(clients: WebhookClients, webhooks: boolean): readonly Problem[] {
  const { cidrs, clientCa } = clients;
  return [
    ...(webhooks ? [] : [OPERATOR_FINDINGS.operatorSettingRefusedWebhooks()]),
    ...(cidrs?.length === 0 ? [OPERATOR_FINDINGS.operatorSettingRefusedWebhookClients()] : []),
    ...checkSubnets('webhookClients.cidrs', cidrs ?? [], PROXY_VALUE_FINDINGS.addressRefusedWebhookClient),
    ...(clientCa === undefined ? [] : checkDnsSubdomain('webhookClients.clientCa.configMap', clientCa.configMap)),
    ...(clientCa?.key === undefined || /^[-._a-zA-Z0-9]{1,253}$/.test(clientCa.key)
      ? []
      : [OPERATOR_FINDINGS.operatorSettingRefusedClientCaKey({ key: clientCa.key })]),
  ];
}
