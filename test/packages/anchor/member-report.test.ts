import type { Rotation } from '#anchor/memory';
import type { AnchorPolicy, ObservedTrust } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const TURNED = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;
const SHARED = { ...POLICY, rotateNow: 'x', members: ['west'] };
const WEST = { name: 'west', signing: ['A'], roots: ['A'], adopted: ['A'] };

/** A cluster that has signed with its next anchor since this time. */
function signing(since: number, more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}): ObservedTrust {
  const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, signing: since };
  const issuer = { revision: 2, signer: 'B', notAfter: 100_000, since, seen: since, takenUp: since, steady: since };
  const bundles = [
    { hash: 'A', keys: ['A'], since: 0 },
    { hash: 'AB', keys: ['A', 'B'], since: 100 },
  ];
  return observed({
    policy: SHARED,
    members: [WEST],
    memory: { ...memory(), bundles, issuer, rotated: 'x', rotation: { ...rotation, ...change } },
    anchors: [anchor(1, { hasIssuer: true }), anchor(2, { askedSigner: 1, certificate: ca('B', 'A') })],
    signer: 2,
    issuer: issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 }),
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    ...more,
  });
}

/** The same cluster with proof that identity uses an issuer of the old anchor. */
function steadyAgain(seen: ObservedTrust): ObservedTrust {
  const issuer = { revision: 2, signer: 'A', notAfter: 100_000, since: 0, seen: 0, takenUp: 0, steady: 0 };
  return { ...seen, memory: { ...seen.memory, issuer } };
}

/** A cluster that is ready to retire its old anchor, with this report of the west. */
function afterWest(signs: readonly string[], adopted: readonly string[], policy: AnchorPolicy = SHARED): ObservedTrust {
  const west = { name: 'west', signing: signs, roots: ['C'], adopted };
  const done = signing(TURNED, { policy, members: [west] }, { committed: true, adopted: 0 });
  const bundles = [{ hash: 'ABC', keys: ['A', 'B', 'C'], since: 0 }];
  return { ...done, bundle: bundleOf('A', 'B', 'C'), memory: { ...done.memory, bundles } };
}

describe('a promise to other clusters', () => {
  test('is checked again at its due time, even at rest', () => {
    const since = NOW - 5;
    const fresh = observed({
      policy: SHARED,
      memory: memory({ bundles: [{ hash: 'A', keys: ['A'], since }], rotated: 'x' }),
    });
    const { lag, skew, grain } = POLICY;
    const spread = since + lag + skew + grain;
    expect(next(fresh, NOW)).toMatchObject({ again: spread, report: { adopted: [] } });
    expect(next(fresh, spread)).toMatchObject({ again: spread + lag, report: { adopted: [] } });
    expect(next(fresh, spread + lag).report?.adopted).toEqual(['A']);
  });

  test('is final once no certificate of the old anchor is valid', () => {
    expect(next(signing(TURNED + 1), NOW)).toMatchObject({ report: { signing: ['B', 'A'] } });
    expect(next(signing(TURNED + 1), NOW).memory.rotation?.committed).toBeUndefined();
    expect(next(signing(TURNED), NOW)).toMatchObject({
      report: { signing: ['B'] },
      memory: { rotation: { committed: true } },
    });
  });

  test.each([
    ['paused', { policy: { ...SHARED, paused: true } }],
    ['being aborted', { policy: { ...SHARED, abort: true } }],
    ['being aborted without the old key', { policy: { ...SHARED, abort: true }, anchors: [anchor(2)] }],
    ['about to be signed by another anchor', { signer: 1 }],
    ['being signed', { issuer: issued('B', { state: 'issuing', revision: 2 }) }],
  ])('is not final while the rotation is %s', (_, more) => {
    const { report, memory: after } = next(signing(TURNED, more), NOW);
    expect(after.rotation?.committed).toBeUndefined();
    expect(report?.signing).toContain('A');
  });

  test('is not withdrawn: the status reports the promise, and the rotation continues', () => {
    const policy = { ...SHARED, abort: true };
    const { milestones, phase, actions, memory: after } = next(signing(TURNED, { policy }, { committed: true }), NOW);
    expect(milestones).toContainEqual(expect.objectContaining({ type: 'Returned', reason: 'Committed' }));
    expect({ phase, actions }).toEqual({ phase: 'LeavesTurned', actions: [] });
    expect(after.rotation).not.toHaveProperty('aborting');
    expect(next(afterWest(['C'], ['A', 'B', 'C'], policy), NOW).memory.rotation).toMatchObject({ retiring: true });
  });

  test('keeps the old anchor while another cluster signs with it or has pods that trust no other', () => {
    const isRetiring = (signs: readonly string[], adopted: readonly string[]) =>
      next(afterWest(signs, adopted), NOW).memory.rotation?.retiring === true;
    expect(isRetiring(['C'], ['A', 'B', 'C'])).toBe(true);
    expect(isRetiring(['C', 'A'], ['A', 'B', 'C'])).toBe(false);
    expect(isRetiring(['C'], ['A', 'C'])).toBe(false);
    expect(next({ ...afterWest(['C'], ['B']), members: [] }, NOW).memory.rotation?.retiring).toBeUndefined();
  });

  test('prevents the old anchor from signing, even after a loss of keys', () => {
    const lost = { anchors: [anchor(1), anchor(2, { state: 'issuing' as const, certificate: undefined })] };
    const pointed = next(signing(TURNED, lost, { committed: true }), NOW);
    expect(pointed.actions).toContainEqual({ do: 'hold-signer' });
    const other = { anchors: [anchor(1), anchor(2, { certificate: ca('C') })], signer: undefined };
    const after = next(signing(TURNED, other, { committed: true }), NOW);
    expect(after.memory.rotation).toMatchObject({ from: 'B', key: 'C' });
    expect(after.report?.signing).toEqual(['B', 'C']);
  });
});

