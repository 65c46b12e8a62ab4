import { extendAnchors, rootsEnd } from '#anchor/extend';
import type { AnchorMemory, RememberedBundle, Rotation } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { timeNeeded } from '#anchor/rotation-target';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const END = 1_000_000;
/** After half of the anchor's life, and with less time left than a rotation may take. */
const LATE = END - 100;
const LIVE = { chain: { ...chain('A'), notAfter: END + 500 } };

/** The memory of the anchor since its creation. */
function remembered(more: Partial<AnchorMemory> = {}): AnchorMemory {
  return memory({
    current: { key: 'A', generation: 1, end: END },
    bundles: [{ hash: 'A', keys: ['A'], since: 4000, ends: { A: END } }],
    ...more,
  });
}

/** A mesh whose anchor is about to expire without a rotation. */
function late(more: Partial<ObservedTrust> = {}): ObservedTrust {
  return observed({
    memory: remembered(),
    policy: { ...POLICY, paused: true },
    issuer: issued('A', LIVE),
    identity: [{ name: 'identity-0', since: 4000, issuerEnd: END + 500 }],
    ...more,
  });
}

const LONGER = ca('A', 'A', { notBefore: LATE, notAfter: END + LATE - 4000 });

/** The same mesh with the renewed anchor in the bundle. */
function extended(since: number, more: Partial<ObservedTrust> = {}): ObservedTrust {
  const bundles = [
    { hash: 'A', keys: ['A'], since: 4000, ends: { A: END } },
    { hash: "A'", keys: ['A'], since, ends: { A: LONGER.notAfter } },
  ];
  return late({
    memory: remembered({ bundles }),
    anchors: [anchor(1, { certificate: LONGER })],
    bundle: { hash: "A'", anchors: [LONGER] },
    ...more,
  });
}

describe('an anchor that was not rotated in time', () => {
  const renew = { do: 'renew-anchor', generation: 1 };
  const begun: Rotation = { from: 'A', to: 2, key: 'B', began: NOW, why: 'test', announced: NOW };
  const both = { anchors: [anchor(1), anchor(2)], kept: ['A', 'B'] };
  const blocked = { ...POLICY, members: ['other'], rotateNow: 'x' };

  test.each<[string, ObservedTrust]>([
    ['it is paused', late()],
    ['its rotation is aborted outside of windows', late({ policy: { ...POLICY, abort: true }, inWindow: false })],
    ['it is paused during a rotation', late({ ...both, memory: remembered({ rotation: begun }) })],
    [
      'a member delays its rotation',
      late({ ...both, policy: blocked, memory: remembered({ rotation: begun, rotated: 'x' }) }),
    ],
    [
      'the operator may not restart its laggards',
      late({ ...both, policy: { ...POLICY, laggards: 'Never' }, memory: remembered({ rotation: begun }) }),
    ],
  ])('is extended with its own key if %s', (_, seen) => {
    const plan = next(seen, LATE);
    expect(plan.actions).toContainEqual(renew);
    expect(plan.milestones).toContainEqual(
      expect.objectContaining({ type: 'Extended', status: false, reason: 'Renewing' }),
    );
  });

  test('is not extended too early, while cert-manager issues it, or while it retires', () => {
    expect(next(late(), END / 2).actions).not.toContainEqual(renew);
    expect(next(late({ anchors: [anchor(1, { state: 'issuing' })] }), LATE).actions).not.toContainEqual(renew);
    const retiring = { ...begun, retiring: true };
    const signed = issued('B', { chain: { ...chain('B'), notAfter: END + 500 } });
    const seen = late({ ...both, signer: 2, issuer: signed, memory: remembered({ rotation: retiring }) });
    expect(next(seen, LATE).actions).not.toContainEqual(renew);
  });

  test('first keeps its key, if another client makes cert-manager rotate the key', () => {
    const { actions } = next(late({ anchors: [anchor(1, { changesKey: true })] }), LATE);
    expect(actions).toContainEqual({ do: 'keep-key', generation: 1 });
    expect(actions).not.toContainEqual(renew);
  });

  test('is only reported if its key is external', () => {
    for (const anchors of [[], [anchor(0, { onlySecret: true, certificate: ca('A') })]]) {
      const { milestones, actions } = next(late({ anchors, signer: 'other' }), LATE);
      expect(milestones).toContainEqual(expect.objectContaining({ type: 'Extended', reason: 'KeyElsewhere' }));
      expect(actions).toEqual([]);
    }
  });

  test('is extended once per half of a short life', () => {
    const short = ca('A', 'A', { notBefore: 4000, notAfter: 5000 });
    const seen = late({ anchors: [anchor(1, { certificate: short })], bundle: { hash: 'A', anchors: [short] } });
    expect(next(seen, 4499).actions).not.toContainEqual(renew);
    expect(next(seen, 4500).actions).toContainEqual(renew);
  });
});

