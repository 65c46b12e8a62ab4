import type { Problem } from '#base/findings/problem';
import { remembered } from '#base/remembered';
import { holdsText, textsIn } from '#base/value-texts';
import { type Values, valueAt } from '#base/values';
import { checkSecretsInValues, withoutSecrets } from '#linkerd/renderers/private-keys';
import { CONTROL_PLANE_WEBHOOKS } from './control-plane-values';
import { CONTROL_PLANE_FINDINGS } from './findings';

const WEBHOOKS = CONTROL_PLANE_WEBHOOKS.map(({ valuesKey }) => valuesKey);

/** Reports secrets and key material in a control plane's values that must not be in Git, or have no effect. */
export const checkKeyMaterialValues = remembered((values: Values): readonly Problem[] => {
  const publicValues = withoutSecrets(values);
  return [
    ...checkSecretsInValues(values),
    ...checkUnusedCertificates(publicValues),
    ...checkPinnedAnchors(publicValues),
    ...checkSecondCaSources(publicValues, WEBHOOKS),
  ];
});

/** The chart reads certificates and keys from external Secrets, and ignores those in values. */
function checkUnusedCertificates(values: Values): readonly Problem[] {
  return textsIn(values, 'values')
    .filter(({ path }) => path.endsWith('.crtPEM'))
    .map(({ path }) => CONTROL_PLANE_FINDINGS.certificateSourceConflictCertificate({ path }, { about: path }));
}

function checkPinnedAnchors(values: Values): readonly Problem[] {
  if (valueAt(values, 'identity.externalCA') !== true || !holdsText(values.identityTrustAnchorsPEM)) return [];
  return [CONTROL_PLANE_FINDINGS.certificateSourceConflictAnchor({}, { about: 'values.identityTrustAnchorsPEM' })];
}

function checkSecondCaSources(values: Values, webhooks: readonly string[]): readonly Problem[] {
  return webhooks
    .flatMap((webhook) => ['caBundle', 'injectCaFromSecret'].map((key) => `${webhook}.${key}`))
    .filter((path) => holdsText(valueAt(values, path)))
    .map((path) => {
      return CONTROL_PLANE_FINDINGS.certificateSourceConflictWebhookCa({ path }, { about: `values.${path}` });
    });
}

/**
 * Reports key material in an extension's values that must not be in Git, or conflicts with cert-manager's.
 *
 * @param webhooks the keys, in the chart's values, of components that serve with a certificate from cert-manager
 */
export function checkExtensionKeys(values: Values, webhooks: readonly string[]): readonly Problem[] {
  return [...checkKeyMaterialValues(values), ...checkSecondCaSources(withoutSecrets(values), webhooks)];
}
