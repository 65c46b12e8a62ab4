import { DAY, MINUTE } from '#base/time-units';
import type { MeshFacts, Millis } from '../model';
import { periodOf, refusedCertificates } from '../simulate/routine';
import type { Run } from '../simulate/run';
import { type Content, type Html, html } from './html';
import { ageOf, type Forecast, type ViewState } from './state';
import { moment, span } from './time';

type Mood = 'good' | 'care' | 'bad';

/** Renders the result of the simulation in a sentence, with its numbers. */
export function verdict(report: MeshFacts, forecast: Forecast, state: ViewState): Html {
  const { mood, title, more } = judged(report, forecast, state);
  return html`<p class="verdict ${mood}"><span class="badge">${BADGES[mood]}</span> <strong>${title.replace(/(\d) (?=(?:y|d|h|min|s)\b)/g, '$1\u00a0')}</strong></p>
<p class="because">${more}</p>
<dl class="numbers">${numbersOf(report, forecast, state).map(
    ([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`,
  )}</dl>`;
}

const BADGES: Readonly<Record<Mood, string>> = { good: 'Fine', care: 'Check', bad: 'Breaks' };

interface Judgement {
  readonly mood: Mood;
  readonly title: string;
  readonly more: Content;
}

function judged(report: MeshFacts, { run, routine }: Forecast, state: ViewState): Judgement {
  const { pki } = report;
  const [refused] = refusedCertificates(pki);
  if (refused !== undefined) {
    const { id, duration, renewBefore } = refused;
    return {
      mood: 'bad',
      title: `cert-manager refuses the Certificate ${id}: its duration is ${span(duration)}, its renewBefore ${span(renewBefore)}.`,
      more: 'duration must be at least one hour, and renewBefore at least five minutes and shorter than duration. The simulation needs valid certificates.',
    };
  }
  const expired = routine.lives.filter(({ gaps }) => gaps.some(({ kind }) => kind === 'expired'));
  if (expired.some(({ certificate }) => certificate.role === 'identity-issuer')) {
    return {
      mood: 'bad',
      title:
        'The identity issuer expires while cert-manager is down: the mesh stops, with or without a rotation of the trust anchor.',
      more: 'Proxies keep their certificates until they expire, and get no new ones. Restore cert-manager, or give identityIssuer a longer renewBefore.',
    };
  }
  if (run !== undefined) return ofRun(run, report, state);
  if (pki.anchor === undefined) {
    return {
      mood: 'care',
      title: 'This output does not issue the trust anchor, so its expiry is unknown.',
      more: 'Its owner must replace it. While both anchors are trusted, you must restart every meshed pod.',
    };
  }
  return byHand(report);
}

function byHand({ pki: { anchor, rotation, certificates }, schedules }: MeshFacts): Judgement {
  const { duration = 0, renewBefore = 0 } = anchor?.policy ?? {};
  const issuer = certificates.find(({ role }) => role === 'identity-issuer');
  const time = span(renewBefore - (issuer?.duration ?? 0));
  if (rotation === 'manual') {
    return {
      mood: 'care',
      title: `You must replace the trust anchor within ${time}, starting ${span(duration - renewBefore)} after its issuance.`,
      more: 'No object in this output replaces it. Within this time, you must also restart every meshed pod, in the right order. Choose \u201cby the operator\u201d below to see how the operator would rotate it.',
    };
  }
  return {
    mood: 'bad',
    title: `cert-manager replaces the trust anchor ${span(duration - renewBefore)} after its issuance, and does not wait for the mesh.`,
    more: `You must restart all meshed pods before the next identity issuer is signed${issuer ? `, at most ${span(periodOf(issuer, schedules))} later` : ''}.`,
  };
}

function ofRun(run: Run, { pki }: MeshFacts, { conditions }: ViewState): Judgement {
  const skew = conditions.skewMinutes * MINUTE;
  if (run.broken.length > 0) return broken(run, skew > pki.clockSkewAllowance);
  if (run.cut !== undefined) {
    return {
      mood: 'care',
      title: `The simulation stops ${span(Math.max(0, run.cut - run.due))} after the rotation is due, before it completes.`,
      more: 'Until then all proxies accept each other. The identity issuer is renewed so often that a complete rotation would take too long to compute.',
    };
  }
  if (run.done === undefined || run.done > run.end) {
    const left = run.laggards.at(-1)?.count ?? 0;
    return {
      mood: 'bad',
      title: 'The old anchor expires before it can be retired.',
      more: `${left > 0 ? `${left} workloads still trust only the old anchor. ` : ''}${sentence(run.waitedFor)}`,
    };
  }
  const slack = run.end - run.done;
  const restarts = run.forced.length;
  const isTight = slack < run.needed;
  return {
    mood: isTight ? 'care' : 'good',
    title: `The rotation takes ${roughly(run.done - run.due)} and ends ${roughly(slack)} before the old trust anchor expires.`,
    more:
      restarts === 0
        ? 'The operator restarts no workloads: certificates include the bridge, and pods get the new anchor when they restart for other reasons.'
        : `The operator restarts ${restarts} workloads that would not restart in time for other reasons, ${isTight ? 'as late as is safe' : 'a few at a time, within their disruption budgets'}.`,
  };
}

/** Formats a span; a week or more in whole days. */
function roughly(time: Millis): string {
  return span(time < 7 * DAY ? time : time - (time % DAY));
}

function broken(run: Run, isSkewed: boolean): Judgement {
  const [first] = run.broken;
  const when = first === undefined ? '' : span(Math.max(0, first.at - run.due));
  return {
    mood: 'bad',
    title: isSkewed
      ? 'The clock skew exceeds what the mesh allows: some proxies reject certificates that are not valid yet by their clock.'
      : `Proxies may reject each other, starting ${when} after the rotation is due.`,
    more: isSkewed
      ? `${sentence(run.waitedFor)} Each new identity issuer has the same problem, with or without a rotation. Correct the clocks, or raise clockSkewAllowance.`
      : 'While the identity issuer is not renewed, identity signs certificates that outlive it, with or without a rotation: cert-manager is down for too long.',
  };
}

function sentence(text: string | undefined): string {
  return text === undefined ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

type Number = readonly [name: string, value: string, note: string];

function numbersOf({ pki, schedules }: MeshFacts, { run }: Forecast, state: ViewState): readonly Number[] {
  const issuer = pki.certificates.find(({ role }) => role === 'identity-issuer');
  const period = issuer && periodOf(issuer, schedules);
  const job = schedules.some(({ gap }) => gap !== undefined && gap === period);
  const next: readonly Number[] =
    period === undefined
      ? []
      : [
          [
            'Identity issuer renews',
            `every ${span(period)}`,
            job ? 'by a job, which restarts identity' : 'by cert-manager, without a restart',
          ],
        ];
  if (pki.anchor === undefined) return next;
  const due = pki.anchor.policy.duration - pki.anchor.policy.renewBefore;
  const calendar = { ...(state.issued !== undefined && { issued: state.issued }), origin: 0 };
  const left = due - ageOf(state);
  const begins: Number = [
    run === undefined ? 'Trust anchor is due' : 'Rotation starts',
    left > 0 ? `in ${span(left)}` : `${span(-left)} ago`,
    state.issued === undefined ? 'after the anchor was issued' : moment(due, calendar),
  ];
  return [...next, begins, ...(run === undefined ? [] : numbersOfRun(run, state))];
}

function numbersOfRun(run: Run, state: ViewState): readonly Number[] {
  return [
    ['Worst plan', span(run.needed), `leaves ${span(run.end - run.due - run.needed)} of slack`],
    [
      'Restarts',
      `${run.forced.length + run.identityRestarts.length}`,
      `of ${state.conditions.workloads} workloads, and identity`,
    ],
    [
      'Pairs checked',
      // The first call of toLocaleString would take as long as thousands of checks.
      String(run.checks).replace(/\B(?=(?:\d{3})+$)/g, ','),
      run.broken.length === 0 ? 'all accept each other' : `some may fail at ${run.broken.length} times`,
    ],
  ];
}
