import { DAY } from '../../../../operator/api/time-units';
import type { MeshFacts, Millis } from '../model';
import type { DoneAction, Run } from '../simulate/run';
import { type Html, html } from './html';
import type { Forecast, ViewState } from './state';
import { calendarOf } from './state';
import { moment, span } from './time';

interface Row {
  readonly at: Millis;
  readonly what: string;
  readonly why: string;
}

/** The table that tells what the timeline shows. */
export function eventsTable(report: MeshFacts, forecast: Forecast, state: ViewState): Html {
  const { run } = forecast;
  const isFortnight = state.range === 'fortnight' || run === undefined;
  const rows = isFortnight ? ordinaryRows(forecast) : rotationRows(run);
  const due =
    report.pki.anchor === undefined ? 0 : report.pki.anchor.policy.duration - report.pki.anchor.policy.renewBefore;
  const calendar = calendarOf(state, isFortnight ? 'fortnight' : 'rotation', due);
  const from = isFortnight ? 0 : due;
  return html`<table class="stacked"><caption>${isFortnight ? 'Two ordinary weeks, from a moment in which all is issued' : 'The rotation, step by step'}</caption>
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Why it is safe, or needed</th></tr></thead>
<tbody>${rows.map(
    ({ at, what, why }) =>
      html`<tr><th scope="row" class="when">${calendar.issued === undefined ? moment(at, calendar) : html`${moment(at, calendar)} <small>${moment(at, { origin: from })}</small>`}</th><td>${what}</td><td>${why}</td></tr>`,
  )}</tbody></table>`;
}

/** The most rows of ordinary times. */
const MOST_ROWS = 60;

function ordinaryRows({ routine: { lives, restarts, outage } }: Forecast): readonly Row[] {
  const renewals = lives.flatMap(({ certificate, issuances, gaps }) => [
    ...issuances
      .slice(1)
      .map(({ from }) => ({ at: from, what: `${certificate.id} is renewed`, why: 'it has a renewBefore' })),
    ...gaps.map(({ from, to, kind }) => ({
      at: from,
      what:
        kind === 'expired'
          ? `${certificate.id} has expired`
          : `what ${certificate.id} signs from here on would outlive it`,
      why: `for ${span(to - from)}, until cert-manager is back`,
    })),
  ]);
  const jobs = restarts.map(({ at, workloads }) => ({
    at,
    what: `a job restarts ${workloads.join(', ')}`,
    why: 'they read certificates when they start',
  }));
  const away =
    outage === undefined
      ? []
      : [{ at: outage.from, what: `cert-manager is away for ${span(outage.to - outage.from)}`, why: 'by your choice' }];
  const all = [...away, ...renewals, ...jobs].filter(({ at }) => at <= 14 * DAY).sort((a, b) => a.at - b.at);
  const kept = all.slice(0, MOST_ROWS);
  const [last] = all.slice(MOST_ROWS);
  return last === undefined
    ? kept
    : [...kept, { at: last.at, what: `and ${all.length - MOST_ROWS} more of the same`, why: '' }];
}

function rotationRows(run: Run): readonly Row[] {
  const grouped = groupRestarts(run.actions);
  const phases = run.phases.flatMap(({ phase, at }) => {
    const told = PASSED[phase];
    return told === undefined ? [] : [{ at, what: `${phase}: ${told[0]}`, why: told[1] }];
  });
  const last = run.laggards.findLast(({ count }) => count === 0);
  const knows =
    run.laggards.some(({ count }) => count > 0) && last !== undefined
      ? [{ at: last.at, what: 'the last workload knows the new anchor', why: 'it restarted, and was given both' }]
      : [];
  const broken = run.broken.slice(0, 1).map(({ at, pairs }) => ({
    at,
    what: 'proxies may reject each other',
    why: pairs
      .map(
        ({ signer, roots }) =>
          `a certificate of ${nameOf(signer)} before one who knows ${roots.map(nameOf).join(' and ')}`,
      )
      .join('; '),
  }));
  const end = {
    at: run.end,
    what: 'the old anchor ends',
    why: run.done === undefined ? 'too early' : 'nothing needs it any more',
  };
  return [...grouped, ...phases, ...knows, ...broken, end].sort((a, b) => a.at - b.at);
}

/** Conditions of the status, with what each of them means. */
const PASSED: Readonly<Record<string, readonly [what: string, why: string]>> = {
  Announced: [
    'all that new pods can be given holds the new anchor',
    'it was in the bundle for as long as a changed ConfigMap may take to arrive',
  ],
  Bridged: ['the old anchor has certified the new one', 'who knows only the old anchor accepts what the new one signs'],
  Signing: ['identity issues with the new anchor', 'its own metric says so, not the Secret alone'],
  LeavesTurned: [
    'no certificate lives that only the old anchor vouches for',
    'the lifetime of leaves and the clock skew have passed',
  ],
  Adopted: ['every pod knows the new anchor', 'by the hash of the roots that each was injected with'],
  Retired: ['the old anchor and its key are deleted', 'nobody needs either'],
};

function nameOf(key: string): string {
  return key === 'anchor 1' ? 'the old anchor' : 'the new anchor';
}

/** Restarts of one kind after each other are told once. */
function groupRestarts(actions: readonly DoneAction[]): readonly Row[] {
  const restarts = actions.filter(({ action }) => action.do === 'restart-laggards');
  const [first] = restarts;
  const last = restarts.at(-1);
  const waves =
    first === undefined || last === undefined
      ? []
      : [
          {
            at: first.at,
            what: 'the operator begins to restart workloads that know only the old anchor',
            why: `${restarts.length} restarts in waves, over ${span(last.at - first.at)}`,
          },
        ];
  const identity = actions.filter(({ action }) => action.do === 'restart-identity');
  const [once] = identity;
  const missed =
    once === undefined
      ? []
      : [
          {
            at: once.at,
            what: `identity is restarted${identity.length > 1 ? `, ${identity.length} times in all` : ''}`,
            why: 'nothing proves that it works with its issuer',
          },
        ];
  return [...waves, ...missed, ...actions.flatMap(({ at, action }) => rowOf(at, action))];
}

function rowOf(at: Millis, action: DoneAction['action']): readonly Row[] {
  switch (action.do) {
    case 'apply-anchor':
      return [anchorRow(at, action)];
    case 'set-signer':
      return [{ at, what: 'the ClusterIssuer is pointed to the new anchor', why: 'it is announced and certified' }];
    case 'renew-issuer':
      return [{ at, what: 'the identity issuer is issued anew', why: 'so that it is of the new anchor' }];
    default:
      return [];
  }
}

function anchorRow(at: Millis, { signer, bundled }: Extract<DoneAction['action'], { do: 'apply-anchor' }>): Row {
  if (!bundled)
    return {
      at,
      what: 'the old anchor leaves the bundle',
      why: 'every pod knows the new one, and no leaf of the old one lives',
    };
  return signer === 'self'
    ? {
        at,
        what: 'the new anchor is asked for, signed by itself',
        why: 'cert-manager makes its key; nobody else reads it',
      }
    : { at, what: 'the new anchor is to be certified by the old one, with the same key', why: 'that is the bridge' };
}
