import type { ObservedTrust } from '../../../../operator/api/anchor/observed';
import { endOfSigning, rotationTarget, timeNeeded, wayOf } from '../../../../operator/api/anchor/rotation-target';
import { anchor, ca, issued, memory, NOW, observed, POLICY } from './fixture';

function target(more: Partial<ObservedTrust>, now = NOW, before = memory()) {
  return rotationTarget(observed({ memory: before, ...more }), before, now);
}

/** A mesh whose anchor ends then. */
function ending(notAfter: number): Partial<ObservedTrust> {
  const certificate = ca('A', 'A', { notAfter });
  return { anchors: [anchor(1, { certificate })], bundle: { hash: 'A', anchors: [certificate] } };
}

const asked = { policy: { ...POLICY, rotateNow: 'x' } };
const DUE = 1_000_000 - POLICY.renewBefore;

describe('begins', () => {
  test('when the anchor is due, in a window, and nothing holds it', () => {
    expect(target({}, DUE - 1)).toMatchObject({ kind: 'rest', due: DUE });
    expect(target({}, DUE)).toMatchObject({ kind: 'rotate', rotation: { from: 'A', to: 2 } });
    expect(target({ inWindow: false }, DUE).kind).toBe('rest');
    expect(target({ policy: { ...POLICY, paused: true } }, DUE).kind).toBe('rest');
    expect(target({ policy: { ...POLICY, abort: true } }, DUE).kind).toBe('rest');
  });

  test('when it is asked for, once for each text', () => {
    expect(target(asked).kind).toBe('rotate');
    expect(target({ ...asked, inWindow: false }).kind).toBe('rotate');
    expect(target(asked, NOW, memory({ rotated: 'x' })).kind).toBe('rest');
  });

  test('with less life left than the worst plan takes: waiting would lose more', () => {
    const needed = timeNeeded(observed(), 'bridge');
    const late = ending(NOW + needed - 1);
    expect(target(late).kind).toBe('rotate');
    expect(target({ ...late, ...asked }).kind).toBe('rotate');
  });

  test('as early as before where the anchor has been extended', () => {
    const before = memory({ current: { key: 'A', generation: 1, end: 1_000_000 } });
    expect(target(ending(2_000_000), DUE - 1, before)).toEqual({ kind: 'rest', due: DUE });
    expect(target(ending(2_000_000), DUE, before).kind).toBe('rotate');
  });

  test('outside of a window where the next one may come too late', () => {
    const needed = timeNeeded(observed(), 'bridge');
    const ends = (notAfter: number) => ({ ...ending(notAfter), inWindow: false });
    expect(target(ends(NOW + 1.5 * needed)).kind).toBe('rotate');
    expect(target(ends(NOW + 1.5 * needed + 1)).kind).toBe('rest');
  });

  test('outside of a window for an issuer that nobody can renew', () => {
    const held = { anchors: [], signer: undefined, kept: ['A'], inWindow: false };
    const needed = timeNeeded(observed(held), 'restarts');
    expect(target(held, 100_000 - 1.5 * needed - 1).kind).toBe('rest');
    expect(target(held, 100_000 - 1.5 * needed).kind).toBe('rotate');
  });

  test('with a generation after all that were', () => {
    const before = memory({ current: { key: 'A', generation: 7 } });
    expect(target(asked, NOW, before)).toMatchObject({ rotation: { to: 8 } });
  });
});

describe('is found begun', () => {
  test('by a later generation', () => {
    expect(target({ anchors: [anchor(1), anchor(2)] })).toMatchObject({ rotation: { from: 'A', to: 2 } });
  });

  test('by an earlier one', () => {
    const found = target({ anchors: [anchor(1), anchor(2)], issuer: issued('B') });
    expect(found).toMatchObject({ rotation: { from: 'A', to: 2 } });
  });

  test('by a key that is not here', () => {
    expect(target({ issuer: issued('X') })).toMatchObject({ rotation: { from: 'X', to: 1 } });
  });

  test('where there is no anchor yet, unless it is not wanted', () => {
    const none = { anchors: [], issuer: { state: 'missing' as const }, bundle: undefined, signer: undefined, kept: [] };
    expect(target(none, NOW, { bundles: [] })).toMatchObject({ rotation: { to: 1 } });
    expect(target({ ...none, policy: { ...POLICY, abort: true } }, NOW, { bundles: [] }).kind).toBe('rest');
  });
});

test('a rotation that is remembered goes on', () => {
  const rotation = { from: 'A', to: 2, began: 0, why: '' };
  expect(target({}, NOW, memory({ rotation }))).toEqual({ kind: 'rotate', rotation });
});

test('a bridge takes the old key, and room in the limit of its path', () => {
  const way = (more: Partial<ObservedTrust>) => wayOf(observed(more), 'A');
  expect(way({})).toBe('bridge');
  expect(way({ anchors: [anchor(1, { certificate: ca('A', 'A', { pathLength: 1 }) })] })).toBe('bridge');
  expect(way({ anchors: [anchor(1, { certificate: ca('A', 'A', { pathLength: 0 }) })] })).toBe('restarts');
  expect(way({ anchors: [] })).toBe('restarts');
});

test('an anchor that limits names certifies no other, by whichever of its certificates', () => {
  const way = (more: Partial<ObservedTrust>) => wayOf(observed(more), 'A');
  const limited = ca('A', 'A', { constrained: true });
  expect(way({ anchors: [anchor(1, { certificate: limited })] })).toBe('restarts');
  expect(way({ bundle: { hash: 'A', anchors: [ca('A'), limited] } })).toBe('restarts');
  expect(way({ bundle: { hash: 'AX', anchors: [ca('A'), ca('X', 'X', { constrained: true })] } })).toBe('bridge');
});

test('what signs ends with its anchor, or with an issuer that nobody can renew', () => {
  expect(endOfSigning(observed())).toBe(1_000_000);
  expect(endOfSigning(observed({ anchors: [], signer: undefined }))).toBe(100_000);
  expect(endOfSigning(observed({ anchors: [], signer: 'other' }))).toBe(1_000_000);
});
