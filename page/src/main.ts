import type { MeshFacts, PageData } from '../../lib/report/model';
import type { Conditions } from '../../lib/report/simulate/conditions';
import { SLIDERS } from '../../lib/report/view/controls';
import { changingParts, forecastView } from '../../lib/report/view/forecast-view';
import { firstState, forecastOf, type Range, type ViewState } from '../../lib/report/view/state';
import { clusterChoice } from '../../lib/report/view/switcher';
import { hashText, readHash } from './address';

const report = JSON.parse(elementById('report').textContent ?? '') as PageData;
const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;

let cluster = '';
let state: ViewState;
let forecast: ReturnType<typeof forecastOf>;

function elementById(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}`);
  return element;
}

/**
 * Shows what the address asks for: another cluster, or other conditions of the same one. Exported because esbuild wraps
 * all that a program imports which exports nothing.
 */
export function showAddress(): void {
  const asked = readHash(location.hash);
  const group = report.groups.find(({ clusters }) => clusters.includes(asked.cluster ?? '')) ?? report.groups[0];
  if (group === undefined) return;
  cluster =
    asked.cluster !== undefined && group.clusters.includes(asked.cluster) ? asked.cluster : (group.clusters[0] ?? '');
  const first = firstState(group.mesh);
  const kept = asked.conditions ?? state?.conditions;
  state = {
    ...first,
    conditions: { ...first.conditions, ...kept, laggards: asked.laggards ?? first.conditions.laggards },
    range: asked.range ?? first.range,
    asOperator: first.asOperator || asked.asOperator === true,
    issued: asked.issued ?? state?.issued ?? today,
    today,
    width: state?.width ?? first.width,
  };
  const clusters = elementById('clusters');
  const hadFocus = clusters.contains(document.activeElement);
  clusters.innerHTML = clusterChoice(report, cluster).text;
  if (hadFocus) clusters.querySelector<HTMLElement>('[aria-current], select')?.focus();
  const chosen = String(report.groups.indexOf(group));
  for (const element of document.querySelectorAll<HTMLElement>('.group'))
    element.hidden = element.dataset.group !== chosen;
  document.title = `${cluster}: Linkerd on this platform`;
  show(group.mesh);
}

/** Shows a mesh with all that can be chosen. */
function show(of: MeshFacts): void {
  // The width is known when there is something that has one.
  forecast = forecastOf(of, state);
  elementById('mesh').innerHTML = forecastView(of, { ...state, width: 280 }, forecast).text;
  draw(of);
  listen(of);
}

/** Computes what will happen, and shows it. */
function compute(of: MeshFacts): void {
  forecast = forecastOf(of, state);
  draw(of);
}

function draw(of: MeshFacts): void {
  state = { ...state, width: elementById('timeline').clientWidth };
  for (const [id, part] of Object.entries(changingParts(of, state, forecast))) elementById(id).innerHTML = part.text;
  history.replaceState(null, '', hashText(cluster, state, firstState(of)));
}

function listen(of: MeshFacts): void {
  const form = elementById('controls') as HTMLFormElement;
  let waiting: number | undefined;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    const { asOperator } = state;
    state = { ...state, ...chosenIn(form, of) };
    if (state.asOperator !== asOperator) {
      show(of);
      elementById('who').focus();
      return;
    }
    sayValues(form);
    // A slider that is drawn tells of each stop that it passes.
    clearTimeout(waiting);
    waiting = setTimeout(() => compute(of), 60);
  });
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    const { range } = state;
    history.replaceState(null, '', `#cluster=${encodeURIComponent(cluster)}&range=${range}`);
    state = { ...firstState(of), range, issued: today, today, width: state.width };
    showAddress();
    elementById('controls').querySelector('button')?.focus();
  });
  elementById('ranges').addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement) state = { ...state, range: event.target.value as Range };
    draw(of);
  });
}

function chosenIn(
  form: HTMLFormElement,
  of: MeshFacts,
): Pick<ViewState, 'conditions' | 'asOperator' | 'issued' | 'range'> {
  const data = new FormData(form);
  const numbers = SLIDERS.map(({ name, stops }) => [
    name,
    data.has(name) ? stops[Number(data.get(name))] : state.conditions[name],
  ]);
  const laggards = (data.get('laggards') ?? state.conditions.laggards) as Conditions['laggards'];
  const who = data.get('who');
  const asOperator = who === null ? of.pki.rotation === 'operator' : who === 'operator';
  const date = Date.parse(String(data.get('issued')));
  return {
    conditions: { ...state.conditions, ...Object.fromEntries(numbers), laggards },
    asOperator,
    issued: Number.isNaN(date) ? state.issued : date,
    range: state.range === 'signing' && !asOperator ? 'rotation' : state.range,
  };
}

function sayValues(form: HTMLFormElement): void {
  for (const { name, stops, said } of SLIDERS) {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) continue;
    const text = said(stops[Number(input.value)] ?? 0);
    input.setAttribute('aria-valuetext', text);
    elementById(`${name}-said`).textContent = text;
  }
}

elementById('clusters').addEventListener('change', (event) => {
  if (event.target instanceof HTMLSelectElement) location.hash = `cluster=${encodeURIComponent(event.target.value)}`;
});
addEventListener('hashchange', showAddress);
addEventListener('resize', () => {
  const group = report.groups.find(({ clusters }) => clusters.includes(cluster));
  if (group !== undefined && elementById('timeline').clientWidth !== state.width) draw(group.mesh);
});
showAddress();
