import type { MeshFacts } from '../model';
import { changingParts } from './changing-parts';
import { controls, rangeChoice } from './controls';
import { type Html, html } from './html';
import { firstState, forecastOf, offerOf } from './state';

/** The future of a mesh, with all that somebody can choose; as it is before anybody has, and without a script. */
export function forecastView(mesh: MeshFacts): Html {
  const state = firstState(mesh);
  const offer = offerOf(mesh, state.asOperator);
  const parts = changingParts(mesh, state, forecastOf(mesh, state));
  return html`<div class="hero"><section class="forecast" aria-labelledby="forecast"><h2 id="forecast" class="sr">Next rotation and slack</h2>
<div id="verdict" aria-live="polite">${parts.verdict}</div>
${rangeChoice(offer, state.range)}
<div id="timeline">${parts.timeline}</div>
<div id="legend">${parts.legend}</div>
<p class="note" id="note">${parts.note}</p>
<details id="timeline-text"><summary>Timeline as a table</summary><div id="events" class="scroll" role="region" aria-label="The timeline as a table" tabindex="0">${parts.events}</div></details></section>
${controls(offer, state)}</div>
<div id="certificates">${parts.certificates}</div>`;
}
