import type { MeshFacts } from '../model';
import type { NumericCondition } from '../simulate/conditions';
import { type Html, html } from './html';
import type { Range, ViewState } from './state';

/** A slider: its stops, and how each is said. */
export interface Slider {
  readonly name: NumericCondition;
  readonly label: string;
  readonly stops: readonly number[];
  readonly said: (value: number) => string;
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** The sliders, the ones that matter most first. */
export const SLIDERS: readonly Slider[] = [
  {
    name: 'restartDays',
    label: 'Each workload restarts by itself',
    stops: [0, 365, 180, 90, 60, 30, 14, 7, 3, 1],
    said: (days) => (days === 0 ? 'never' : `every ${plural(days, 'day')}`),
  },
  { name: 'workloads', label: 'Meshed workloads', stops: [5, 10, 20, 50, 100, 200, 300, 500, 1000], said: String },
  {
    name: 'slowdown',
    label: 'Restarts are slower',
    stops: [1, 2, 3, 5, 10, 20, 30],
    said: (factor) => (factor === 1 ? 'as usual: 2 minutes' : `${factor} times: ${2 * factor} minutes`),
  },
  {
    name: 'outageHours',
    label: 'cert-manager is away',
    stops: [0, 1, 6, 12, 24, 48, 72, 168, 336, 720],
    said: (hours) => (hours === 0 ? 'never' : hours < 48 ? `for ${plural(hours, 'hour')}` : `for ${hours / 24} days`),
  },
  {
    name: 'awayDays',
    label: 'A node is away, with a tenth of them',
    stops: [0, 1, 3, 7, 14, 30, 90, 180, 365],
    said: (days) => (days === 0 ? 'never' : `for ${plural(days, 'day')}`),
  },
  {
    name: 'skewMinutes',
    label: 'Some clocks are off',
    stops: [0, 0.25, 0.5, 1, 2, 5, 10, 30],
    said: (minutes) =>
      minutes === 0 ? 'by nothing' : minutes < 1 ? `by ${minutes * 60} seconds` : `by ${plural(minutes, 'minute')}`,
  },
];

const LAGGARDS = [
  ['Report', 'restarted when time is short'],
  ['Restart', 'restarted at once'],
  ['Never', 'never restarted'],
] as const;

const RANGES: readonly (readonly [range: Range, label: string])[] = [
  ['life', 'Life'],
  ['rotation', 'Rotation'],
  ['signing', 'First day'],
  ['fortnight', 'Two weeks'],
];

/** The choice of what the timeline shows. */
export function rangeChoice({ pki }: MeshFacts, { range, asOperator }: ViewState): Html {
  const shown = RANGES.filter(([name]) =>
    pki.anchor === undefined ? name === 'fortnight' : name !== 'signing' || asOperator,
  );
  return html`<fieldset class="ranges"><legend class="sr">Part of time</legend>${shown.map(
    ([name, label]) =>
      html`<label><input type="radio" name="range" value="${name}"${name === range && CHECKED}><span>${label}</span></label>`,
  )}</fieldset>`;
}

const CHECKED = html` checked`;
const SELECTED = html` selected`;

/** The conditions that people may change. */
export function controls({ pki }: MeshFacts, state: ViewState): Html {
  const { conditions, asOperator } = state;
  return html`<form class="controls" id="controls" aria-labelledby="what-if"><h2 id="what-if">What if</h2>
${pki.anchor !== undefined && pki.rotation !== 'operator' && whoChoice(pki.rotation, asOperator)}
${SLIDERS.filter(({ name }) => asOperator || name === 'outageHours').map((slider) => sliderControl(slider, conditions[slider.name]))}
${
  asOperator &&
  html`<div class="control"><label for="laggards">Pods that only know the old anchor are</label><select id="laggards" name="laggards">${LAGGARDS.map(
    ([value, label]) => html`<option value="${value}"${value === conditions.laggards && SELECTED}>${label}</option>`,
  )}</select></div>`
}
<div class="control dates"><label for="issued">The anchor was issued on</label><input type="date" id="issued" name="issued" value="${dateOf(state.issued)}"></div>
<button type="reset">As it was</button></form>`;
}

function whoChoice(rotation: string, asOperator: boolean): Html {
  const present = rotation === 'manual' ? 'hand, as it is now' : 'cert-manager, as it is now';
  return html`<div class="control"><label for="who">The anchor is rotated by</label><select id="who" name="who"><option value="present"${!asOperator && SELECTED}>${present}</option><option value="operator"${asOperator && SELECTED}>the operator</option></select></div>`;
}

function sliderControl({ name, label, stops, said }: Slider, value: number): Html {
  const index = nearestStop(stops, value);
  const text = said(stops[index] ?? value);
  return html`<div class="control"><label for="${name}">${label}</label><output for="${name}" id="${name}-said">${text}</output><input type="range" id="${name}" name="${name}" min="0" max="${stops.length - 1}" step="1" value="${index}" aria-valuetext="${text}"></div>`;
}

/** The stop of a slider that is nearest to a value. */
function nearestStop(stops: readonly number[], value: number): number {
  const distances = stops.map((stop) => Math.abs(stop - value));
  return distances.indexOf(Math.min(...distances));
}

function dateOf(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString().slice(0, 10);
}
