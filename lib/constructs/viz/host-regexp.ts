import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
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
  if (fault !== undefined) {
    return [
      {
        code: 'regexp-refused',
        what: `${field} is "${expression}", which Go's regexp refuses: ${fault}`,
        why: 'The dashboard would end at its start',
        fix: 'write an expression in RE2 syntax, "^linkerd\\\\.example\\\\.com$" for instance',
      },
    ];
  }
  if (/\s|:$/.test(expression)) {
    return [
      {
        code: 'host-regexp-malformed',
        what: `${field} is "${expression}", with a blank in it or a colon at its end`,
        why: 'The chart writes it into a YAML list unquoted, where it would become something else',
        fix: 'leave the blank or colon out: hosts have none',
      },
    ];
  }
  if (host === undefined || inJavaScript(expression)?.test(host) !== false) return [];
  return [
    {
      code: 'host-not-matched',
      what: `${field} is "${expression}", which does not match "${host}"`,
      why: 'The dashboard would answer 400 to every request that comes through the ingress',
      fix: `let it match "${host}", or leave it out: it then follows from the ingress`,
    },
  ];
}

/** The danger of an expression that other hosts match, too. */
export function enforcedHostWarnings(field: string, expression: string, host?: string): Warning[] {
  const regexp = inJavaScript(expression);
  const foreign = [FOREIGN_HOST, ...(host === undefined ? [] : [`${host}.${FOREIGN_HOST}`])];
  const matched = foreign.find((candidate) => regexp?.test(candidate));
  if (matched === undefined) return [];
  return [
    {
      code: 'hosts-of-others',
      what: `${field} is "${expression}", which matches hosts that are not yours, "${matched}" for instance`,
      why: 'It turns off the protection against DNS rebinding: a web page can make a browser inside your network read the dashboard and tap traffic',
      fix: 'leave it out, so that it follows from the ingress, or match the dashboard\'s host from "^" to "$"',
    },
  ];
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