test('a cluster reports a new anchor before it signs, and until all its certificates have expired', () => {
  const before = { issuer: issued('A', { revision: 2 }), signer: 1 };
  const reported = (change: Partial<Rotation>) =>
    next(signing(NOW, before, { signing: undefined, ...change }), NOW).report;
  expect(reported({})?.signing).toEqual(['A', 'B']);
  const policy = { ...SHARED, abort: true };
  const aborting = (returned: number) =>
    next(steadyAgain(signing(NOW, { ...before, policy }, { signing: undefined, aborting: true, returned })), NOW).report
      ?.signing;
  expect(aborting(TURNED + 1)).toEqual(['A', 'B']);
  expect(aborting(TURNED)).toEqual(['A']);
});

test('all pods trust an anchor once the operator has seen the last pod that may have started without it', () => {
  const spread = 2 * POLICY.lag + POLICY.skew + POLICY.grain;
  const adopted = (since: number, hash = 'AM') => {
    const bundles = [
      { hash: 'A', keys: ['A'], since: 0 },
      { hash: 'AM', keys: ['A', 'M'], since },
    ];
    const pods = [{ workload: 'a/Deployment/b', pods: 1, since: 0, hash, restartable: true }];
    return next(observed({ memory: memory({ bundles }), bundle: bundleOf('A', 'M'), kept: ['A', 'M'], pods }), NOW)
      .report?.adopted;
  };
  expect(adopted(NOW - spread)).toEqual(['A', 'M']);
  expect(adopted(NOW - spread + 1)).toEqual(['A']);
  expect(adopted(NOW - spread, 'A')).toEqual(['A']);
});

test('a cluster reports each anchor that signs or is about to sign, by its issuer and its ClusterIssuer', () => {
  const reported = (more: Partial<ObservedTrust>) => next(observed({ memory: memory(), ...more }), NOW).report?.signing;
  const anchors = [anchor(2), anchor(1)];
  expect(reported({ policy: { ...POLICY, paused: true } })).toEqual(['A']);
  const final = signing(TURNED, { anchors, signer: 1, issuer: issued('X') }, { committed: true });
  expect(next(final, NOW).report?.signing).toEqual(['X', 'A', 'B']);
  const retiring = signing(TURNED, { policy: { ...SHARED, members: [] } }, { retiring: true });
  expect(next(retiring, NOW).report?.signing).toEqual(['B']);
});
