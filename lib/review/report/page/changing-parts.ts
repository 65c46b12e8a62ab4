import type { MeshFacts } from '../model';
import { eventsTable } from './events';
import { type Html, html } from './html';
import { pkiSection } from './pki';
import { ageOf, calendarOf, type Forecast, type Range, type ViewState } from './state';
import { timelineOf } from './timeline';
import { timelineSvg } from './timeline-svg';
import { verdict } from './verdict';

/** Renders the parts of the page that depend on choices, by the ids of their elements. */
export function changingParts(mesh: MeshFacts, state: ViewState, forecast: Forecast): Readonly<Record<string, Html>> {
  const { anchor } = mesh.pki;
  const due = anchor === undefined ? 0 : anchor.policy.duration - anchor.policy.renewBefore;
  const range = anchor === undefined ? 'fortnight' : state.range;
  const now = state.today === undefined || range === 'fortnight' ? undefined : ageOf(state);
  return {
    verdict: verdict(mesh, forecast, state),
    timeline: timelineSvg(timelineOf(mesh, forecast, state), calendarOf(state, range, due), {
      width: state.width,
      ...(now !== undefined && { now }),
    }),
    legend: legendOf(range),
    note: noteOf(mesh, state),
    events: eventsTable(mesh, forecast, state),
    certificates: pkiSection(mesh, state.conditions),
  };
}

const LEGENDS: readonly (readonly [name: string, key: string])[] = [
  ['old', 'old anchor'],
  ['both', 'both anchors, or the bridge'],
  ['new', 'new anchor'],
  ['slack', 'time left'],
];

const FORTNIGHT_LEGENDS: typeof LEGENDS = [
  ['routine', 'valid'],
  ['old', 'renewed'],
  ['new', 'restarted'],
];

/** Colours carry no information of their own: bars have labels, and the table contains the same data. */
function legendOf(range: Range): Html {
  const entries = range === 'fortnight' ? FORTNIGHT_LEGENDS : LEGENDS;
  return html`<p class="legend" aria-hidden="true">${entries.map(([key, name]) => html`<span><i class="key ${key}"></i>${name}</span>`)}</p>`;
}

function noteOf({ pki }: MeshFacts, { asOperator }: ViewState): Html {
  if (!asOperator) return html``;
  return html`Simulated with the decision function of the operator${pki.anchor?.hasWindows && ', without maintenance windows'}. At each step, every certificate that may be in use is checked against the roots of every pod.`;
}
