import { checkKeyMaterialValues } from '../control-plane/key-material-rules';
import { unsaid } from '../control-plane/proxy-value-rules';
import type { Problem } from '../problems/problem';
import { type Values, valueAt } from '../releases/values';

/**
 * Reports what of the key material in an extension's values must not stand in Git, or clashes with cert-manager's.
 *
 * @param webhooks the keys, in the chart's values, of what serves with a certificate from cert-manager
 */
export function extensionKeyProblems(values: Values, webhooks: readonly string[]): readonly Problem[] {
  const clashes = webhooks
    .flatMap((webhook) => ['caBundle', 'injectCaFromSecret'].map((key) => `${webhook}.${key}`))
    .filter((path) => `${valueAt(values, path) ?? ''}`.trim() !== '')
    .map((path) => ({
      what: `values.${path} is set, but cert-manager injects the CA of its own Certificate`,
      why: 'The API server would trust one CA and be shown a certificate of the other, or the chart refuses to render',
      fix: `remove ${path}: the CA follows from the PKI`,
    }));
  const material = checkKeyMaterialValues(values);
  return [...material, ...unsaid(clashes, material)];
}
