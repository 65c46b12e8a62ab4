import type { Finding } from '../../../kubernetes/findings/finding';
import { errorsAt } from '../../../kubernetes/findings/finding';
import { holdsUrlCredentials, showsPrivateKey } from '../../../kubernetes/findings/secret-texts';
import { byText } from '../../../kubernetes/remembered';
import { SYNTH_FINDINGS } from '../findings';

/** Definitions of kinds tell in their descriptions what a URL looks like. */
const DEFINITION = 'apiVersion: apiextensions.k8s.io/';

/**
 * The last look at a text before it is written: whatever rule passed over it, and whoever made it, no private key and
 * no password comes into Git.
 *
 * @param path of the file in the output
 */
export function checkWrittenText(path: string, text: string): readonly Finding[] {
  const secret = secretIn(text);
  if (secret === undefined) return [];
  return errorsAt(path, [SYNTH_FINDINGS.secretInFile({ secret })]);
}

const secretIn = byText((text): string | undefined => {
  if (showsPrivateKey(text)) return 'a private key';
  return !text.startsWith(DEFINITION) && holdsUrlCredentials(text) ? 'a URL with a password' : undefined;
});
