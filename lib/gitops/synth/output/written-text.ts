import type { Finding } from '#base/findings/finding';
import { findingsAt } from '#base/findings/finding';
import { byText } from '#base/remembered';
import { secretSpans } from '#base/secrets/secret-spans';
import { SYNTH_FINDINGS } from '../findings';

/** The descriptions in CustomResourceDefinitions contain example URLs, which may have credentials. */
const DEFINITION = 'apiVersion: apiextensions.k8s.io/';

/**
 * Checks a string before it is written, so that no private key and no password gets into Git if the rules missed it.
 *
 * @param path of the file in the output
 */
export function checkWrittenText(path: string, text: string): readonly Finding[] {
  const secret = secretIn(text);
  if (secret === undefined) return [];
  return findingsAt(path, [SYNTH_FINDINGS.secretInFile({ secret })]);
}

const secretIn = byText((text): string | undefined => {
  const kinds = secretSpans(text, 'refused').map(({ is }) => is);
  if (kinds.includes('private key')) return 'a private key';
  return !text.startsWith(DEFINITION) && kinds.length > 0 ? 'a password or a token' : undefined;
});
