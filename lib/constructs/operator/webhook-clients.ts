import { checkSubnets } from '../../../operator/api/proxy-values/subnets';
import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf } from '../../kubernetes/known-keys';
import { checkDnsSubdomain } from '../../kubernetes/names';
import { OPERATOR_FINDINGS } from './findings';

/** The clients that may ask the operator's webhooks: API servers, by what is known of them. */
export interface WebhookClients {
  /**
   * Networks from which API servers connect, in CIDR notation: the NetworkPolicy lets nobody else reach the webhooks.
   * Where traffic is masked, that is the address which the pod sees.
   *
   * @default - anybody may connect
   */
  readonly cidrs?: readonly string[];

  /**
   * The CA of the certificates that API servers show to webhooks: nobody else is answered. They show one only if their
   * `--admission-control-config-file` names a kubeconfig with it for this Service.
   *
   * @default - nobody is asked for a certificate
   */
  readonly clientCa?: WebhookClientCa;
}

/** A ConfigMap of the operator's namespace with a CA. */
export interface WebhookClientCa {
  /** Its name. It must exist in the cluster. */
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
  cidrs: true,
  clientCa: keysOf<WebhookClientCa>({ configMap: true, key: true }),
});

/** Checks who may ask the webhooks. */
export function checkWebhookClients(clients: WebhookClients, webhooks: boolean): readonly Problem[] {
  const { cidrs, clientCa } = clients;
  return [
    ...(webhooks ? [] : [OPERATOR_FINDINGS.operatorSettingRefusedWebhooks()]),
    ...(cidrs?.length === 0 ? [OPERATOR_FINDINGS.operatorSettingRefusedWebhookClients()] : []),
    ...checkSubnets('webhookClients.cidrs', cidrs ?? [], 'the API server refuses it'),
    ...(clientCa === undefined ? [] : checkDnsSubdomain('webhookClients.clientCa.configMap', clientCa.configMap)),
    ...(clientCa?.key === undefined || /^[-._a-zA-Z0-9]{1,253}$/.test(clientCa.key)
      ? []
      : [OPERATOR_FINDINGS.operatorSettingRefusedClientCaKey({ key: clientCa.key })]),
  ];
}
