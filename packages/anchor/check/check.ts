import { canonical } from './canonical';
import { type Counterexample, explore, type Found, type World, wayTo } from './explore';
import { broken } from './invariant';
import { stuckStates } from './progress';
import { rulesOf } from './rules';
import type { Decide, Scenario } from './scenario';
import type { State } from './state';
import { withLeaves } from './steps/time';
import { stepsFrom } from './world';

/** The result of one world. */
export interface Checked extends Omit<Found<unknown>, 'graph'> {
  readonly name: string;
  /** The number of states from which the goal cannot be reached. */
  readonly stuck: number;
  readonly stuckExample?: Counterexample;
}

/** The world of one cluster, and the operator in it. */
export function worldOf(scenario: Scenario, decide: Decide): World<State> {
  const rules = rulesOf(scenario, decide);
  return {
    name: scenario.name,
    start: withLeaves(scenario.start),
    stepsFrom: (state) => stepsFrom(state, rules),
    canonical: (state) => canonical(state, scenario),
    broken,
    isGoal: scenario.isGoal,
    // Where pods restart at any time, restarts by the operator are left out, so the goal may need natural restarts.
    isNaturalNeeded: scenario.restarts === 'any',
  };
}

/** Explores a world, and counts the states from which the goal cannot be reached. */
export function check<S>(world: World<S>, most: number): Checked {
  const { graph, ...found } = explore(world, most);
  const { name } = world;
  if (!found.isComplete || found.counterexample !== undefined) return { name, ...found, stuck: 0 };
  const { states, example } = stuckStates(graph);
  return {
    name,
    ...found,
    stuck: states,
    ...(example !== undefined && { stuckExample: wayTo(graph, example) }),
  };
}
