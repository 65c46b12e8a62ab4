import { Construct } from 'constructs';
import { caClusterIssuer } from './ca-cluster-issuer';
import type { ICertManager } from './cert-manager';
import type { PkiSettings } from './pki-rules';
import { SelfSignedRoot } from './self-signed-root';
import type { WebhookSigner } from './webhook-certificate';

/** Name of the webhooks' CA: its ClusterIssuer, Certificate and Secret. */
export const WEBHOOK_ISSUER = 'linkerd-webhook-issuer';

/** Props of WebhookChain. */
export interface WebhookChainProps {
  readonly certManager: ICertManager;
  readonly pki: PkiSettings;
}

/** The CA of the webhooks' certificates. The API server trusts it, proxies do not. */
export class WebhookChain extends Construct {
  /** The issuer of the serving certificates. */
  readonly signer: WebhookSigner;

  constructor(scope: Construct, id: string, { certManager, pki }: WebhookChainProps) {
    super(scope, id);
    this.signer = {
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: WEBHOOK_ISSUER },
      validity: pki.webhooks,
    };
    new SelfSignedRoot(this, 'root', {
      namespace: certManager.namespace,
      name: WEBHOOK_ISSUER,
      issuerName: 'linkerd-webhook-root-issuer',
      // Shorter than the identity issuer's name, the length of which is checked.
      commonName: `webhook.${pki.controlPlaneNamespace}.${pki.trustDomain}`,
      validity: pki.webhookIssuer,
    });
    caClusterIssuer(this, WEBHOOK_ISSUER, WEBHOOK_ISSUER);
  }
}
