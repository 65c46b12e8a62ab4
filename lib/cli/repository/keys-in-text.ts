import type { FilePlace } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { secretSpans } from '#base/secrets/secret-spans';
import { CLI_FINDINGS } from '../findings';

/** Names of files that contain only keys or certificates. */
export const KEY_FILE = /\.(?:pem|key)$/i;

/** Reports the private keys in a text that is not an object, such as values of a chart, by their first lines. */
export function keysInText(
  { file, line = 1 }: FilePlace,
  text: string,
): readonly { readonly problem: Problem; readonly source: FilePlace }[] {
  return secretSpans(text, 'refused').flatMap(({ is, start }) => {
    if (is !== 'private key') return [];
    const source = { file, line: line - 1 + text.slice(0, start).split('\n').length };
    return [{ source, problem: CLI_FINDINGS.privateKeyFoundFile({ file }) }];
  });
}
