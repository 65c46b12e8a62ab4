import type { Problem } from '#base/findings/problem';
import { UNLIMITED } from '#helm/go/budget';
import { compileRegex } from '#helm/go/regex';
import { FunctionError } from '#helm/go/values';
import type { Warning } from '../../checks/warnings';
import { VIZ_FINDINGS } from './findings';

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
  const { regexp, fault } = compiled(expression);
  if (fault !== undefined) return [VIZ_FINDINGS.hostRegexpRefusedSyntax({ field, expression, fault })];
  if (/\s|:$/.test(expression)) return [VIZ_FINDINGS.hostRegexpRefusedYaml({ field, expression })];
  if (host === undefined || regexp?.test(host) !== false) return [];
  return [VIZ_FINDINGS.hostRegexpRefusedHost({ field, expression, host })];
}

/** Warns about an expression that also matches foreign hosts. */
export function enforcedHostWarnings(field: string, expression: string, host?: string): Warning[] {
  const { regexp } = compiled(expression);
  const foreign = [FOREIGN_HOST, ...(host === undefined ? [] : [`${host}.${FOREIGN_HOST}`])];
  const matched = foreign.find((candidate) => regexp?.test(candidate));
  return matched === undefined ? [] : [VIZ_FINDINGS.hostRegexpTooBroad({ field, expression, matched })];
}

interface Compiled {
  readonly regexp?: { test(text: string): boolean };
  readonly fault?: string;
}

/** Expressions that mean the same in JavaScript and Go: they need no re2js, which takes 50 ms for the first one. */
const ALIKE = /^(?:\((?!\?)|[\w.*+?^$)|:-]|\\[.[\]d]|\[\^\.:\])*$/;

function compiled(expression: string): Compiled {
  try {
    if (ALIKE.test(expression)) return { regexp: new RegExp(expression) };
  } catch {
    // Go may accept the expression. Otherwise re2js returns Go's error.
  }
  const newest = byRe2(expression);
  // Groups named `(?<name>…)` need Go 1.22, and Linkerd 2.14 was built with an older release. All refuse `(?!`.
  const { fault } = newest.fault === undefined ? byRe2(expression.replaceAll('(?<', '(?!')) : {};
  return fault === undefined ? newest : { fault: fault.replace('(?!', '(?<') };
}

function byRe2(expression: string): Compiled {
  try {
    return { regexp: compileRegex(expression, UNLIMITED) };
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return { fault: error.message.replace('error parsing regexp: ', '') };
  }
}

function quote(text: string): string {
  return text.replace(/[.*[\]]/g, '\\$&');
}
