import type { Problem } from '../kubernetes/problem';
import { violationOf } from '../kubernetes/violation';

/**
 * Checks a duration in a chart's values by what the proxy reads. It takes one whole number and one unit, so that Go's
 * `1h30m` is none (linkerd2-proxy, linkerd/app/src/env.rs, parse_duration).
 */
export function checkProxyDuration(field: string, text: string): readonly Problem[] {
  if (/^\s*(?:0+|\d+(?:ms|s|m|h|d))\s*$/.test(text)) return [];
  return [
    {
      code: 'proxy-duration-refused',
      violates: violationOf('form', text),
      about: field,
      what: `${field} is "${text}"`,
      why: 'The proxy reads it from its environment and does not start with what it cannot read',
      fix: 'write a whole number and one of the units ms, s, m, h and d, "5m" for instance',
    },
  ];
}
