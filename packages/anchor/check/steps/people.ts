import { list } from '../invariant';
import { nextKey } from '../observe';
import type { State } from '../state';
import { PROMPTLY } from './operator';
import type { Rules, Step } from './step';

/**
 * Does what the status asks for: lifts an impossible abort, signs the request for a bridge, or names keys that the other
 * cluster reports as leaked.
 */
export function personSteps(state: State, rules: Rules): readonly Step[] {
  const { isUnsigned, policy } = rules.scenario;
  const maySign = policy.bridgeSigner === 'request' && !isUnsigned;
  if (!state.abort && state.heard === undefined && !maySign) return [];
  const decision = rules.decide(state, PROMPTLY, 0);
  const { milestones = [], awaitedSignature } = decision;
  const isAsked = (wanted: string): boolean => milestones.some(({ reason }) => reason === wanted);
  const lift: Step = {
    actor: 'person',
    label: () => 'a user reads NoWayBack, or Suspended, and sets abort: false',
    state: { ...state, abort: false },
  };
  return [
    ...(state.abort && (isAsked('NoWayBack') || isAsked('Suspended')) ? [lift] : []),
    ...(isAsked('Reported') ? leakSteps(state) : []),
    ...(maySign && awaitedSignature !== undefined ? signatureSteps(state, awaitedSignature.generation) : []),
  ];
}

/** Names the leaked keys that the other cluster reports. */
function leakSteps(state: State): readonly Step[] {
  const { leaked = [], heard } = state;
  const more = (heard?.compromised ?? []).filter((key) => !leaked.includes(key));
  const label = () => `a user reads Reported: the key ${list(more)} leaked`;
  return more.length === 0 ? [] : [{ actor: 'person', label, state: { ...state, leaked: [...leaked, ...more] } }];
}

function signatureSteps(state: State, generation: number): readonly Step[] {
  const anchor = state.anchors.find((one) => one.generation === generation);
  if (anchor === undefined) return [];
  const answer = { key: nextKey(anchor, state), by: 'A' };
  const label = () => `a user reads SignatureNeeded: A signs ${answer.key}`;
  return [{ actor: 'person', label, state: { ...state, answer } }];
}
