import { hashOf, isSamePart } from '../observe';
import type { Before, Leaves, Shown, State, Watched } from '../state';
import type { Rules, Step } from './step';

/** Adds the leaves that identity may issue now. */
export function withLeaves(state: State): State {
  let leaves = state.leaves;
  for (const { issuer } of state.identity) {
    const { signer, over, beyond } = issuer;
    const old = leaves.find(({ chain }) => chain.signer === signer && chain.over === over && chain.beyond === beyond);
    if (old?.last === state.now) continue;
    const chain = { signer, ...(over !== undefined && { over }), ...(beyond !== undefined && { beyond }) };
    const made: Leaves = { chain, last: state.now };
    leaves = [...leaves.filter((one) => one !== old), made];
  }
  return leaves === state.leaves ? state : { ...state, leaves };
}

/**
 * Where it matters when pods started, records the starts of new pods, and drops leaves that no running pod can have.
 */
export function withStarts(state: State, before: State): State {
  const { starts, pods, now, identity } = state;
  if (starts === undefined) return state;
  const was = new Set(before.pods.map(hashOf));
  const entries = pods.map(hashOf).map((hash) => [hash, was.has(hash) ? (starts[hash] ?? now) : now] as const);
  const oldest = Math.min(...entries.map(([, start]) => start), ...identity.map(({ since }) => since));
  return {
    ...state,
    starts: Object.fromEntries(entries),
    leaves: state.leaves.filter(({ last }) => oldest <= last || last === now),
  };
}

/** A tick passes. */
export function tick(state: State, { scenario }: Rules): Step {
  const now = state.now + 1;
  const { skew, lag } = scenario.policy;
  const { leavesLast = scenario.policy.leafReach } = scenario;
  const { pending, ...rest } = state;
  return {
    actor: 'time',
    label: () => 'a tick passes',
    state: {
      ...rest,
      now,
      before: stillSeen(state.before, now - lag + 1),
      past: [shownBy(state), ...state.past].slice(0, lag),
      leaves: state.leaves.filter(({ last }) => now < last + leavesLast + skew),
      ...(pending !== undefined && pending.until >= now && { pending }),
    },
  };
}

function shownBy({ anchors, signer, issuer, kept, bundle, pods, starts, identity }: Shown): Shown {
  return {
    anchors,
    ...(signer !== undefined && { signer }),
    issuer,
    kept,
    bundle,
    pods,
    ...(starts !== undefined && { starts }),
    identity,
  };
}

/**
 * Keeps the versions of parts that a step has replaced, while the operator may still see them.
 *
 * An operator whose view is at most `lag` old may see any version that ended less than `lag` ago, even one that existed
 * within one tick only. A version that ended `lag` ago is not seen. This matters only because steps take no time here:
 * in reality, the step that the operator saw is later than the one before it.
 *
 * A version that existed more than once counts once, by its last end, and not while it is the present one again.
 */
export function withBefore(state: State, before: State, { scenario }: Pick<Rules, 'scenario'>): State {
  const changed = scenario.late.filter((part) => !isSamePart(before, state, part));
  if (changed.length === 0) return state;
  const last: Before = { shown: shownBy(before), until: before.now };
  const others = (part: Watched): readonly Before[] =>
    (state.before[part] ?? []).filter(
      ({ shown }) => !isSamePart(shown, before, part) && !isSamePart(shown, state, part),
    );
  const parts = changed.map((part): [Watched, readonly Before[]] => [part, [last, ...others(part)]]);
  return { ...state, before: { ...state.before, ...Object.fromEntries(parts) } };
}

function stillSeen(before: State['before'], from: number): State['before'] {
  return Object.fromEntries(
    Object.entries(before).flatMap(([part, all]) => {
      const left = all.filter(({ until }) => until >= from);
      return left.length === 0 ? [] : [[part, left]];
    }),
  );
}

/** The old anchor nears its expiry during a rotation. */
export function deadlineSteps(state: State, { scenario }: Rules): readonly Step[] {
  if (!scenario.hasDeadline || state.isEnding || state.memory.rotation === undefined) return [];
  return [{ actor: 'time', label: () => 'A nears its expiry', state: { ...state, isEnding: true } }];
}
