import type { Fault } from '../fault';

export const review: readonly Fault[] = [
  {
    file: 'lib/review/doctor/graph.ts',
    from: 'at - now > SOON ? rank + 3 : rank',
    to: 'now - at > SOON ? rank + 3 : rank',
    why: 'harm in the far future comes first',
  },
  {
    file: 'lib/review/doctor/graph.ts',
    from: 'compareHarm(harmOf(b, now), harmOf(a, now), now) < 0 ? b : a',
    to: 'compareHarm(harmOf(b, now), harmOf(a, now), now) < 0 ? a : b',
    why: 'a chain ends at the least harm',
  },
  {
    file: 'lib/review/doctor/consequences.ts',
    from: 'one.notAfter === undefined || one.notAfter <= now ? []',
    to: 'one.notAfter === undefined ? []',
    why: 'an expired certificate counts as the next to expire',
  },
  {
    file: 'lib/review/doctor/rules/certificates.ts',
    from: 'one.revision > revision)',
    to: 'one.revision >= revision)',
    why: 'a refusal before the last issuance is reported',
  },
  {
    file: 'lib/review/doctor/rules/budgets.ts',
    from: 'if (budget.allowed > 0 || budget.expected === 0) return [];',
    to: 'if (budget.allowed > 0) return [];',
    why: 'a budget without pods is reported',
  },
  {
    file: 'lib/review/doctor/rules/webhooks.ts',
    from: 'slicesOf(service).every(({ ready }) => ready === 0)',
    to: 'slicesOf(service).some(({ ready }) => ready === 0)',
    why: 'one empty slice makes a Service unreachable',
  },
  {
    file: 'lib/review/upgrade/plan-findings.ts',
    from: 'const changed = isRecreated(after) ? [] : immutableChanges({ before, after });',
    to: 'const changed = immutableChanges({ before, after });',
    why: 'objects that Argo CD recreates are reported',
  },
  {
    file: 'lib/review/compare/value-changes.ts',
    from: 'different.length * 2 <= before.length) && different.every(isEdit)',
    to: 'different.length * 2 <= before.length)',
    why: 'replaced items of a list are shown as edits',
  },
  {
    file: 'lib/review/report/page/time.ts',
    from: 'Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months',
    to: 'start.getUTCFullYear() * 12 + start.getUTCMonth()',
    why: 'ticks of an axis are not at the beginning of years',
  },
  {
    file: 'lib/review/report/page/html.ts',
    from: "if (typeof content === 'object') return content.map(textOf).join('');",
    to: "if (typeof content === 'object') return content.map((one) => (one instanceof Html ? one.text : String(one ?? ''))).join('');",
    why: 'texts in a list are not escaped',
  },
  {
    file: 'lib/review/report/page/verdict.ts',
    from: 'run.done === undefined || run.done > run.end',
    to: 'run.done === undefined',
    why: 'a rotation that is done too late counts as fine',
  },
  {
    file: 'lib/review/report/simulate/routine.ts',
    from: 'const late = Math.max(due, notAfter - reach);',
    to: 'const late = notAfter - reach;',
    why: 'a certificate that is signed before the renewal is due counts as outliving its signer',
  },
  {
    file: 'lib/review/status/gate.ts',
    from: "severity === 'error' || HOLDING.includes(problem.code)",
    to: 'HOLDING.includes(problem.code)',
    why: 'an error does not block a promotion',
  },
  {
    file: 'lib/review/status/x509.ts',
    from: 'for (let count = 0; count < known.length; count++) {',
    to: 'for (let count = 0; count < 1; count++) {',
    why: 'only one intermediate is followed',
  },
];
