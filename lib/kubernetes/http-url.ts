import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { credentialsOf } from './url-credentials';

/**
 * Reports what keeps a text from being an `http://` or `https://` URL that may stand in Git.
 *
 * @param scheme the one that the fix proposes
 */
export function checkHttpUrl(field: string, value: string, scheme: 'http' | 'https' = 'http'): Problem[] {
  if (!/^https?:\/\/[^\s/]/i.test(value) || /\s/.test(value) || !URL.canParse(value)) {
    return [
      KUBERNETES_FINDINGS.urlRefused({
        field,
        value,
        suggestion: `${scheme}://${value.replace(/^[a-z]*:?\/+/i, '').replace(/\s/g, '') || 'host'}`,
      }),
    ];
  }
  const url = new URL(value);
  const credentials = url.username !== '' || url.password !== '' || credentialsOf(value) !== undefined;
  if (!credentials) return [];
  url.username = '';
  url.password = '';
  // Where a token stands is not known, so all parameters go.
  if (credentialsOf(url.href) !== undefined) url.search = '';
  const parameters = { field, credentials: 'a user name or password', url: url.href };
  return [KUBERNETES_FINDINGS.credentialsInUrl(parameters)];
}
