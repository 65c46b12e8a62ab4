import type { Graph } from './explore';
import type { Actor } from './steps/step';

/** The actors that act eventually. The goal must be reachable by their steps alone. */
const DUTIFUL: ReadonlySet<Actor> = new Set([
  'time',
  'operator',
  'cert-manager',
  'trust-manager',
  'identity',
  'copy',
  'person',
]);

/** The number of states from which the goal cannot be reached, and one of these states. */
export interface Stuck {
  readonly states: number;
  readonly example?: number;
}

/**
 * Finds the states from which the actors that act eventually cannot reach the goal: time, an operator with a current
 * view and without crashes, cert-manager, trust-manager, identity, copies of reports and users. Natural restarts of
 * pods count only where the world needs them; mishaps never do.
 */
export function stuckStates<S>({ world, known, first, targets, actors, goals }: Graph<S>): Stuck {
  const states = known.size;
  const counted = (actor: Actor | undefined): boolean =>
    actor !== undefined && (DUTIFUL.has(actor) || (world.isNaturalNeeded && actor === 'natural'));
  const back = reversed({ first, targets, actors }, states, counted);
  const isGood = new Uint8Array(states);
  const open = [...goals];
  for (const goal of goals) isGood[goal] = 1;
  let good = goals.length;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (let edge = back.first[state] ?? 0; edge < (back.first[state + 1] ?? 0); edge++) {
      const source = back.sources[edge] ?? 0;
      if (isGood[source] === 1) continue;
      isGood[source] = 1;
      good++;
      open.push(source);
    }
  }
  const example = isGood.indexOf(0);
  return { states: states - good, ...(example >= 0 && { example }) };
}

interface Reversed {
  readonly first: Int32Array;
  readonly sources: Int32Array;
}

function reversed(
  { first, targets, actors }: Pick<Graph<unknown>, 'first' | 'targets' | 'actors'>,
  states: number,
  counted: (actor: Actor | undefined) => boolean,
): Reversed {
  const begins = new Int32Array(states + 1);
  const add = (index: number, value: number): number => {
    begins[index] = (begins[index] ?? 0) + value;
    return begins[index] ?? 0;
  };
  for (let edge = 0; edge < targets.length; edge++) if (counted(actors[edge])) add(targets.at(edge) + 1, 1);
  for (let state = 0; state < states; state++) add(state + 1, begins[state] ?? 0);
  const sources = new Int32Array(begins[states] ?? 0);
  const result = { first: begins.slice(), sources };
  let source = 0;
  for (let edge = 0; edge < targets.length; edge++) {
    while (source + 1 < first.length && edge >= first.at(source + 1)) source++;
    if (counted(actors[edge])) sources[add(targets.at(edge), 1) - 1] = source;
  }
  return result;
}
