import type { Problem } from '#base/findings/problem';
import { QUERY_SECRET } from '#base/secrets/secret-forms';
import { isCredential } from '#base/secrets/secret-names';
import { KUBERNETES_FINDINGS } from './findings/findings';
import { checkDnsSubdomain, checkPort } from './names';

const LOGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/?#]*)@/i;

/** Reports a password, or a token as a user name or parameter, in a URL that is written to Git. */
export function checkUrlCredentials(field: string, url: string): readonly Problem[] {
  const credentials = credentialsOf(url);
  if (credentials === undefined) return [];
  return [KUBERNETES_FINDINGS.credentialsFoundUrl({ field, credentials, url: withoutCredentials(url) })];
}

function credentialsOf(url: string): string | undefined {
  const login = LOGIN.exec(url)?.[1];
  if (login?.includes(':')) return 'a password';
  if (login !== undefined && isCredential(login)) return 'a token';
  return `${url}`.search(QUERY_SECRET) !== -1 ? 'a token' : undefined;
}

/** Returns a URL without its login, and without its parameters if they contain a token. */
function withoutCredentials(url: string): string {
  const login = LOGIN.exec(url)?.[1] ?? '';
  const anonymous = url.replace(`${login}@`, '');
  return anonymous.search(QUERY_SECRET) !== -1 ? anonymous.replace(/\?.*$/s, '') : anonymous;
}

/**
 * Reports a string that is not an `http://` or `https://` URL without credentials.
 *
 * @param scheme the scheme that the fix proposes
 */
export function checkHttpUrl(field: string, given: string, scheme: 'http' | 'https' = 'http'): Problem[] {
  // JavaScript may pass any value.
  const value = String(given);
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
  const hasLogin = url.username !== '' || url.password !== '';
  if (!hasLogin && credentialsOf(value) === undefined) return [];
  url.username = '';
  url.password = '';
  // The place of the token is unknown, so all parameters are removed.
  if (credentialsOf(url.href) !== undefined) url.search = '';
  const parameters = { field, credentials: hasLogin ? 'a user name or password' : 'a token', url: url.href };
  return [KUBERNETES_FINDINGS.credentialsFoundUrl(parameters)];
}

/**
 * Reports a string that is not `host` or `host:port`: the form of addresses that the dashboard calls over plain HTTP.
 */
export function checkAddress(field: string, value: string): Problem[] {
  const [, host, port] = /^([^\s:/]+)(?::(\d+))?$/.exec(value) ?? [];
  if (host === undefined) {
    return [
      KUBERNETES_FINDINGS.addressRefusedHost({
        field,
        value,
        suggestion:
          value
            .replace(/^[a-z]*:?\/+/i, '')
            .replace(/[\s/].*$/, '')
            .replace(/^.*@/, '') || 'service.namespace:80',
      }),
    ];
  }
  return [
    ...checkDnsSubdomain(`The host of ${field}`, host),
    ...(port === undefined ? [] : checkPort(`The port of ${field}`, Number(port))),
  ];
}
