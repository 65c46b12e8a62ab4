import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../linkerd/warnings';
import { VIZ_FINDINGS } from './findings';
import { goRegexpFault } from './go-regexp';

/** A host at which no dashboard is served. */
const FOREIGN_HOST = 'rebinding.attacker.example';

/** Returns a regular expression that matches exactly one host, or one level of hosts for `*.example.com`. */
export function exactHost(host: string): string {
  return quote(host).replace(/^\\\*/, '[^.:]+');
}

/**
 * Returns the hosts that the dashboard answers to: those of the chart's default (`linkerd viz dashboard` needs them for
 * port-forwarding) and one more, each with any port.
 */
export function enforcedHosts(host: string, service: string, clusterDomain: string): string {
  const hosts = ['localhost', '127.0.0.1', `${service}.${clusterDomain}`, service, '[::1]'].map(quote);
  return `^(${[...hosts, exactHost(host)].join('|')})(:\\d+)?$`;
}

/** Reports a regular expression that keeps the dashboard from starting, or from answering to `host`. */
export function checkEnforcedHost(field: string, expression: string, host?: string): Problem[] {
  const fault = goRegexpFault(expression);
  if (fault !== undefined) return [VIZ_FINDINGS.hostRegexpRefusedSyntax({ field, expression, fault })];
  if (/\s|:$/.test(expression)) return [VIZ_FINDINGS.hostRegexpRefusedYaml({ field, expression })];
  if (host === undefined || inJavaScript(expression)?.test(host) !== false) return [];
  return [VIZ_FINDINGS.hostRegexpRefusedHost({ field, expression, host })];
}

/** Warns about an expression that also matches foreign hosts. */
export function enforcedHostWarnings(field: string, expression: string, host?: string): Warning[] {
  const regexp = inJavaScript(expression);
  const foreign = [FOREIGN_HOST, ...(host === undefined ? [] : [`${host}.${FOREIGN_HOST}`])];
  const matched = foreign.find((candidate) => regexp?.test(candidate));
  return matched === undefined ? [] : [VIZ_FINDINGS.hostRegexpTooBroad({ field, expression, matched })];
}

/** Returns the same expression in JavaScript; undefined if JavaScript reads any part of it differently. */
function inJavaScript(expression: string): RegExp | undefined {
  if (/\\[AzQCpPx]|\[:|\(\?[imsU-]/.test(expression)) return undefined;
  try {
    return new RegExp(expression.replaceAll('(?P<', '(?<'));
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  return text.replace(/[.*[\]]/g, '\\$&');
}
