import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { isCredential } from './findings/secret-texts';

/** A login, in a URL or in `user@host:path`. */
const LOGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/?#]*)@/i;
const SECRET_PARAMETER = /[?&](?:[\w-]*token|api[_-]?key|password|passwd|secret)=[^&#]/i;

/** A password, or a token for a user name or parameter, in a URL that is written to Git. */
export function checkUrlCredentials(field: string, url: string): readonly Problem[] {
  const credentials = credentialsOf(url);
  if (credentials === undefined) return [];
  return [KUBERNETES_FINDINGS.credentialsInUrl({ field, credentials, url: withoutCredentials(url) })];
}

/** Returns the credentials in a URL; undefined if there are none. */
export function credentialsOf(url: string): string | undefined {
  const login = LOGIN.exec(url)?.[1];
  if (login?.includes(':')) return 'a password';
  if (login !== undefined && isCredential(login)) return 'a token';
  return SECRET_PARAMETER.test(url) ? 'a token' : undefined;
}

/** The URL without its login, and without its parameters where a token is among them. */
function withoutCredentials(url: string): string {
  const login = LOGIN.exec(url)?.[1] ?? '';
  const anonymous = url.replace(`${login}@`, '');
  return SECRET_PARAMETER.test(anonymous) ? anonymous.replace(/\?.*$/s, '') : anonymous;
}
