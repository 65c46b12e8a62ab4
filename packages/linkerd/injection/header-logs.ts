import type { Problem } from '#base/findings/problem';
import type { Value } from '#base/values';
import { INJECTION_FINDINGS } from './findings';

/** Settings for logging HTTP headers in proxies; empty is "off" (linkerd2, charts/partials/templates/_proxy.tpl). */
export const HEADER_LOGS: readonly string[] = ['', 'off', 'insecure'];

/** Checks the setting for logging HTTP headers: the chart and the injector refuse any other value. */
export function checkHeaderLogs({ logHTTPHeaders }: { readonly logHTTPHeaders?: Value }): readonly Problem[] {
  if (typeof logHTTPHeaders === 'string' && HEADER_LOGS.includes(logHTTPHeaders)) return [];
  return [
    INJECTION_FINDINGS.injectedValueRefusedHeaderLogs(
      {
        field: 'values.proxy.logHTTPHeaders',
        value: JSON.stringify(logHTTPHeaders ?? null),
        expected: '"off" or "insecure"',
      },
      { about: 'values.proxy.logHTTPHeaders' },
    ),
  ];
}
