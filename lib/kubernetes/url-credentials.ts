import { violationOf } from '../../operator/api/kubernetes/violation';
import type { Problem } from './findings/problem';
import { isCredential } from './findings/secret-texts';

/** A login, in a URL or in `user@host:path`. */
const LOGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/?#]*)@/i;
const SECRET_PARAMETER = /[?&](?:[\w-]*token|api[_-]?key|password|passwd|secret)=[^&#]/i;

/** A password, or a token for a user name or parameter, in a URL that is written to Git. */
export function checkUrlCredentials(field: string, url: string): readonly Problem[] {
  const what = credentialsOf(url);
  if (what === undefined) return [];
  return [
    {
      code: 'credentials-in-url',
      violates: violationOf('secret', 'credentials'),
      what: `${field} has ${what} in it`,
      why: 'It would be committed with the output, for everybody to read who reads the repository or the Application',
      fix: 'take it out, and give Argo CD the credentials in a Secret: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/',
    },
  ];
}

/** Returns the credentials in a URL; undefined if there are none. */
export function credentialsOf(url: string): string | undefined {
  const login = LOGIN.exec(url)?.[1];
  if (login?.includes(':')) return 'a password';
  if (login !== undefined && isCredential(login)) return 'a token';
  return SECRET_PARAMETER.test(url) ? 'a token' : undefined;
}
