import { violationOf } from '../../../operator/api/kubernetes/violation';
import { holdsText, textsIn } from '../../../operator/api/value-texts';
import type { Problem } from '../../kubernetes/findings/problem';
import { unsaid } from '../../kubernetes/findings/unsaid';
import { remembered } from '../../kubernetes/remembered';
import { type Values, valueAt } from '../../kubernetes/values';
import { checkSecretsInValues } from '../../linkerd/charts/private-keys';
import { CONTROL_PLANE_WEBHOOKS } from './control-plane-values';

const WEBHOOKS = CONTROL_PLANE_WEBHOOKS.map(({ valuesKey }) => valuesKey);

/** Reports what of the secrets and key material in a control plane's values must not stand in Git, or does nothing. */
export const checkKeyMaterialValues = remembered((values: Values): readonly Problem[] => {
  const secrets = checkSecretsInValues(values);
  const useless = [
    ...checkUnusedCertificates(values),
    ...checkPinnedAnchors(values),
    ...checkSecondCaSources(values, WEBHOOKS),
  ];
  return [...secrets, ...unsaid(useless, secrets)];
});

/** Certificates stand in values beside a private key; where Secrets come from elsewhere, the chart reads neither. */
function checkUnusedCertificates(values: Values): readonly Problem[] {
  return textsIn(values, 'values')
    .filter(({ path }) => path.endsWith('.crtPEM'))
    .map(({ path }) => ({
      code: 'certificate-unused',
      about: path,
      what: `${path} holds a certificate`,
      why: 'The chart ignores it: certificate and key come from a Secret that cert-manager keeps',
      fix: `remove ${path}, or bring the certificate's issuer to CertManagerPKI`,
    }));
}

function checkPinnedAnchors(values: Values): readonly Problem[] {
  if (valueAt(values, 'identity.externalCA') !== true || !holdsText(values.identityTrustAnchorsPEM)) return [];
  return [
    {
      code: 'second-anchor-source',
      about: 'values.identityTrustAnchorsPEM',
      what: 'values.identityTrustAnchorsPEM is set together with identity.externalCA',
      why: 'The proxies read the trust roots ConfigMap, so that a renewed anchor reaches them; a second, pinned list of anchors would be ignored or, in the CLI, checked instead',
      fix: 'remove identityTrustAnchorsPEM and bring the anchor to CertManagerPKI',
    },
  ];
}

/**
 * Checks that nothing but cert-manager says whose certificates API servers accept.
 *
 * @param webhooks the keys, in the chart's values, of what serves with a certificate from cert-manager
 */
export function checkSecondCaSources(values: Values, webhooks: readonly string[]): readonly Problem[] {
  return webhooks
    .flatMap((webhook) => ['caBundle', 'injectCaFromSecret'].map((key) => `${webhook}.${key}`))
    .filter((path) => holdsText(valueAt(values, path)))
    .map((path) => ({
      code: 'second-ca-source',
      violates: violationOf('value', path.slice(0, path.lastIndexOf('.'))),
      about: `values.${path}`,
      what: `values.${path} is set, but cert-manager injects the CA of its own Certificate`,
      why: 'The API server would trust one CA and be shown a certificate of the other, or the chart refuses to render',
      fix: `remove ${path}: the CA follows from the PKI`,
    }));
}
