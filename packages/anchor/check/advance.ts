import { next } from '../rotation/next';
import { worldOf } from './check';
import type { World } from './explore';
import { type Pair, type PairScenario, pairWorld } from './pair';
import type { Scenario } from './scenario';
import type { State } from './state';
import type { Actor, Step } from './steps/step';

/** The order of the actors if none is late; identity and pods do nothing. */
const ORDER: readonly Actor[] = ['operator', 'cert-manager', 'trust-manager', 'copy', 'time'];

/** Returns a world that starts where a rotation without delays reaches some point: its counterexamples are shorter. */
export function advanced(scenario: Scenario, isThere: (state: State) => boolean): Scenario {
  const prompt = worldOf({ ...scenario, late: [], isCertManagerLate: false }, next);
  return { ...scenario, start: stateAt(prompt, isThere) };
}

/** Returns a world of two clusters that starts where their rotations, without delays, reach some point. */
export function advancedPair(scenario: PairScenario, isThere: (pair: Pair) => boolean): PairScenario {
  const [one, other] = stateAt(pairWorld(scenario, next), isThere);
  return { ...scenario, starts: [one.state, other.state] };
}

/** The number of steps after which every actor is done. */
const MANY = 1_000;

function stateAt<S>({ start, stepsFrom, canonical }: World<S>, isThere: (state: S) => boolean): S {
  let state = start;
  for (let steps = 0; !isThere(state); steps++) {
    const present = canonical(state);
    // Some decisions only record facts that do not change the canonical state.
    const step = firstOf(stepsFrom(state).filter((one) => canonical(one.state) !== present));
    if (step === undefined || steps > MANY) throw new Error('the rotation never reaches this point');
    state = step.state;
  }
  return state;
}

function firstOf<S>(steps: readonly Step<S>[]): Step<S> | undefined {
  for (const actor of ORDER) {
    const step = steps.find((one) => one.actor === actor);
    if (step !== undefined) return step;
  }
  return undefined;
}
