import { holdsText, textsIn } from '../../operator/api/value-texts';
import { secretsInValues } from '../charts/private-keys';
import type { Problem } from '../problems/problem';
import { type Values, valueAt } from '../releases/values';
import { CONTROL_PLANE_WEBHOOKS } from './control-plane-values';
import { unsaid } from './proxy-value-rules';

/** Reports what of the secrets and key material in a control plane's values must not stand in Git, or does nothing. */
export function checkKeyMaterialValues(values: Values): readonly Problem[] {
  const secrets = secretsInValues(values);
  const useless = [...checkUnusedCertificates(values), ...checkPinnedAnchors(values), ...checkSecondCaSources(values)];
  return [...secrets, ...unsaid(useless, secrets)];
}

/** Certificates stand in values beside a private key; where Secrets come from elsewhere, the chart reads neither. */
function checkUnusedCertificates(values: Values): readonly Problem[] {
  return textsIn(values, 'values')
    .filter(({ path }) => path.endsWith('.crtPEM'))
    .map(({ path }) => ({
      what: `${path} holds a certificate`,
      why: 'The chart ignores it: certificate and key come from a Secret that cert-manager keeps',
      fix: `remove ${path}, or bring the certificate's issuer to CertManagerPKI`,
    }));
}

function checkPinnedAnchors(values: Values): readonly Problem[] {
  if (valueAt(values, 'identity.externalCA') !== true || !holdsText(values.identityTrustAnchorsPEM)) return [];
  return [
    {
      what: 'values.identityTrustAnchorsPEM is set together with identity.externalCA',
      why: 'The proxies read the trust roots ConfigMap, so that a renewed anchor reaches them; a second, pinned list of anchors would be ignored or, in the CLI, checked instead',
      fix: 'remove identityTrustAnchorsPEM and bring the anchor to CertManagerPKI',
    },
  ];
}

/** The chart refuses a second source of a webhook's CA. */
function checkSecondCaSources(values: Values): readonly Problem[] {
  return CONTROL_PLANE_WEBHOOKS.flatMap(({ valuesKey }) =>
    ['caBundle', 'injectCaFromSecret']
      .map((key) => `${valuesKey}.${key}`)
      .filter((path) => holdsText(valueAt(values, path)))
      .map((path) => ({
        what: `values.${path} is set, but cert-manager injects the CA of its own Certificate`,
        why: `The chart refuses two sources of one CA: Helm fails on ${valuesKey}.injectCaFrom beside it`,
        fix: `remove ${path}: the CA of ${valuesKey} follows from the PKI`,
      })),
  );
}
