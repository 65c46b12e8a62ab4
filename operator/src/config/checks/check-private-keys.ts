import { INJECTION_FINDINGS } from '../../../api/injection/findings';
import type { Problem } from '../../../api/kubernetes/problem';
import { holdsPrivateKey } from '../../../api/kubernetes/secrets/secret-forms';
import type { Values } from '../../../api/kubernetes/values-merge';
import { textsIn } from '../../../api/value-texts';

/** Checks that the values of a LinkerdConfig contain no private key under any name. */
export function checkPrivateKeys(values: Values | undefined): readonly Problem[] {
  const keys = textsIn(values, 'spec.values').filter(({ text }) => holdsPrivateKey(text));
  return keys.map(({ path }) => INJECTION_FINDINGS.privateKeyFoundValues({ path }));
}
