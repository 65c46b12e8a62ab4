import type { Finding } from '../../../kubernetes/findings/finding';
import { errorsAt } from '../../../kubernetes/findings/finding';
import { holdsUrlCredentials, showsPrivateKey } from '../../../kubernetes/findings/secret-texts';
import { byText } from '../../../kubernetes/remembered';

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
  return errorsAt(path, [
    {
      code: 'secret-in-file',
      what:
        secret === 'key'
          ? 'The file would have a private key in it'
          : 'The file would have a URL with a password in it',
      why: 'It is committed to Git, where everyone who can read the repository has it, for good',
      fix: 'remove it from what the file is made of, and let it come from a Secret that is not in Git',
    },
  ]);
}

const secretIn = byText((text): 'key' | 'login' | undefined => {
  if (showsPrivateKey(text)) return 'key';
  return !text.startsWith(DEFINITION) && holdsUrlCredentials(text) ? 'login' : undefined;
});
