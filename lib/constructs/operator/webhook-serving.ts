import type { ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Service } from '../../../imports/kubernetes';
import type { PodWebhookPlaces } from '../../../operator/api/webhooks/pod';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import type { CertManagerPKI } from '../pki/cert-manager-pki';
import type { WebhookCertificate } from '../pki/webhook-certificate';
import { objectId } from './object-id';
import { OPERATOR_LABELS, WEBHOOK_SERVICE } from './operator-names';
import { operatorWebhooks, type WebhookServing, webhookConfigurations } from './operator-webhooks';

/** Adds the Service of the operator's webhooks, and the certificate that they serve with. */
export function addServing(scope: Construct, namespace: string, pki: CertManagerPKI): WebhookCertificate {
  manifest(scope, 'webhook-service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK_SERVICE, namespace, labels: OPERATOR_LABELS },
    spec: { selector: OPERATOR_LABELS, ports: [{ name: 'webhook', port: 443, targetPort: 'webhook' }] },
  } satisfies Service);
  // The operator reads it anew by itself when it changes.
  const request = { service: WEBHOOK_SERVICE, namespace, deployment: false } as const;
  return pki.webhookCertificate(scope, 'certificate', request);
}

/** The operator's webhooks for the API server. */
export interface ServedWebhooks extends WebhookServing {
  /** The pods that answer. */
  readonly workload: Construct;
  /** Tells whether the operator rotates the trust anchor. */
  readonly rotatesAnchor: boolean;
  /** Returns, at synth, the places of the webhook on pods; undefined where it attaches none by Multus. */
  readonly multus: () => PodWebhookPlaces | undefined;
}

/** Adds what makes the API server ask the operator's webhooks. */
export function addConfigurations(
  scope: Construct,
  { workload, multus, rotatesAnchor, ...serving }: ServedWebhooks,
): void {
  const configurations = new PreparedConstruct(scope, 'webhooks', (self) => {
    for (const object of webhookConfigurations(operatorWebhooks(multus(), rotatesAnchor), serving)) {
      manifest(self, objectId(object), object as ApiObjectProps);
    }
  });
  // Nobody is to be refused by a webhook that does not answer yet.
  dependsOn(configurations, workload);
}
