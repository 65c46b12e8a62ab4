import type { PermittedUnit } from '../../../operator/api/rbac/rotation';
import { TRUST_ROOTS } from '../../../operator/api/trust-anchor';
import type { CertManagerPKI } from '../pki/cert-manager-pki';
import type { WebhookCertificate } from '../pki/webhook-certificate';

/** The Deployment that signs proxies' certificates, in every release. */
const IDENTITY = 'linkerd-identity';

/**
 * Returns what is rotated of a PKI, in order: the identity issuer, then webhooks in the order in which their
 * certificates were asked for. Neither the trust anchor nor the webhooks' CA: all that trusts these would have to be
 * restarted as well.
 */
export function rotationUnits(
  pki: Pick<CertManagerPKI, 'controlPlaneNamespace' | 'identityIssuerSecretName'>,
  webhooks: readonly WebhookCertificate[],
): readonly PermittedUnit[] {
  return [
    {
      namespace: pki.controlPlaneNamespace,
      deployment: IDENTITY,
      certificates: [pki.identityIssuerSecretName],
      secrets: [pki.identityIssuerSecretName],
      trustRoots: TRUST_ROOTS,
    },
    ...webhookUnits(webhooks),
  ];
}

/** One unit for each Deployment, however many webhooks it serves. */
function webhookUnits(webhooks: readonly WebhookCertificate[]): readonly PermittedUnit[] {
  const units = new Map<string, PermittedUnit>();
  for (const { namespace, deployment, certificateName, secretName } of webhooks) {
    if (deployment === undefined) continue;
    const key = `${namespace}/${deployment}`;
    const { certificates = [], secrets = [] } = units.get(key) ?? {};
    units.set(key, {
      namespace,
      deployment,
      certificates: [...certificates, certificateName],
      secrets: [...secrets, secretName],
    });
  }
  return [...units.values()];
}
