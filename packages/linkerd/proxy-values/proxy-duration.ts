import type { Problem } from '#base/findings/problem';
import { PROXY_VALUE_FINDINGS } from './findings';

/**
 * Checks a duration in a chart's values for what the proxy can parse: one whole number and one unit, so Go's `1h30m` is
 * invalid (linkerd2-proxy, linkerd/app/src/env.rs, parse_duration).
 */
export function checkProxyDuration(field: string, text: string): readonly Problem[] {
  if (/^\s*(?:0+|\d+(?:ms|s|m|h|d))\s*$/.test(text)) return [];
  return [PROXY_VALUE_FINDINGS.durationRefusedProxy({ field, text }, { about: field })];
}
