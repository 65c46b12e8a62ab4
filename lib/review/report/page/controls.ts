import { counted } from '#base/counted';
import type { NumericCondition } from '../simulate/conditions';
import { type Html, html } from './html';
import { nearestStop, type Offer, RANGES, type Range, type ViewState } from './state';

interface Slider {
  readonly name: NumericCondition;
  readonly label: string;
  readonly stops: readonly number[];
  readonly said: (value: number) => string;
}

const SLIDERS: readonly Slider[] = [
  {
    name: 'restartDays',
    label: 'Regular restarts of workloads',
    stops: [0, 365, 180, 90, 60, 30, 14, 7, 3, 1],
    said: (days) => (days === 0 ? 'never' : `every ${counted(days, 'day')}`),
  },
  { name: 'workloads', label: 'Meshed workloads', stops: [5, 10, 20, 50, 100, 200, 300, 500, 1000], said: String },
  {
    name: 'slowdown',
    label: 'A restart takes',
    stops: [1, 2, 3, 5, 10, 20, 30],
    said: (factor) => `${2 * factor} minutes${factor === 1 ? ', as usual' : ''}`,
  },
  {
    name: 'outageHours',
    label: 'cert-manager is down',
    stops: [0, 1, 6, 12, 24, 48, 72, 168, 336, 720],
    said: (hours) => (hours === 0 ? 'never' : hours < 48 ? `for ${counted(hours, 'hour')}` : `for ${hours / 24} days`),
  },
  {
    name: 'awayDays',
    label: 'A node with a tenth of the workloads is down',
    stops: [0, 1, 3, 7, 14, 30, 90, 180, 365],
    said: (days) => (days === 0 ? 'never' : `for ${counted(days, 'day')}`),
  },
  {
    name: 'skewMinutes',
    label: 'Clock skew',
    stops: [0, 0.25, 0.5, 1, 2, 5, 10, 30],
    said: (minutes) => (minutes === 0 ? 'none' : minutes < 1 ? `${minutes * 60} seconds` : counted(minutes, 'minute')),
  },
];

const LAGGARDS = [
  ['Report', 'restarted when time is short'],
  ['Restart', 'restarted at once'],
  ['Never', 'never restarted'],
] as const;

const RANGE_NAMES: Readonly<Record<Range, string>> = {
  life: 'Life',
  rotation: 'Rotation',
  signing: 'First day',
  fortnight: 'Two weeks',
};

/** Renders the choice of the timeline's range. */
export function rangeChoice({ ranges }: Offer, chosen: Range): Html {
  return html`<fieldset class="ranges" id="ranges"><legend class="sr">Time scale</legend>${RANGES.map(
    (range) =>
      html`<label${hidden(!ranges.includes(range))}><input type="radio" name="range" value="${range}"${range === chosen && CHECKED}><span>${RANGE_NAMES[range]}</span></label>`,
  )}</fieldset>`;
}

function hidden(isHidden: boolean): Html | false {
  return isHidden && html` hidden`;
}

const CHECKED = html` checked`;
const SELECTED = html` selected`;

/** Renders the conditions that users may change. Those with `data-operated` affect the operator's rotation. */
export function controls({ who }: Offer, { conditions, asOperator }: ViewState): Html {
  return html`<form class="controls" id="controls" aria-labelledby="what-if"><h2 id="what-if">What if</h2>
<div class="control"${hidden(!who)}><label for="who">Rotation of the trust anchor</label><select id="who" name="who"><option value="present"${!asOperator && SELECTED}>as configured</option><option value="operator"${asOperator && SELECTED}>by the operator</option></select></div>
${SLIDERS.map((slider) => sliderControl(slider, conditions[slider.name], asOperator))}
<div class="control" data-operated${hidden(!asOperator)}><label for="laggards">Pods that trust only the old anchor are</label><select id="laggards" name="laggards">${LAGGARDS.map(
    ([value, label]) => html`<option value="${value}"${value === conditions.laggards && SELECTED}>${label}</option>`,
  )}</select></div>
<div class="control"><label for="issued">The trust anchor was issued on</label><input type="date" id="issued" name="issued"></div>
<button type="reset">Reset</button></form>`;
}

function sliderControl({ name, label, stops, said }: Slider, value: number, asOperator: boolean): Html {
  const index = nearestStop(stops, value);
  const texts = stops.map(said);
  const isOperated = name !== 'outageHours';
  return html`<div class="control"${isOperated && html` data-operated`}${hidden(isOperated && !asOperator)}><label for="${name}">${label}</label><output for="${name}">${texts[index]}</output><input type="range" id="${name}" name="${name}" min="0" max="${stops.length - 1}" step="1" value="${index}" aria-valuetext="${texts[index]}" data-stops="${JSON.stringify(stops)}" data-said="${JSON.stringify(texts)}"></div>`;
}
