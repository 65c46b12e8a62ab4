import { canonical } from './canonical';
import { HashTable, Numbers } from './hash-table';
import { broken } from './invariant';
import type { State } from './state';
import { type Actor, type Rules, type Step, stepsFrom, withLeaves } from './world';

/** The result of an exploration. */
export interface Found {
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  /** True if all states were seen. */
  readonly isComplete: boolean;
  /** The shortest way to a state in which two do not understand each other. */
  readonly counterexample?: Counterexample;
  readonly graph: Graph;
}

/** A way into trouble, step by step. */
export interface Counterexample {
  readonly what: string;
  readonly steps: readonly WordedStep[];
}

/** A step in words. */
export type WordedStep = Pick<Step, 'actor' | 'isExpected'> & { readonly text: string };

/** All states by number, and the steps between them. */
export interface Graph {
  readonly rules: Rules;
  readonly known: HashTable;
  /** Number of the first step from each state, in the order of `targets`. */
  readonly first: Numbers;
  readonly targets: Numbers;
  readonly actors: readonly Actor[];
  readonly goals: readonly number[];
  /** From which each state was first reached. */
  readonly parents: Numbers;
}

/** Visits every state that can be reached, the nearest first, until something is broken or there are too many. */
export function explore(rules: Rules, most: number): Found {
  const began = performance.now();
  const { scenario } = rules;
  const start = withLeaves(scenario.start);
  const actors: Actor[] = [];
  const goals: number[] = [];
  const [known, first, targets, parents] = [new HashTable(), new Numbers(), new Numbers(), new Numbers()];
  const graph: Graph = { rules, known, first, targets, actors, goals, parents };
  const queue: (State | undefined)[] = [start];
  known.add(canonical(start, scenario));
  parents.push(-1);
  let bad: number | undefined;
  for (let at = 0; at < queue.length && queue.length <= most && bad === undefined; at++) {
    const state = queue[at] as State;
    queue[at] = undefined;
    first.push(targets.length);
    if (scenario.isGoal(state)) goals.push(at);
    for (const { state: next, actor } of stepsFrom(state, rules)) {
      const number = known.add(canonical(next, scenario));
      targets.push(number);
      actors.push(actor);
      if (number < queue.length) continue;
      queue.push(next);
      parents.push(at);
      if (broken(next) !== undefined) bad ??= number;
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

/** The steps to a state. States are not kept: the way is gone anew. */
export function wayTo(graph: Graph, number: number): Counterexample {
  const { rules, parents, known } = graph;
  const numbers: number[] = [];
  for (let at = number; at > 0; at = parents.at(at)) numbers.unshift(at);
  let state = withLeaves(rules.scenario.start);
  const steps: WordedStep[] = [];
  for (const wanted of numbers) {
    const step = stepsFrom(state, rules).find((one) => known.add(canonical(one.state, rules.scenario)) === wanted);
    if (step === undefined) throw new Error('a step that was gone before cannot be gone again');
    const { actor, isExpected, label } = step;
    steps.push({ actor, text: label(), ...(isExpected && { isExpected }) });
    state = step.state;
  }
  return { what: broken(state) ?? '', steps };
}