describe('when the bundle has the extended anchor,', () => {
  const restart = { do: 'restart-identity', bundle: "A'" };

  test('the operator restarts identity alone, as soon as identity is sure to read the new bundle', () => {
    const spread = LATE + POLICY.lag + POLICY.skew + POLICY.grain;
    expect(next(extended(LATE), spread - 1).actions).toEqual([]);
    expect(next(extended(LATE), spread).actions).toEqual([restart]);
    const restarted = [{ name: 'identity-0', since: spread, issuerEnd: END + 500 }];
    expect(next(extended(LATE, { identity: restarted }), spread + 1).actions).toEqual([]);
  });

  test('the operator restarts identity even without a memory', () => {
    const seen = extended(LATE, { memory: { bundles: [{ hash: "A'", keys: ['A'], since: LATE }] } });
    expect(next(seen, LATE + 50).actions).toContainEqual(restart);
  });

  test('the operator reports the extension, and the due time of the rotation stays the same', () => {
    const plan = next(extended(LATE, { policy: { ...POLICY, paused: true } }), LATE + 50);
    const sameKey = { type: 'Extended', status: true, reason: 'SameKey' };
    expect(plan.milestones).toContainEqual(expect.objectContaining(sameKey));
    expect(plan.nextRotation).toBe(END - POLICY.renewBefore);
    expect(plan.memory.current).toEqual({ key: 'A', generation: 1, end: END });
    expect(next(extended(LATE, { policy: POLICY }), LATE + 50).memory.rotation).toMatchObject({ from: 'A', to: 2 });
  });

  test('the operator updates its kept copy', () => {
    const plan = next(extended(LATE, { outlived: ['A'], policy: { ...POLICY, abort: true } }), LATE + 50);
    expect(plan.actions).toContainEqual({ do: 'keep-roots', keys: ['A'] });
  });
});

describe('the operator reports that no replica of identity can issue', () => {
  const after = END + 10;
  test.each<[string, Partial<ObservedTrust>, string]>([
    ['the issuer has expired', { issuer: issued('A', { chain: { ...chain('A'), notAfter: after } }) }, 'IssuerExpired'],
    ['identity uses an expired issuer', { identity: [{ name: 'i', since: 4000, issuerEnd: after }] }, 'IssuerExpired'],
    ['the roots with which identity started have expired', {}, 'RootsExpired'],
    [
      'no replica of identity runs',
      { identity: [], pods: [{ workload: 'a', pods: 1, since: 0, hash: 'A', restartable: true }] },
      'NoIdentity',
    ],
  ])('if %s', (_, more, reason) => {
    const plan = next(late(more), after);
    expect(plan).toMatchObject({ phase: 'Expired', outage: { reason } });
  });

  test('only if no replica can', () => {
    const identity = [
      { name: 'identity-0', since: 4000, issuerEnd: END + 500 },
      { name: 'identity-1', since: LATE + 50, issuerEnd: END + 500 },
    ];
    expect(next(extended(LATE, { identity }), after)).toMatchObject({ phase: 'Stable' });
    expect(next(extended(LATE, { identity }), after).outage).toBeUndefined();
    const deaf = [{ name: 'identity-0', since: NOW, issuerEnd: NOW }, ...observed().identity];
    expect(next(observed({ memory: memory(), identity: deaf }), NOW).outage).toBeUndefined();
  });

  test('only after the first issuer', () => {
    expect(next(observed({ memory: memory(), identity: [], pods: [] }), NOW).outage).toBeUndefined();
  });
});

