import { HashTable, Numbers } from './hash-table';
import type { Actor, Step } from './steps/step';

/** A world to explore. */
export interface World<S> {
  readonly name: string;
  readonly start: S;
  /** Lists all possible next steps. */
  readonly stepsFrom: (state: S) => readonly Step<S>[];
  /** Returns a text that is equal for two states only if the same steps can follow from both. */
  readonly canonical: (state: S) => string;
  /** Returns a sentence about a violation of the invariant; undefined if there is none. */
  readonly broken: (state: S) => string | undefined;
  readonly isGoal: (state: S) => boolean;
  /** True where the goal is reached only if pods restart without the operator. */
  readonly isNaturalNeeded: boolean;
}

/** The result of an exploration. */
export interface Found<S> {
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  /** True if all states were seen. */
  readonly isComplete: boolean;
  /** The shortest path to a state that violates the invariant. */
  readonly counterexample?: Counterexample;
  readonly graph: Graph<S>;
}

/** A path to a violation of the invariant, step by step. */
export interface Counterexample {
  readonly what: string;
  readonly steps: readonly WordedStep[];
}

/** A step in words. */
export type WordedStep = Pick<Step<unknown>, 'actor' | 'isExpected'> & { readonly text: string };

/** All states by number, and the steps between them. */
export interface Graph<S> {
  readonly world: World<S>;
  readonly known: HashTable;
  /** Number of the first step from each state, in the order of `targets`. */
  readonly first: Numbers;
  readonly targets: Numbers;
  readonly actors: readonly Actor[];
  readonly goals: readonly number[];
  /** The state from which each state was first reached. */
  readonly parents: Numbers;
}

/** Visits every reachable state, breadth first, until one violates the invariant or there are more than `most`. */
export function explore<S>(world: World<S>, most: number): Found<S> {
  const began = performance.now();
  const { start } = world;
  const actors: Actor[] = [];
  const goals: number[] = [];
  const [known, first, targets, parents] = [new HashTable(), new Numbers(), new Numbers(), new Numbers()];
  const graph: Graph<S> = { world, known, first, targets, actors, goals, parents };
  const queue: (S | undefined)[] = [start];
  known.add(world.canonical(start));
  parents.push(-1);
  let bad: number | undefined;
  for (let at = 0; at < queue.length && queue.length <= most && bad === undefined; at++) {
    const state = queue[at] as S;
    queue[at] = undefined;
    first.push(targets.length);
    if (world.isGoal(state)) goals.push(at);
    for (const { state: next, actor } of world.stepsFrom(state)) {
      const number = known.add(world.canonical(next));
      targets.push(number);
      actors.push(actor);
      if (number < queue.length) continue;
      queue.push(next);
      parents.push(at);
      if (world.broken(next) !== undefined) bad ??= number;
    }
  }
  return {
    states: known.size,
    transitions: targets.length,
    seconds: (performance.now() - began) / 1000,
    isComplete: first.length === known.size,
    ...(bad !== undefined && { counterexample: wayTo(graph, bad) }),
    graph,
  };
}

/** Returns the steps to a state. States are not stored, so the steps are computed again. */
export function wayTo<S>(graph: Graph<S>, number: number): Counterexample {
  const { world, parents, known } = graph;
  const numbers: number[] = [];
  for (let at = number; at > 0; at = parents.at(at)) numbers.unshift(at);
  let state = world.start;
  const steps: WordedStep[] = [];
  for (const wanted of numbers) {
    const step = world.stepsFrom(state).find((one) => known.add(world.canonical(one.state)) === wanted);
    if (step === undefined) throw new Error('a step of the explored path cannot be computed again');
    const { actor, isExpected, label } = step;
    steps.push({ actor, text: label(), ...(isExpected && { isExpected }) });
    state = step.state;
  }
  return { what: world.broken(state) ?? '', steps };
}
