import type { ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { MutatingWebhookConfiguration, Service, ValidatingWebhookConfiguration } from '#imports/kubernetes';
import { LINKERD_CONFIG_WEBHOOKS } from '#operator/api/webhooks/linkerd-config';
import { type PodWebhookPlaces, podWebhook } from '#operator/api/webhooks/pod';
import { TRUST_ANCHOR_WEBHOOK } from '#operator/api/webhooks/trust-anchor';
import type { Webhook } from '#operator/api/webhooks/webhook';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import type { ICertManagerPKI } from '../pki/existing-pki';
import type { WebhookCertificate } from '../pki/webhook-certificate';
import type { DeepReadonly } from './deep-readonly';
import { OPERATOR_LABELS, WEBHOOK_SERVICE } from './operator-names';
import { objectId } from './operator-permissions';

interface WebhookServing {
  readonly namespace: string;
  /** `<namespace>/<Certificate>`, whose CA cert-manager's cainjector writes into the configurations. */
  readonly injectCaFrom: string;
}

type WebhookConfiguration = DeepReadonly<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>;

/**
 * Returns the operator's webhooks; includes the Multus webhook if its places are given.
 *
 * @param trustAnchor whether the operator rotates the trust anchor
 */
function operatorWebhooks(multus: PodWebhookPlaces | undefined, trustAnchor = false): readonly Webhook[] {
  return [
    ...LINKERD_CONFIG_WEBHOOKS,
    ...(trustAnchor ? [TRUST_ANCHOR_WEBHOOK] : []),
    ...(multus === undefined ? [] : [podWebhook(multus)]),
  ];
}

/** Renders the webhook configurations for the API server. cainjector fills in their caBundles. */
function webhookConfigurations(webhooks: readonly Webhook[], serving: WebhookServing): readonly WebhookConfiguration[] {
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

/** Adds the Service of the operator's webhooks and its serving certificate. */
export function addServing(scope: Construct, namespace: string, pki: ICertManagerPKI): WebhookCertificate {
  manifest(scope, 'webhook-service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK_SERVICE, namespace, labels: OPERATOR_LABELS },
    spec: { selector: OPERATOR_LABELS, ports: [{ name: 'webhook', port: 443, targetPort: 'webhook' }] },
  } satisfies Service);
  // The operator reloads the certificate when it changes.
  const request = { service: WEBHOOK_SERVICE, namespace, deployment: false } as const;
  return pki.webhookCertificate(scope, 'certificate', request);
}

interface ServedWebhooks extends WebhookServing {
  readonly workload: Construct;
  readonly rotatesAnchor: boolean;
  /** Call it at synth; undefined if the operator attaches no pods through Multus. */
  readonly multus: () => PodWebhookPlaces | undefined;
}

/** The id of the construct with an operator's webhook configurations. */
export const WEBHOOKS = 'webhooks';

/** Adds the configurations that make the API server call the operator's webhooks. */
export function addConfigurations(
  scope: Construct,
  { workload, multus, rotatesAnchor, ...serving }: ServedWebhooks,
): void {
  const configurations = new PreparedConstruct(scope, WEBHOOKS, (self) => {
    for (const object of webhookConfigurations(operatorWebhooks(multus(), rotatesAnchor), serving)) {
      manifest(self, objectId(object), object as ApiObjectProps);
    }
  });
  // A webhook that does not answer yet must not refuse requests.
  dependsOn(configurations, workload);
}
