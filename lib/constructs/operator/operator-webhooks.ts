import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../../imports/kubernetes';
import { LINKERD_CONFIG_WEBHOOKS } from '../../../operator/api/webhooks/linkerd-config';
import { type PodWebhookPlaces, podWebhook } from '../../../operator/api/webhooks/pod';
import { TRUST_ANCHOR_WEBHOOK } from '../../../operator/api/webhooks/trust-anchor';
import type { Webhook } from '../../../operator/api/webhooks/webhook';
import type { DeepReadonly } from './deep-readonly';
import { OPERATOR_LABELS, WEBHOOK_SERVICE } from './operator-names';

/** The address of the webhooks for the API server, and the CA that it trusts there. */
export interface WebhookServing {
  /** Namespace of the Service. */
  readonly namespace: string;
  /** `<namespace>/<Certificate>`, whose CA cert-manager's cainjector writes into the configurations. */
  readonly injectCaFrom: string;
}

type WebhookConfiguration = DeepReadonly<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>;

/**
 * The operator's webhooks; the one of Multus where its places are given.
 *
 * @param trustAnchor tells whether it rotates the trust anchor
 */
export function operatorWebhooks(multus: PodWebhookPlaces | undefined, trustAnchor = false): readonly Webhook[] {
  return [
    ...LINKERD_CONFIG_WEBHOOKS,
    ...(trustAnchor ? [TRUST_ANCHOR_WEBHOOK] : []),
    ...(multus === undefined ? [] : [podWebhook(multus)]),
  ];
}

/** The configurations that make the API server ask the webhooks. Their caBundles are left to cainjector. */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  serving: WebhookServing,
): readonly WebhookConfiguration[] {
  const isSame = (a: Webhook) => (b: Webhook) => a.kind === b.kind && a.configuration === b.configuration;
  return webhooks
    .filter((webhook, index) => webhooks.findIndex(isSame(webhook)) === index)
    .map((webhook) => configurationOf(webhook, webhooks.filter(isSame(webhook)), serving));
}

function configurationOf(
  { kind, configuration }: Webhook,
  webhooks: readonly Webhook[],
  { namespace, injectCaFrom }: WebhookServing,
): WebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: kind === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: {
      name: configuration,
      labels: OPERATOR_LABELS,
      annotations: { 'cert-manager.io/inject-ca-from': injectCaFrom },
    },
    webhooks: webhooks.map(({ kind: _, configuration: __, path, ...webhook }) => ({
      ...webhook,
      clientConfig: { service: { name: WEBHOOK_SERVICE, namespace, path } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    })),
  };
}
