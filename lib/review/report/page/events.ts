import type { Phase, RotationMilestone } from '#anchor/plan';
import { DAY } from '#base/time-units';
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

/** Renders the table with the contents of the timeline. */
export function eventsTable(report: MeshFacts, forecast: Forecast, state: ViewState): Html {
  const { run } = forecast;
  const isFortnight = state.range === 'fortnight' || run === undefined;
  const rows = isFortnight ? ordinaryRows(forecast) : rotationRows(run);
  const due =
    report.pki.anchor === undefined ? 0 : report.pki.anchor.policy.duration - report.pki.anchor.policy.renewBefore;
  const calendar = calendarOf(state, isFortnight ? 'fortnight' : 'rotation', due);
  const from = isFortnight ? 0 : due;
  return html`<table class="stacked"><caption>${isFortnight ? 'Two weeks without a rotation, starting when all certificates are issued' : 'The rotation, step by step'}</caption>
<thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Why it is safe or needed</th></tr></thead>
<tbody>${rows.map(
    ({ at, what, why }) =>
      html`<tr><th scope="row" class="when">${calendar.issued === undefined ? moment(at, calendar) : html`${moment(at, calendar)} <small>${moment(at, { origin: from })}</small>`}</th><td>${what}</td><td>${why}</td></tr>`,
  )}</tbody></table>`;
}

const MAX_ROWS = 60;

function ordinaryRows({ routine: { lives, restarts, outage } }: Forecast): readonly Row[] {
  const renewals = lives.flatMap(({ certificate, issuances, gaps }) => [
    ...issuances
      .slice(1)
      .map(({ from }) => ({ at: from, what: `${certificate.id} is renewed`, why: 'its renewBefore is reached' })),
    ...gaps.map(({ from, to, kind }) => ({
      at: from,
      what:
        kind === 'expired'
          ? `${certificate.id} has expired`
          : `certificates that ${certificate.id} signs from now on outlive it`,
      why: `for ${span(to - from)}, until cert-manager runs again`,
    })),
  ]);
  const jobs = restarts.map(({ at, workloads }) => ({
    at,
    what: `a job restarts ${workloads.join(', ')}`,
    why: 'these workloads read certificates when they start',
  }));
  const away =
    outage === undefined
      ? []
      : [
          {
            at: outage.from,
            what: `cert-manager is down for ${span(outage.to - outage.from)}`,
            why: 'you chose this outage',
          },
        ];
  const all = [...away, ...renewals, ...jobs].filter(({ at }) => at <= 14 * DAY).sort((a, b) => a.at - b.at);
  const kept = all.slice(0, MAX_ROWS);
  const [last] = all.slice(MAX_ROWS);
  return last === undefined
    ? kept
    : [...kept, { at: last.at, what: `and ${all.length - MAX_ROWS} more events of these kinds`, why: '' }];
}

function rotationRows(run: Run): readonly Row[] {
  const grouped = groupRestarts(run.actions);
  const phases = run.phases.flatMap(({ phase, at }) => {
    const words = PASSED[phase];
    return words === undefined ? [] : [{ at, what: `${phase}: ${words[0]}`, why: words[1] }];
  });
  const last = run.laggards.findLast(({ count }) => count === 0);
  const knows =
    run.laggards.some(({ count }) => count > 0) && last !== undefined
      ? [{ at: last.at, what: 'the last workload trusts the new anchor', why: 'it restarted, and got both anchors' }]
      : [];
  const broken = run.broken.slice(0, 1).map(({ at, pairs }) => ({
    at,
    what: 'proxies may reject each other',
    why: pairs
      .map(
        ({ signer, roots }) =>
          `a certificate from ${nameOf(signer)} reaches a proxy that trusts only ${roots.map(nameOf).join(' and ')}`,
      )
      .join('; '),
  }));
  const end = {
    at: run.end,
    what: 'the old anchor expires',
    why: run.done === undefined ? 'before the rotation is complete' : 'it is no longer in use',
  };
  return [...grouped, ...phases, ...knows, ...broken, end].sort((a, b) => a.at - b.at);
}

type Passed = readonly [what: string, why: string];

const PASSED: Readonly<Record<Exclude<RotationMilestone, 'Minted'>, Passed> & Partial<Record<Phase, Passed>>> = {
  Announced: ['every new pod gets the new anchor', 'a changed ConfigMap has had the time to reach every pod'],
  Bridged: [
    'the old anchor has certified the new one',
    'pods that trust only the old anchor accept certificates of the new one',
  ],
  Signing: ['identity issues with the new anchor', 'a metric of identity confirms it'],
  LeavesTurned: [
    'no certificate in use depends only on the old anchor',
    'the lifetime of proxy certificates and the clock skew have passed',
  ],
  Adopted: ['every pod trusts the new anchor', 'the hash of the roots in each pod confirms it'],
  Retired: ['the old anchor and its key are deleted', 'they are no longer in use'],
};

function nameOf(key: string): string {
  return key === 'anchor 1' ? 'the old anchor' : 'the new anchor';
}

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
            what: 'the operator starts to restart workloads that trust only the old anchor',
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
            what: `the operator restarts identity${identity.length > 1 ? `, ${identity.length} times in total` : ''}`,
            why: 'identity may not use its current issuer yet',
          },
        ];
  return [...waves, ...missed, ...actions.flatMap(({ at, action }) => rowOf(at, action))];
}

function rowOf(at: Millis, action: DoneAction['action']): readonly Row[] {
  switch (action.do) {
    case 'apply-anchor':
      return [anchorRow(at, action)];
    case 'set-signer':
      return [
        { at, what: 'the ClusterIssuer refers to the new anchor', why: 'the new anchor is announced and certified' },
      ];
    case 'renew-issuer':
      return [{ at, what: 'the identity issuer is reissued', why: 'so that the new anchor signs it' }];
    default:
      return [];
  }
}

function anchorRow(at: Millis, { signer, bundled }: Extract<DoneAction['action'], { do: 'apply-anchor' }>): Row {
  if (!bundled)
    return {
      at,
      what: 'the old anchor leaves the bundle',
      why: 'every pod trusts the new anchor, and no proxy uses a certificate from the old one',
    };
  return signer === 'self'
    ? {
        at,
        what: 'the operator requests the new anchor, self-signed',
        why: 'cert-manager creates its key, which no other program reads',
      }
    : {
        at,
        what: 'the operator requests a certificate for the new anchor\u2019s key from the old anchor',
        why: 'this certificate is the bridge',
      };
}