describe('the time to extend an anchor', () => {
  const extension = 2 * POLICY.patience + POLICY.lag + POLICY.skew + POLICY.grain + POLICY.restartTime;
  const before = END - 1.5 * (timeNeeded(observed(), 'bridge') + extension);
  const times = (more: Partial<ObservedTrust> = {}, rotation?: Rotation) =>
    extendAnchors(observed(more), memory(), rotation, NOW).times;
  const later = ca('A', 'A', { notAfter: 2 * END });

  test('leaves enough time for its rotation, its renewal and a restart of identity', () => {
    expect(times()).toEqual([before]);
  });

  test('depends on the longest-lived certificate that is, or will be, in the bundle', () => {
    const bundle = { hash: 'A', anchors: [ca('A'), later, ca('Z', 'Z', { notAfter: 9 * END })] };
    expect(times({ bundle })).toEqual([before + END]);
    expect(times({ anchors: [anchor(1, { certificate: later })] })).toEqual([before + END]);
    const bridge = ca('B', 'A', { notAfter: 9 * END });
    expect(times({ bundle: { hash: 'AB', anchors: [ca('A'), bridge] } })).toEqual([before]);
    expect(times({ bundle: undefined })).toEqual([before]);
    expect(times({ anchors: [], bundle: undefined })).toEqual([]);
  });

  test("is the time of the operator's next reconciliation, at rest and during a rotation", () => {
    const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0 };
    const paused = { ...POLICY, paused: true };
    expect(next(observed({ policy: paused, memory: memory() }), before - 1).again).toBe(before);
    const both = { anchors: [anchor(1), anchor(2)], bundle: bundleOf('A', 'B') };
    expect(next(observed({ ...both, memory: memory({ rotation }) }), before - 1).again).toBe(before);
  });
});

describe('the expiry of roots with which a replica of identity started', () => {
  const { lag, skew } = POLICY;
  const bundles: RememberedBundle[] = [
    { hash: 'A', keys: ['A'], since: 100, ends: { A: 10 } },
    { hash: 'AB', keys: ['A', 'B'], since: 200, ends: { A: 30, B: 90 } },
    { hash: '', keys: [], since: 300, ends: {} },
    { hash: 'A', keys: ['A'], since: 400 },
  ];
  const end = (since: number, known = bundles, more: Partial<ObservedTrust> = {}) =>
    rootsEnd({ name: 'i', since }, observed(more), known, NOW);

  test('is the earliest expiry of the bundles that it may have read, for the signing anchor', () => {
    expect(end(200 - skew - 1)).toBe(10);
    expect([end(200 - skew), end(200 + lag + skew - 1), end(200 + lag + skew)]).toEqual([10, 10, 30]);
    expect(end(400 - skew)).toBe(Number.POSITIVE_INFINITY);
    const over = { issuer: issued('B', { chain: chain('B', [ca('B', 'A')]) }) };
    expect(end(250, bundles, over)).toBe(90);
    expect(end(250, bundles, { issuer: issued('X') })).toBe(Number.POSITIVE_INFINITY);
    const shorter = [
      { hash: 'A', keys: ['A'], since: 100, ends: { A: 30 } },
      { hash: "A'", keys: ['A'], since: 200, ends: { A: 10 } },
    ];
    expect([end(200 - skew - 1, shorter), end(200 - skew, shorter)]).toEqual([30, 10]);
  });

  test('is the expiry of the present roots, if it started before all remembered bundles', () => {
    const anchors = [ca('A', 'A', { notBefore: 3000, notAfter: 50_000 }), ca('A', 'A', { notAfter: 70_000 })];
    const bundle = { hash: 'x', anchors: [...anchors, ca('Z', 'Z', { notBefore: 0 })] };
    expect(end(4000 - skew, [], { bundle })).toBe(70_000);
    expect(end(4000 - skew - 1, [], { bundle })).toBe(50_000);
    expect(end(2000, [], { bundle })).toBeUndefined();
    expect(end(2000, [], { bundle: undefined })).toBeUndefined();
    const early = anchors.map((one, index) => ({ ...one, notBefore: index }));
    expect(end(4000, [], { bundle: { hash: 'x', anchors: early } })).toBe(70_000);
    expect(end(4000, [], { bundle: { hash: 'x', anchors: early.toReversed() } })).toBe(70_000);
    const certified = { issuer: issued('B'), bundle: { hash: 'B', anchors: [ca('B', 'A')] } };
    expect(end(4000, [], certified)).toBe(END);
  });
});
