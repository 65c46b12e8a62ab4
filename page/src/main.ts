import { DAY } from '#base/time-units';
import type { MeshFacts, PageData } from '#lib/review/report/model';
import { changingParts } from '#lib/review/report/page/changing-parts';
import { html } from '#lib/review/report/page/html';
import {
  type Forecast,
  firstState,
  forecastOf,
  nearestStop,
  offerOf,
  type Range,
  type ViewState,
} from '#lib/review/report/page/state';
import type { Conditions } from '#lib/review/report/simulate/conditions';
import { hashText, readHash } from './address';
import { enliven } from './fleet-table';

const today = Math.floor(Date.now() / DAY) * DAY;

const { groups } = JSON.parse(elementById('report').textContent ?? '') as PageData;
const form = elementById('controls') as HTMLFormElement;
const [who, laggards, issued] = ['who', 'laggards', 'issued'].map((name) => elementById(name)) as [
  HTMLSelectElement,
  HTMLSelectElement,
  HTMLInputElement,
];
const sliders = [...form.querySelectorAll<HTMLInputElement>('input[type=range]')];
const heading = elementById('cluster');
const links = document.querySelectorAll<HTMLAnchorElement>('.fleet a');
const ranges = [...document.querySelectorAll<HTMLInputElement>('#ranges input')];

let cluster = '';
let mesh: MeshFacts;
let state: ViewState;
let forecast: Forecast;
let waiting: number | undefined;

function elementById(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element;
}

/**
 * Shows the cluster and the conditions that the address selects. Exported because esbuild wraps all imports of a
 * program that exports nothing.
 */
export function showAddress(): void {
  const asked = readHash(location.hash);
  const group = groups.find(({ clusters }) => clusters.includes(asked.cluster ?? '')) ?? groups[0];
  if (group === undefined) return;
  cluster = group.clusters.find((name) => name === asked.cluster) ?? group.clusters[0] ?? '';
  mesh = group.mesh;
  const first = firstState(mesh);
  const conditions = { ...first.conditions, ...(asked.conditions ?? state?.conditions) };
  state = {
    ...first,
    conditions: { ...conditions, laggards: asked.laggards ?? first.conditions.laggards },
    asOperator: first.asOperator || asked.asOperator === true,
    issued: asked.issued ?? state?.issued ?? today,
    today,
  };
  state = { ...state, range: offered(asked.range ?? first.range) };
  showCluster(String(groups.indexOf(group)));
  fillControls();
  compute();
}

/** Returns the range if the page offers it for this mesh; otherwise the default range. */
function offered(range: Range): Range {
  const offer = offerOf(mesh, state.asOperator).ranges;
  return offer.includes(range) ? range : firstState(mesh).range;
}

function showCluster(group: string): void {
  document.title = `${cluster}: Linkerd on this platform`;
  for (const part of document.querySelectorAll<HTMLElement>('.group')) part.hidden = part.dataset.group !== group;
  heading.innerHTML = html`${cluster}`.text;
  for (const link of links) link.ariaCurrent = String(readHash(link.hash).cluster === cluster);
}

/** Sets the controls to the state, and hides those that do not apply. */
function fillControls(): void {
  const { conditions, asOperator } = state;
  const offer = offerOf(mesh, asOperator);
  for (const input of ranges) {
    input.checked = input.value === state.range;
    (input.parentElement as HTMLElement).hidden = !offer.ranges.includes(input.value as Range);
  }
  for (const slider of sliders) {
    slider.value = String(nearestStop(listOf<number>(slider.dataset.stops), conditions[slider.name as 'workloads']));
    say(slider);
  }
  who.value = asOperator ? 'operator' : 'present';
  (who.parentElement as HTMLElement).hidden = !offer.who;
  laggards.value = conditions.laggards;
  issued.value = new Date(state.issued ?? today).toISOString().slice(0, 10);
  for (const part of form.querySelectorAll<HTMLElement>('[data-operated]')) part.hidden = !asOperator;
}

function listOf<T>(text = '[]'): readonly T[] {
  return JSON.parse(text) as readonly T[];
}

function say(slider: HTMLInputElement): void {
  const text = listOf<string>(slider.dataset.said)[Number(slider.value)] ?? '';
  slider.setAttribute('aria-valuetext', text);
  (slider.previousElementSibling as HTMLElement).textContent = text;
}

/** Copies the values of the controls to the state. */
function choose(): void {
  // A time in the address that is near a stop keeps its value until the reader moves the slider.
  const moved = sliders.flatMap(({ name, value, dataset }) => {
    const stops = listOf<number>(dataset.stops);
    const isMoved = Number(value) !== nearestStop(stops, state.conditions[name as 'workloads']);
    return isMoved ? [[name, stops[Number(value)]]] : [];
  });
  const date = issued.valueAsNumber;
  state = {
    ...state,
    conditions: {
      ...state.conditions,
      ...Object.fromEntries(moved),
      laggards: laggards.value as Conditions['laggards'],
    },
    asOperator: mesh.pki.rotation === 'operator' || who.value === 'operator',
    issued: Number.isNaN(date) ? state.issued : date,
  };
  state = { ...state, range: offered(state.range) };
}

/** Computes the forecast, and shows it. */
function compute(): void {
  forecast = forecastOf(mesh, state);
  draw();
}

function draw(): void {
  state = { ...state, width: elementById('timeline').clientWidth };
  for (const [id, part] of Object.entries(changingParts(mesh, state, forecast))) elementById(id).innerHTML = part.text;
  history.replaceState(null, '', hashText(cluster, state, firstState(mesh)));
}

form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', ({ target }) => {
  choose();
  if (target === who) fillControls();
  for (const slider of sliders) say(slider);
  // A dragged slider sends an event for each stop that it passes.
  clearTimeout(waiting);
  waiting = setTimeout(compute, 60);
});
form.addEventListener('reset', (event) => {
  event.preventDefault();
  const { range, width } = state;
  state = { ...firstState(mesh), issued: today, today, width };
  state = { ...state, range: offered(range) };
  fillControls();
  compute();
});
elementById('ranges').addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement) state = { ...state, range: target.value as Range };
  draw();
});
for (const link of links) {
  link.addEventListener('click', () => {
    heading.focus();
    heading.scrollIntoView();
  });
}
enliven();
addEventListener('hashchange', showAddress);
addEventListener('resize', () => {
  if (elementById('timeline').clientWidth !== state.width) draw();
});
showAddress();
