import type { Problem } from '#base/findings/problem';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import { textsIn } from '#base/value-texts';
import type { Values } from '#base/values';
import { INJECTION_FINDINGS } from '#linkerd/injection/findings';

/** Checks that the values of a LinkerdConfig contain no private key under any name. */
export function checkPrivateKeys(values: Values | undefined): readonly Problem[] {
  const keys = textsIn(values, 'spec.values').filter(({ text }) => holdsPrivateKey(text));
  return keys.map(({ path }) => INJECTION_FINDINGS.privateKeyFoundValues({ path }));
}
