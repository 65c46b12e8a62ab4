import { UNKNOWN_KEY } from '../../compromised';
import { list } from '../invariant';
import { nextKey } from '../observe';
import type { Key, State } from '../state';
import { PROMPTLY } from './operator';
import type { Rules, Step } from './step';

/**
 * Does what the status asks for: lifts an impossible abort, signs the request for a bridge, or names keys that the other
 * cluster reports as leaked, or that may have certified a leaked one.
 */
export function personSteps(state: State, rules: Rules): readonly Step[] {
  const { isUnsigned, policy } = rules.scenario;
  const maySign = policy.bridgeSigner === 'request' && !isUnsigned;
  if (!state.abort && state.heard === undefined && state.leaked === undefined && !maySign) return [];
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
    ...(isAsked('Reported') ? leakSteps(state, 'Reported', state.heard?.compromised) : []),
    ...(isAsked(UNKNOWN_KEY) && isLost(state) ? leakSteps(state, UNKNOWN_KEY, [state.issuer.secret?.signer]) : []),
    ...(maySign && awaitedSignature !== undefined ? signatureSteps(state, awaitedSignature.generation) : []),
  ];
}

/** Whether the memory was lost after a leak, and no key that the user named since then is known. */
function isLost({ leaked = [], anchors, memory }: State): boolean {
  const known = [...(memory.compromised?.keys ?? []), ...anchors.map(({ certificate }) => certificate?.key)];
  return !leaked.some((key) => known.includes(key));
}

function leakSteps(state: State, reason: string, keys: readonly (Key | undefined)[] = []): readonly Step[] {
  const { leaked = [] } = state;
  const more = keys.filter((key) => key !== undefined).filter((key) => !leaked.includes(key));
  const label = () => `a user reads ${reason}: the key ${list(more)} leaked`;
  return more.length === 0 ? [] : [{ actor: 'person', label, state: { ...state, leaked: [...leaked, ...more] } }];
}

function signatureSteps(state: State, generation: number): readonly Step[] {
  const anchor = state.anchors.find((one) => one.generation === generation);
  if (anchor === undefined) return [];
  const answer = { key: nextKey(anchor, state), by: 'A' };
  const label = () => `a user reads SignatureNeeded: A signs ${answer.key}`;
  return [{ actor: 'person', label, state: { ...state, answer } }];
}
