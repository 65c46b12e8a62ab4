import type { Problem } from '../kubernetes/problem';
import type { Value } from '../kubernetes/values-merge';
import { violationOf } from '../kubernetes/violation';

/** The words for whether proxies log HTTP headers; empty is "off" (linkerd2, charts/partials/templates/_proxy.tpl). */
export const HEADER_LOGS: readonly string[] = ['', 'off', 'insecure'];

/** Checks the logs of proxies by what the chart and the injector refuse. */
export function checkHeaderLogs({ logHTTPHeaders }: { readonly logHTTPHeaders?: Value }): readonly Problem[] {
  if (typeof logHTTPHeaders === 'string' && HEADER_LOGS.includes(logHTTPHeaders)) return [];
  return [
    {
      code: 'header-logs-unknown',
      violates: violationOf('value', 'proxy.logHTTPHeaders'),
      about: 'values.proxy.logHTTPHeaders',
      what: `values.proxy.logHTTPHeaders is ${JSON.stringify(logHTTPHeaders ?? null)}`,
      why: 'Proxies either keep HTTP headers out of their logs, or log them with all the secrets in them',
      fix: 'set proxy.logHTTPHeaders to "off" or to "insecure"',
    },
  ];
}
