import type { Problem } from '../kubernetes/problem';
import { PROXY_VALUE_FINDINGS } from './findings';

/**
 * Checks a duration in a chart's values by what the proxy reads. It takes one whole number and one unit, so that Go's
 * `1h30m` is none (linkerd2-proxy, linkerd/app/src/env.rs, parse_duration).
 */
export function checkProxyDuration(field: string, text: string): readonly Problem[] {
  if (/^\s*(?:0+|\d+(?:ms|s|m|h|d))\s*$/.test(text)) return [];
  return [PROXY_VALUE_FINDINGS.proxyDurationRefused({ field, text }, { about: field })];
}
