import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../linkerd/warnings';
import { VIZ_FINDINGS } from './findings';
import { goRegexpFault } from './go-regexp';

/** A host that no dashboard is served at. */
const FOREIGN_HOST = 'rebinding.attacker.example';

/** A regular expression that matches one host, or one level of hosts for `*.example.com`, exactly. */
export function exactHost(host: string): string {
  return quote(host).replace(/^\\\*/, '[^.:]+');
}

/**
 * The hosts that the dashboard answers to: those of the chart's own default (port-forwarding of `linkerd viz dashboard`
 * needs them) and one more, each with any port.
 */
export function enforcedHosts(host: string, service: string, clusterDomain: string): string {
  const hosts = ['localhost', '127.0.0.1', `${service}.${clusterDomain}`, service, '[::1]'].map(quote);
  return `^(${[...hosts, exactHost(host)].join('|')})(:\\d+)?$`;
}

/** Reports what keeps the dashboard from starting with a regular expression, or from answering to `host` then. */
export function checkEnforcedHost(field: string, expression: string, host?: string): Problem[] {
  const fault = goRegexpFault(expression);
  if (fault !== undefined) return [VIZ_FINDINGS.hostRegexpRefusedSyntax({ field, expression, fault })];
  if (/\s|:$/.test(expression)) return [VIZ_FINDINGS.hostRegexpRefusedYaml({ field, expression })];
  if (host === undefined || inJavaScript(expression)?.test(host) !== false) return [];
  return [VIZ_FINDINGS.hostRegexpRefusedHost({ field, expression, host })];
}

/** Warns of an expression that also matches hosts of others. */
export function enforcedHostWarnings(field: string, expression: string, host?: string): Warning[] {
  const regexp = inJavaScript(expression);
  const foreign = [FOREIGN_HOST, ...(host === undefined ? [] : [`${host}.${FOREIGN_HOST}`])];
  const matched = foreign.find((candidate) => regexp?.test(candidate));
  return matched === undefined ? [] : [VIZ_FINDINGS.hostRegexpTooBroad({ field, expression, matched })];
}

/** The same expression in JavaScript; undefined where it uses what JavaScript reads differently. */
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
