import { NO_MEMORY } from '../../memory';
import { nextKey } from '../observe';
import type { Key, Mishap, State } from '../state';
import type { Step } from './step';
import { edited, withoutSigner } from './writes';

/** The possible mishaps, each as often as the scenario allows. */
export function mishaps(state: State): readonly Step[] {
  return [...new Set(state.mishaps)].flatMap((mishap) => {
    const after = MISHAPS[mishap](state);
    if (after === undefined) return [];
    const left = state.mishaps.filter((_, index) => index !== state.mishaps.indexOf(mishap));
    return [{ actor: 'mishap', label: () => `mishap: ${mishap}`, state: { ...after, mishaps: left } } as const];
  });
}

const MISHAPS: Readonly<Record<Mishap, (state: State) => State | undefined>> = {
  'memory lost': (state) => (state.memory === NO_MEMORY ? undefined : { ...state, memory: NO_MEMORY }),
  'pointer reset': (state) => (state.signer === 1 ? undefined : { ...state, signer: 1 }),
  'pointer deleted': (state) => (state.signer === undefined ? undefined : withoutSigner(state)),
  'label removed': (state) => edited(state, 1, { bundled: false }),
  'issuer deleted': (state) => edited(state, 1, { hasIssuer: false }),
  // A key is not lost while cert-manager signs with it: no operator could repair that loss.
  'secret lost': (state) => (state.issuer.isIssuing ? undefined : withoutSecret(state, state.isForeign ? 1 : 2)),
  'old secret lost': (state) => (state.issuer.isIssuing ? undefined : withoutSecret(state, 1)),
  abort: (state) => (state.abort ? undefined : { ...state, abort: true }),
  'abort withdrawn': (state) => (state.abort ? { ...state, abort: false } : undefined),
  'wrong answer': (state) => wronglyAnswered(state),
  'key leaked': (state) => leaking(state, state.issuer.secret?.signer),
  'next key leaked': (state) => leaking(state, state.memory.rotation?.key),
  'leak withdrawn': (state) => {
    const { leaked, ...rest } = state;
    return leaked === undefined ? undefined : rest;
  },
  'answer reverted': (state) => {
    const { answer, ...rest } = state;
    return answer === undefined ? undefined : rest;
  },
};

function wronglyAnswered(state: State): State | undefined {
  const anchor = state.anchors.find(({ asked }) => asked === 'request');
  return anchor && { ...state, answer: { key: nextKey(anchor, state), by: 'Z' } };
}

function leaking(state: State, key: Key | undefined): State | undefined {
  const { leaked = [] } = state;
  return key === undefined || leaked.includes(key) ? undefined : { ...state, leaked: [...leaked, key] };
}

/** Deletes the Secret of an anchor: cert-manager creates another key for the Certificate. */
function withoutSecret(state: State, generation: number): State | undefined {
  const anchor = state.anchors.find((one) => one.generation === generation);
  if (anchor?.certificate === undefined) return undefined;
  const { certificate: _, answered: __, ...rest } = anchor;
  const anchors = state.anchors.map((one) => (one === anchor ? { ...rest, isIssuing: true } : one));
  return { ...state, anchors, lost: state.lost + 1 };
}
