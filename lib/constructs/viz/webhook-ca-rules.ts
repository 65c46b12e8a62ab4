import type { Problem } from '../../kubernetes/findings/problem';
import type { Values } from '../../kubernetes/values';
import { withoutSecrets } from '../../linkerd/charts/private-keys';
import { checkKeyMaterialValues, checkSecondCaSources } from '../control-plane/key-material-rules';

/**
 * Reports what of the key material in an extension's values must not stand in Git, or clashes with cert-manager's.
 *
 * @param webhooks the keys, in the chart's values, of what serves with a certificate from cert-manager
 */
export function checkExtensionKeys(values: Values, webhooks: readonly string[]): readonly Problem[] {
  return [...checkKeyMaterialValues(values), ...checkSecondCaSources(withoutSecrets(values), webhooks)];
}
