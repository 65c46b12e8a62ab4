import { nextWithout } from './check';
import type { Scenario } from './scenario';
import type { State } from './state';
import { type Actor, type Step, stepsFrom, withLeaves } from './world';

/** The order in which all go where nobody is late; identity and pods do nothing. */
const ORDER: readonly Actor[] = ['operator', 'cert-manager', 'trust-manager', 'time'];

/** A world in which a rotation has gone on as planned to some point, from which counterexamples are shorter. */
export function advanced(scenario: Scenario, isThere: (state: State) => boolean): Scenario {
  const rules = { scenario: { ...scenario, late: [], isCertManagerLate: false }, decide: nextWithout() };
  let state = withLeaves(scenario.start);
  while (!isThere(state)) {
    const step = firstOf(stepsFrom(state, rules));
    if (step === undefined || state.now > scenario.start.now + 100) throw new Error('it never gets there');
    state = step.state;
  }
  return { ...scenario, start: state };
}

function firstOf(steps: readonly Step[]): Step | undefined {
  for (const actor of ORDER) {
    const step = steps.find((one) => one.actor === actor);
    if (step !== undefined) return step;
  }
  return undefined;
}
