import type { AnchorAction } from '../plan';
import { numberOf, observe, replicaName, type Seen, viewOf } from './observe';
import type { Decide, Scenario } from './scenario';
import type { WorldAction, WorldAnchor } from './state';
import type { Decided, Rules } from './steps/step';

/** This many decisions need a few hundred MiB. Most observations that repeat do so soon. */
const MAX_DECISIONS = 100_000;

/**
 * Returns the rules of a world, with an operator that decides once for each observation: most states differ only in
 * parts that the operator does not see, such as the bundles that pods may still receive.
 */
export function rulesOf(scenario: Scenario, decide: Decide): Rules {
  const view = viewOf(scenario);
  const decisions = new Map<string, Decided>();
  return {
    scenario,
    decide: (state, late, ahead) => {
      const seen = view(state, late, ahead);
      const text = textOf(seen);
      const before = decisions.get(text);
      if (before !== undefined) return before;
      const decision = decide(observe(seen, scenario), seen.now);
      const actions = decision.actions
        .flatMap((action) => (scenario.restarts === 'operator' ? [action] : notNatural(action)))
        .map((action) => overSeen(action, seen.anchors));
      const decided = { ...decision, actions };
      if (decisions.size === MAX_DECISIONS) decisions.clear();
      decisions.set(text, decided);
      return decided;
    },
  };
}

function textOf(seen: Seen): string {
  let text = '';
  for (const part of Object.values(seen)) text += `${typeof part === 'object' ? numberOf(part) : part},`;
  return text;
}

/** Adds to a write of a Certificate the version that the operator saw. */
function overSeen(action: AnchorAction, anchors: readonly WorldAnchor[]): WorldAction {
  if (action.do !== 'apply-anchor') return action;
  const seen = anchors.find(({ generation }) => generation === action.generation);
  return seen === undefined ? action : { ...action, seen: numberOf(seen) };
}

/** Keeps only restarts of identity: other restarts make no difference where pods restart at any time. */
function notNatural(action: AnchorAction): readonly AnchorAction[] {
  if (action.do !== 'restart-laggards') return [action];
  return action.workloads.includes(replicaName(0)) ? [{ ...action, workloads: [replicaName(0)] }] : [];
}
