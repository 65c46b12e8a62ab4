import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { checkDnsSubdomain, checkPort } from './names';

/**
 * Reports what keeps a text from being `host` or `host:port`: the form of addresses that the dashboard calls over plain
 * HTTP.
 */
export function checkAddress(field: string, value: string): Problem[] {
  const [, host, port] = /^([^\s:/]+)(?::(\d+))?$/.exec(value) ?? [];
  if (host === undefined) {
    return [
      KUBERNETES_FINDINGS.addressRefused({
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
