import type { MeshFacts } from '../model';
import { controls, rangeChoice } from './controls';
import { eventsTable } from './events';
import { type Html, html } from './html';
import { timelineOf } from './lanes';
import { pkiSection } from './pki';
import { ageOf, calendarOf, type Forecast, type Range, type ViewState } from './state';
import { timelineSvg } from './timeline-svg';
import { verdict } from './verdict';

/** The parts of the page that change with what somebody chooses, by the id of their place. */
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
    events: eventsTable(mesh, forecast, state),
    certificates: pkiSection(mesh, state.conditions),
  };
}

/** The future of a mesh, with all that somebody can choose. */
export function forecastView(mesh: MeshFacts, state: ViewState, forecast: Forecast): Html {
  const parts = changingParts(mesh, state, forecast);
  return html`<div class="hero"><section class="forecast" aria-labelledby="forecast"><h2 id="forecast" class="sr">When something happens, and how much slack there is</h2>
<div id="verdict" aria-live="polite">${parts.verdict}</div>
<div id="ranges">${rangeChoice(mesh, state)}</div>
<div id="timeline">${parts.timeline}</div>
<div id="legend">${parts.legend}</div>
${state.asOperator && html`<p class="note">Simulated with the function by which the operator itself decides${mesh.pki.anchor?.hasWindows && ', without maintenance windows'}. At each step, each certificate that may live is checked against all roots that some pod knows.</p>`}
<details id="timeline-text"><summary>The same as a table</summary><div id="events" class="scroll" role="region" aria-label="The timeline as a table" tabindex="0">${parts.events}</div></details></section>
${controls(mesh, state)}</div>
<div id="certificates">${parts.certificates}</div>`;
}

const LEGENDS: readonly (readonly [name: string, key: string])[] = [
  ['old', 'old anchor'],
  ['both', 'both, or the bridge'],
  ['new', 'new anchor'],
  ['slack', 'slack'],
];

const FORTNIGHT_LEGENDS: typeof LEGENDS = [
  ['routine', 'valid, from a moment in which all is issued'],
  ['old', 'renewed'],
  ['new', 'restarted'],
];

/** Colours alone tell nothing: bars have labels, and the table has all. */
function legendOf(range: Range): Html {
  const entries = range === 'fortnight' ? FORTNIGHT_LEGENDS : LEGENDS;
  return html`<p class="legend" aria-hidden="true">${entries.map(([key, name]) => html`<span><i class="key ${key}"></i>${name}</span>`)}</p>`;
}
