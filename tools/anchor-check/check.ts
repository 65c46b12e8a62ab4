import { ALL_GUARDS, type Guard } from '../../operator/api/anchor/guards';
import { next } from '../../operator/api/anchor/next';
import { type Counterexample, explore, type Found, wayTo } from './explore';
import { stuckStates } from './progress';
import type { Decide, Scenario } from './scenario';

/** The result of one world. */
export interface Checked extends Omit<Found, 'graph'> {
  readonly name: string;
  /** States from which the goal cannot be reached, and the way to one. */
  readonly stuck: number;
  readonly stuckExample?: Counterexample;
}

/** The operator's own decisions, without some of its guards. */
export function nextWithout(...without: readonly Guard[]): Decide {
  const guards = new Set([...ALL_GUARDS].filter((guard) => !without.includes(guard)));
  return (observed, now) => next(observed, now, guards);
}

/** Explores a world, and asks of each state whether the goal can still be reached. */
export function check(scenario: Scenario, decide: Decide, most: number): Checked {
  const { graph, ...found } = explore({ scenario, decide }, most);
  const { name } = scenario;
  if (!found.isComplete || found.counterexample !== undefined) return { name, ...found, stuck: 0 };
  // Where pods restart by themselves, the operator's restarts of them are left out, and theirs counted on.
  const { states, example } = stuckStates(graph, scenario.restarts === 'any');
  return {
    name,
    ...found,
    stuck: states,
    ...(example !== undefined && { stuckExample: wayTo(graph, example) }),
  };
}
