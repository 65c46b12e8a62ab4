import { hashOf } from './observe';
import type { State } from './state';
import { anchorSteps, dueIssuerSteps, issuerSteps } from './steps/cert-manager';
import { mishaps } from './steps/mishaps';
import { operatorSteps, pendingSteps } from './steps/operator';
import { personSteps } from './steps/people';
import { bundleSteps, identitySteps, podSteps, withPod, withPods } from './steps/pods';
import type { Rules, Step } from './steps/step';
import { deadlineSteps, tick, withBefore, withLeaves, withStarts } from './steps/time';

/** Lists all possible next steps. */
export function stepsFrom(state: State, rules: Rules): readonly Step[] {
  const isBusy = state.pending !== undefined && rules.scenario.writes === 'at once';
  const steps = isBusy ? operatorSteps(state, rules) : allSteps(state, rules);
  return steps.map((step) => ({
    ...step,
    state: withBefore(withLeaves(withStarts(withPods(step.state), state)), state, rules),
  }));
}

function allSteps(state: State, rules: Rules): readonly Step[] {
  return [
    ...operatorSteps(state, rules),
    ...anchorSteps(state),
    ...issuerSteps(state, rules),
    ...bundleSteps(state),
    ...podSteps(state, rules),
    ...identitySteps(state, rules),
    ...mishaps(state),
    ...personSteps(state, rules),
    ...deadlineSteps(state, rules),
    tick(state, rules),
  ];
}

/**
 * Lists the next steps if actors act at once (the operator on its decisions, cert-manager, trust-manager and identity)
 * and pods start at any time.
 */
export function hurriedSteps(state: State, rules: Rules): readonly Step[] {
  return allSteps(state, rules).map((step) => ({
    ...step,
    state: hurried(withBefore(step.state, state, rules), rules),
  }));
}

/** Returns the state after all steps that are taken at once. */
export function hurried(state: State, rules: Rules): State {
  const { pending, bundle, pods } = state;
  const [step] =
    pending === undefined
      ? [
          ...anchorSteps(state),
          ...bundleSteps(state),
          ...dueIssuerSteps(state, rules.scenario),
          ...identitySteps(state, rules).filter(({ actor }) => actor === 'identity'),
        ]
      : pendingSteps(state, pending.actions, pending.until);
  if (step !== undefined) return hurried(withBefore(step.state, state, rules), rules);
  const isGiven = bundle.length === 0 || pods.some((pod) => hashOf(pod) === hashOf(bundle));
  return withBefore(withLeaves(withPods(isGiven ? state : { ...state, pods: withPod(pods, bundle) })), state, rules);
}
