import type { RememberedBundle, Rotation } from '#anchor/memory';
import type { AnchorPolicy, ObservedTrust, PodGroup } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from '../fixture';

const BOTH = { hash: 'AB', keys: ['A', 'B'], since: NOW - 500 };
/** A rotation to generation 2, which was announced long ago. */
const ROTATION: Rotation = { from: 'A', to: 2, key: 'B', began: NOW - 600, why: 'test', announced: NOW - 500 };

/** A mesh during this rotation. All its pods trust both anchors. */
function rotating(more: Partial<ObservedTrust> = {}, rotation: Partial<Rotation> = {}): ObservedTrust {
  const before = memory();
  return observed({
    memory: { ...before, bundles: [...before.bundles, BOTH], rotation: { ...ROTATION, ...rotation }, rotated: 'x' },
    policy: { ...POLICY, rotateNow: 'x' },
    anchors: [anchor(1, { hasIssuer: true }), anchor(2)],
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    identity: [{ name: 'identity-0', since: NOW - 100, issuerEnd: 100_000 }],
    ...more,
  });
}

function actions(seen: ObservedTrust, now = NOW) {
  return next(seen, now).actions;
}

/** An issuer of the new anchor that identity uses. */
const STEADY = { revision: 2, signer: 'B', notAfter: 100_000 };

const BRIDGED = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });

describe('during a rotation over a bridge, the operator', () => {
  test('recreates an Issuer that is lost while cert-manager issues the bridge', () => {
    const anchors = [anchor(1), anchor(2, { askedSigner: 1, state: 'issuing' })];
    expect(actions(rotating({ anchors }))).toEqual([{ do: 'apply-issuer', generation: 1 }]);
  });
});

describe('an abort of a rotation', () => {
  const abort = { policy: { ...POLICY, abort: true } };
  const since = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;

  test('waits while cert-manager is signing', () => {
    const signing = { ...abort, issuer: issued('A', { state: 'issuing' }) };
    expect(actions(rotating(signing, { aborting: true, returned: since }))).toEqual([]);
  });

  test('ends if the policy no longer asks for it, unless the new anchor is being removed', () => {
    const going = (rotation: Partial<Rotation>) => next(rotating({}, { aborting: true, ...rotation }), NOW);
    expect(going({})).toMatchObject({ phase: 'Announced', memory: { rotation: { to: 2 } } });
    expect(going({}).memory.rotation?.aborting).toBeUndefined();
    const taken = next(rotating(abort, { aborting: true, returned: since }), NOW).memory.rotation;
    expect(taken).toMatchObject({ aborting: true, withdrawing: true });
    expect(going({ withdrawing: true })).toMatchObject({
      phase: 'Aborting',
      memory: { rotation: { aborting: true, withdrawing: true } },
    });
  });

  test('waits while the rotation is paused', () => {
    const paused = { policy: { ...POLICY, abort: true, paused: true } };
    const plan = next(rotating(paused, { aborting: true, returned: since }), NOW);
    expect(plan.memory.rotation?.withdrawing).toBeUndefined();
    expect(plan.actions).toEqual([]);
  });
});

describe('a rotation that cannot be aborted', () => {
  const policy = { ...POLICY, abort: true };
  const signed = { issuer: issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 }), signer: 2 };
  const lost = [anchor(1, { certificate: undefined, state: 'issuing' }), BRIDGED];
  const returned = (seen: ObservedTrust) => next(seen, NOW).milestones.filter(({ type }) => type === 'Returned');

  test.each([
    ['its key is lost', { anchors: lost }],
    ['its key has changed', { anchors: [anchor(1, { certificate: ca("A'") }), BRIDGED] }],
    ['its key was never in the cluster', { anchors: [BRIDGED] }],
  ])('waits and reports the wait if its old anchor cannot sign because %s', (_, more) => {
    const seen = rotating({ policy, ...signed, ...more });
    const plan = next(seen, NOW);
    expect(plan).toMatchObject({ phase: 'Bridged', actions: [], memory: { rotation: { to: 2 } } });
    expect(plan.memory.rotation).not.toHaveProperty('aborting');
    expect(returned(seen)).toMatchObject([{ status: false, reason: 'NoWayBack' }]);
    expect(next({ ...seen, policy: POLICY }, NOW).milestones.map(({ type }) => type)).not.toContain('Returned');
  });

  test('has a slack until the expiry of an issuer that no controller renews', () => {
    const held = rotating({ policy, anchors: [anchor(1, { certificate: ca("A'") }), anchor(2)] });
    const { slack = 0 } = next(held, NOW);
    expect(next(held, NOW + 100).slack).toBe(slack - 100);
    expect(next(held, 99_999).slack).toBeLessThan(0);
    const going = { ...held, policy: POLICY };
    expect(next(going, NOW + 100).slack).toBe(next(going, NOW).slack);
  });

  test('retires nothing during the abort, and completes after it', () => {
    const since = NOW - 2000;
    const taken = { revision: 2, signer: 'B', notAfter: 100_000, since, seen: since, takenUp: since, steady: since };
    const seen = rotating({ policy, ...signed, anchors: lost }, { signing: since, adopted: since });
    const late = { ...seen, memory: { ...seen.memory, issuer: taken } };
    expect(next(late, NOW).memory.rotation?.retiring).toBeUndefined();
    expect(next({ ...late, policy: POLICY }, NOW).memory.rotation?.retiring).toBe(true);
  });

  test('continues if the old anchor is already being removed', () => {
    const seen = rotating({ policy, ...signed, anchors: [anchor(1), BRIDGED] }, { retiring: true });
    expect(returned(seen)).toMatchObject([{ reason: 'Retiring' }]);
    expect(next(seen, NOW)).toMatchObject({ phase: 'Adopted', memory: { rotation: { retiring: true } } });
  });
});

describe('at the end of a rotation,', () => {
  const rotation = { retiring: true, signing: 0, adopted: 0 };
  const since = NOW - 2000;
  const signed: Partial<ObservedTrust> = {
    signer: 2,
    issuer: issued('B', { revision: 2, chain: { ...chain('B', [ca('B', 'A')]), notAfter: 101_000 } }),
    identity: [{ name: 'identity-0', since: NOW - 100, issuerEnd: 101_000 }],
  };
  const taken = { revision: 2, signer: 'B', notAfter: 101_000, since, seen: since, takenUp: since, steady: since };

  function retiring(more: Partial<ObservedTrust>, change: Partial<Rotation> = {}): ObservedTrust {
    const seen = rotating({ ...signed, ...more }, { ...rotation, ...change });
    return { ...seen, memory: { ...seen.memory, issuer: taken } };
  }

  test('the operator deletes the old key before it removes its anchor from the bundle', () => {
    expect(actions(retiring({}))).toEqual([{ do: 'delete-anchor', generation: 1 }]);
    const gone = { anchors: [anchor(2)] };
    const drop = [{ do: 'keep-roots', keys: ['B'] }];
    expect(actions(retiring(gone, { dropped: NOW - POLICY.lag + 1 }))).toEqual([]);
    expect(actions(retiring(gone, { dropped: NOW - POLICY.lag }))).toEqual(drop);
  });

  test('the operator keeps the old anchor in the bundle if caches may be older than the deletion of its key', () => {
    const gone = retiring({ anchors: [anchor(2)] }, { dropped: NOW - POLICY.lag });
    expect(actions({ ...gone, isLate: true })).toEqual([]);
  });
});

test('the operator restarts pods once for all anchors that they need, even for a later anchor', () => {
  const later = { hash: 'ABM', keys: ['A', 'B', 'M'], since: NOW - 100 };
  const policy: AnchorPolicy = { ...POLICY, rotateNow: 'x', laggards: 'Restart', members: ['other'] };
  const members = [{ name: 'other', signing: ['M'], roots: ['M'], adopted: [] }];
  const restarted = (since: number, given: RememberedBundle = later) => {
    const seen = rotating({
      anchors: [anchor(1, { hasIssuer: true }), BRIDGED],
      bundle: bundleOf(...given.keys),
      policy,
      members,
      pods: [{ workload: 'late', pods: 1, since, hash: 'AB', restartable: true }],
    });
    const bundles = [...seen.memory.bundles, ...(given === later ? [later] : [])];
    return actions({ ...seen, memory: { ...seen.memory, bundles } }).some((one) => one.do === 'restart-laggards');
  };
  const spread = POLICY.lag + POLICY.skew + POLICY.grain;
  expect([restarted(later.since + spread - 1), restarted(later.since + spread)]).toEqual([true, false]);
  // Without a certificate of the anchor, a restart is useless.
  expect([restarted(BOTH.since + spread - 1, BOTH), restarted(BOTH.since + spread, BOTH)]).toEqual([true, false]);
});

describe('without a rotation,', () => {
  const pod = (hash: string | undefined, since = 4500): PodGroup => ({
    workload: `shop/Deployment/${hash}`,
    pods: 2,
    since,
    ...(hash !== undefined && { hash }),
    restartable: true,
  });

  test('pods with a forgotten bundle, or without the signing anchor, are laggards', () => {
    const bundles = [{ hash: 'Z', keys: ['Z'], since: 3000 }, ...memory().bundles];
    const pods = [pod('A'), pod('Z'), pod('unknown'), pod(undefined, 10)];
    const { laggards, phase, actions: todo } = next(observed({ memory: memory({ bundles }), pods }), NOW);
    expect(phase).toBe('Stable');
    expect(laggards.workloads.map(({ workload }) => workload)).toEqual([
      'shop/Deployment/Z',
      'shop/Deployment/unknown',
    ]);
    expect(laggards.pods).toBe(4);
    expect(todo).toEqual([]);
  });
});

describe('a replica of identity', () => {
  const late = NOW + POLICY.lag + 2 * POLICY.skew + POLICY.patience;
  const deaf = (signer: string): ObservedTrust => {
    const issuer = issued(signer, { revision: 2, chain: { ...chain(signer), notAfter: 101_000 } });
    const seen = observed({ memory: memory(), issuer });
    return { ...seen, memory: next(seen, NOW).memory };
  };

  test('that missed an issuer is restarted after enough time', () => {
    expect(actions(deaf('A'), late)).toEqual([{ do: 'restart-identity', revision: 2 }]);
    expect(actions(deaf('A'), late - 1)).toEqual([]);
  });

  test('is not restarted if it can only have started with the issuer', () => {
    expect(actions(deaf('X'), late).map((one) => one.do)).not.toContain('restart-identity');
  });
});

describe('a cluster that joins others', () => {
  const members = [{ name: 'east', signing: ['A'], roots: ['A'], adopted: ['A'] }];
  const fresh = observed({
    memory: {
      bundles: [{ hash: 'AB', keys: ['A', 'B'], since: 4000 }],
      rotation: { to: 1, key: 'B', began: 4000, why: '' },
    },
    policy: { ...POLICY, members: ['east'] },
    members,
    anchors: [anchor(2, { generation: 1 })],
    signer: 1,
    issuer: { state: 'issuing' },
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    identity: [],
  });

  test('does not wait until the others trust its first anchor', () => {
    expect(next(fresh, NOW)).toMatchObject({ phase: 'Pending', actions: [] });
    expect(next({ ...fresh, signer: undefined }, NOW).actions).toEqual([{ do: 'set-signer', generation: 1 }]);
    const pods = [{ workload: 'a/Deployment/b', pods: 1, since: 4500, hash: 'AB', restartable: true }];
    expect(next({ ...fresh, issuer: issued('B'), pods }, NOW).phase).toBe('Retired');
  });
});

test('without a rotation, the status names pods for which other clusters wait, once a restart helps', () => {
  const since = NOW - POLICY.lag - POLICY.skew - POLICY.grain;
  const spread = { hash: 'AE', keys: ['A', 'E'], since };
  const before = (workload: string): PodGroup => ({ workload, pods: 2, since: 4000, hash: 'A', restartable: true });
  const seen = observed({
    memory: memory({ bundles: [...memory().bundles, spread] }),
    policy: { ...POLICY, members: ['east'] },
    members: [{ name: 'east', signing: ['A', 'E'], roots: ['A', 'E'], adopted: ['A', 'E'] }],
    bundle: bundleOf('A', 'E'),
    kept: ['A', 'E'],
    pods: ['one', 'two', 'three', 'four'].map((name) => before(`shop/Deployment/${name}`)),
  });
  expect(next(seen, NOW)).toMatchObject({
    phase: 'Stable',
    actions: [],
    laggards: { pods: 0 },
    report: { adopted: ['A'] },
    milestones: [
      {
        type: 'Adopted',
        status: false,
        reason: 'MembersWait',
        message: expect.stringMatching(
          /^8 pods .*restart shop\/Deployment\/four, shop\/Deployment\/one, shop\/Deployment\/three and 1 more$/,
        ),
      },
    ],
  });
  expect(next(seen, NOW - 1).milestones).toEqual([]);
  expect(next({ ...seen, pods: [{ ...before('shop/Deployment/one'), hash: 'AE' }] }, NOW).milestones).toEqual([]);
});

test('a rotation waits for leaves with a longer lifetime', () => {
  const signing = NOW - 300;
  const issuer = { revision: 2, signer: 'B', notAfter: 100_000, since: signing, seen: signing, steady: signing };
  const known = { ...memory(), bundles: [{ ...BOTH, since: 4000 }], issuer: { ...issuer, takenUp: signing } };
  const signed = rotating({
    memory: { ...known, rotation: { ...ROTATION, announced: 4000, adopted: 4100, signing } },
    anchors: [anchor(1, { hasIssuer: true }), BRIDGED],
    signer: 2,
    issuer: issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 }),
  });
  const before = next(signed, NOW);
  expect(before).toMatchObject({ phase: 'Signing', memory: { leaves: { reach: 1000 } } });
  const shorter = { ...signed, memory: before.memory, policy: { ...signed.policy, leafReach: 100 } };
  const then = next(shorter, NOW + 1);
  expect(then).toMatchObject({ phase: 'Signing', memory: { leaves: { reach: 1000, asked: 100 } } });
  const { until = 0 } = then.memory.leaves ?? {};
  expect(until).toBe(NOW + 1 + 1000 + POLICY.lag + POLICY.patience + POLICY.restartTime);
  expect(next({ ...shorter, memory: then.memory }, until - 1).memory.leaves).toEqual(then.memory.leaves);
  const later = next({ ...shorter, memory: then.memory }, until);
  expect(later.memory).toMatchObject({ leaves: { reach: 100, asked: 100 }, rotation: { retiring: true } });
});

test('an anchor of which only the kept root exists stays until no certificate depends on it', () => {
  const lost = rotating({
    memory: { bundles: [] },
    policy: POLICY,
    anchors: [BRIDGED],
    signer: 2,
    issuer: issued('B', { chain: chain('B', [ca('B', 'A')]) }),
  });
  expect(next(lost, NOW)).toMatchObject({ actions: [], memory: { rotation: { from: 'A', to: 2, key: 'B' } } });
  const known = { ...lost, memory: { ...memory(), current: { key: 'B', generation: 2 } } };
  expect(actions(known)).toEqual([{ do: 'keep-roots', keys: ['B'] }]);
});

test('the operator does not treat a kept root of another cluster as an earlier anchor', () => {
  const members = [{ name: 'east', signing: ['C'], roots: ['C'], adopted: ['C'] }];
  const shared = observed({
    memory: { bundles: [] },
    policy: { ...POLICY, members: ['east'] },
    members,
    bundle: bundleOf('A', 'C'),
    kept: ['A', 'C'],
  });
  expect(next(shared, NOW)).toMatchObject({ phase: 'Stable', actions: [] });
});

describe('proxies whose roots the operator cannot see', () => {
  const unseen = ['ExternalWorkload shop/vm-1', 'ExternalWorkload shop/vm-2', 'Link mc/east', 'Link mc/west'];
  const signing = NOW - 2000;
  const bundles = [{ hash: 'AB', keys: ['A', 'B'], since: signing - 500 }];
  const turned = rotating({
    memory: {
      ...memory({ bundles }),
      issuer: { ...STEADY, since: signing, seen: signing, takenUp: signing, steady: signing },
      rotation: { ...ROTATION, announced: signing - 500, adopted: signing - 400, signing },
    },
    anchors: [anchor(1, { hasIssuer: true }), BRIDGED],
    signer: 2,
    issuer: issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 }),
  });

  test('keep the old anchor and the promise about it, until the policy accepts them as unseen', () => {
    const members = [{ name: 'east', signing: ['B'], adopted: ['A', 'B'] }];
    for (const sharing of [{}, { members, policy: { ...turned.policy, members: ['east'] } }]) {
      const held = next({ ...turned, ...sharing, unseen }, NOW);
      expect(held).toMatchObject({ phase: 'Adopted', actions: [] });
      expect(held.memory.rotation).not.toHaveProperty('retiring');
      expect(held.memory.rotation).not.toHaveProperty('committed');
      expect(held.report?.signing.toSorted()).toEqual(['A', 'B']);
      expect(held.milestones.at(-1)).toEqual({
        type: 'Retired',
        status: false,
        reason: 'UnseenProxies',
        message: expect.stringMatching(
          /proxies of ExternalWorkload shop\/vm-1, ExternalWorkload shop\/vm-2, Link mc\/east and 1 more trust\..*spec\.acceptUnseenProxies to true$/,
        ),
      });
      expect(next({ ...turned, ...sharing, unseen: [] }, NOW).memory.rotation).toMatchObject({ retiring: true });
    }
  });
});
describe('the next reconciliation', () => {
  /** The time of the next reconciliation in a rotation without other reasons for one. */
  const again = (rotation: Partial<Rotation>, more: Partial<ObservedTrust> = {}) =>
    next(rotating({ policy: { ...POLICY, rotateNow: 'x', patience: 3000 }, ...more }, rotation), NOW).again;
  const { lag, skew, leafReach } = POLICY;
  const spread = lag + skew + POLICY.grain;

  test.each<[string, number, Partial<Rotation>, Partial<ObservedTrust>]>([
    ['a bundle has spread', 5 + spread, { announced: NOW + 5 }, {}],
    ['all pods have trusted the anchor for long enough', 7 + lag, { adopted: NOW + 7 }, {}],
  ])('is due when %s', (_, time, rotation, more) => expect(again(rotation, more)).toBe(NOW + time));

  test('is due once old leaves are gone, the key has been missing for long enough, or patience ends', () => {
    const signed = { issuer: issued('B', { chain: chain('B', [ca('B', 'A')]) }), signer: 2, anchors: [BRIDGED] };
    const known = (change: Partial<Rotation>) => {
      const seen = rotating(signed, { adopted: 0, ...change });
      const issuer = { revision: 1, signer: 'B', notAfter: 100_000, since: 0, seen: 0, takenUp: 0, steady: 0 };
      return next({ ...seen, memory: { ...seen.memory, issuer } }, NOW).again;
    };
    const turning = NOW - leafReach - skew - lag;
    expect(known({ signing: turning + 6 })).toBe(NOW + 6);
    expect(known({ signing: turning })).toBe(NOW + POLICY.patience);
    expect(known({ signing: turning, retiring: true, dropped: NOW - lag + 4 })).toBe(NOW + 4);
  });

  test('is due once identity had time to use an issuer, and no replica can start with its predecessor', () => {
    const issuer = issued('A', { revision: 2 });
    const at = (now: number) => {
      const seen = rotating({ issuer, identity: [{ name: 'i', since: 4000 }] }, { adopted: 0 });
      const before = { revision: 2, signer: 'A', notAfter: 100_000, since: 4000, seen: NOW, before: 90_000 };
      return next({ ...seen, memory: { ...seen.memory, issuer: before } }, now).again;
    };
    expect(at(NOW + 1)).toBe(NOW + 2 * lag + skew);
    expect(at(NOW + 2 * lag + skew)).toBe(NOW + lag + 2 * skew + POLICY.patience);
  });

  test('is due, if nothing else is, once the last pod that may lack the bundle has been seen, or never', () => {
    const nobody = (since: number) => {
      const bundles = [{ hash: 'A', keys: ['A'], since }];
      return observed({ memory: { bundles }, issuer: { state: 'issued' }, signer: 'other' });
    };
    expect(next(nobody(NOW - spread), NOW).again).toBe(NOW + lag);
    expect(next(nobody(NOW - spread - lag), NOW)).not.toHaveProperty('again');
  });
});

describe('while no rotation is in progress,', () => {
  const rest = (more: Partial<ObservedTrust>) => next(observed({ memory: memory(), ...more }), NOW);

  test('the operator restores the signer, the anchor in the bundle, and its kept copy', () => {
    expect(rest({}).actions).toEqual([]);
    expect(rest({ signer: undefined }).actions).toEqual([{ do: 'set-signer', generation: 1 }]);
    expect(rest({ signer: 'other' }).actions).toEqual([]);
    const hold = { do: 'apply-anchor', generation: 1, signer: 'self', bundled: true };
    expect(rest({ anchors: [anchor(1, { bundled: false })], kept: [] }).actions).toEqual([
      { do: 'keep-roots', keys: ['A'] },
      hold,
    ]);
    expect(rest({ signer: undefined, policy: { ...POLICY, paused: true } }).actions).toEqual([]);
  });

  test('the operator restores the copy of an anchor whose Secret is external', () => {
    const elsewhere = { anchors: [], signer: 'other' as const };
    expect(rest({ ...elsewhere, kept: [] }).actions).toEqual([{ do: 'keep-roots', keys: ['A'] }]);
    expect(rest(elsewhere).actions).toEqual([]);
  });

  test('the operator restores an issuer with an unknown signer, by the anchor that the ClusterIssuer names', () => {
    const unknown = { issuer: { state: 'issued' as const, revision: 4 }, memory: { bundles: [] } };
    const phase = (more: Partial<ObservedTrust>) => rest({ ...unknown, anchors: [], ...more });
    expect(phase({}).actions).toEqual([{ do: 'renew-issuer', revision: 4 }]);
    expect(phase({})).toMatchObject({ phase: 'Pending', laggards: { pods: 0 } });
    expect(phase({ signer: 'other' }).actions).toEqual([]);
    expect(phase({ signer: undefined }).actions).toEqual([]);
    expect(phase({ issuer: { state: 'failed' }, bundle: bundleOf('X', 'Y') }).actions).toEqual([]);
  });

  test('the operator remembers the anchor in use, with its first observed expiry', () => {
    expect(rest({ memory: { bundles: [] } }).memory.current).toEqual({ key: 'A', generation: 1, end: 1_000_000 });
    const elsewhere = rest({ memory: { bundles: [] }, anchors: [], signer: 'other' });
    expect(elsewhere.memory.current).toEqual({ key: 'A', end: 1_000_000 });
    const { current } = rest({ memory: memory({ current: { key: 'X', end: 7 } }) }).memory;
    expect(current).toEqual({ key: 'A', generation: 1, end: 1_000_000 });
  });

  test('the slack is the time that remains if the rotation begins at its latest due time', () => {
    const { slack = 0 } = rest({});
    expect(slack).toBeGreaterThan(0);
    expect(slack).toBeLessThan(POLICY.renewBefore);
    const paused = observed({ memory: memory(), policy: { ...POLICY, paused: true } });
    const due = 1_000_000 - POLICY.renewBefore;
    expect(next(paused, due).slack).toBe(slack);
    expect(next(paused, due + 10).slack).toBe(slack - 10);
    expect(rest({ memory: { bundles: [] }, anchors: [], issuer: { state: 'issued' } })).not.toHaveProperty('slack');
  });
});

describe('a rotation', () => {
  const since = NOW - 2000;
  const taken = { revision: 2, signer: 'B', notAfter: 100_000, since, seen: since, takenUp: since, steady: since };
  const over = (more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}) => {
    const done = {
      anchors: [anchor(2)],
      signer: 2,
      issuer: issued('B', { revision: 2 }),
      bundle: bundleOf('B'),
      kept: ['B'],
    };
    const seen = rotating({ ...done, policy: { ...POLICY, rotateNow: 'y' }, ...more }, { retiring: true, ...change });
    return next({ ...seen, memory: { ...seen.memory, issuer: taken } }, NOW);
  };

  test('ends when only the new anchor is left, and has served the requests since its start', () => {
    expect(over()).toMatchObject({
      phase: 'Retired',
      actions: [],
      again: NOW,
      memory: { current: { key: 'B', generation: 2 }, rotated: 'y' },
    });
    expect(over().memory).not.toHaveProperty('rotation');
    expect(over({ policy: POLICY }).memory.rotated).toBe('x');
    const anchors = [anchor(0, { onlySecret: true, certificate: ca('F') }), anchor(2)];
    expect(over({ anchors }).phase).toBe('Retired');
  });

  test.each<[string, Partial<ObservedTrust>, Partial<Rotation>]>([
    ['the old anchor is kept in the bundle', { kept: ['A', 'B'] }, {}],
    ['the old key is in the cluster', { anchors: [anchor(1), anchor(2)] }, {}],
    ['the new anchor has a bridge', { anchors: [BRIDGED] }, {}],
    ['the new anchor is being issued', { anchors: [anchor(2, { state: 'issuing' })] }, {}],
    ['the new key is unknown', { anchors: [anchor(2, { certificate: undefined })] }, {}],
    ['another anchor signed', { issuer: issued('X', { revision: 2 }) }, {}],
    ['an abort is possible', {}, { retiring: false, announced: NOW }],
  ])('does not end while %s', (_, more, change) => expect(over(more, change).memory).toHaveProperty('rotation'));

  test('ends by an abort, when nothing of the new anchor is left', () => {
    const abort = { policy: { ...POLICY, abort: true, rotateNow: 'y' }, anchors: [anchor(1)], signer: 1 };
    const back = (more: Partial<ObservedTrust>) =>
      next(rotating({ ...abort, issuer: issued('A'), ...more }, { aborting: true, withdrawing: true }), NOW);
    expect(back({})).toMatchObject({ phase: 'Stable', actions: [], again: NOW, memory: { rotated: 'y' } });
    expect(back({}).memory).not.toHaveProperty('rotation');
    expect(back({ anchors: [anchor(1), anchor(2)] }).memory).toHaveProperty('rotation');
  });
});

test('a rotation reports an outage, the request that it serves, and the slack of a pause', () => {
  const ended = rotating({ issuer: issued('A', { chain: { ...chain('A'), notAfter: NOW } }) });
  expect(next(ended, NOW)).toMatchObject({ outage: { reason: 'IssuerExpired' } });
  expect(next(rotating(), NOW)).not.toHaveProperty('outage');
  const asked = rotating({ policy: { ...POLICY, rotateNow: 'y' } });
  expect(next(asked, NOW).memory.rotated).toBe('y');
  const paused = rotating({ policy: { ...POLICY, paused: true } });
  expect((next(paused, NOW).slack ?? 0) - (next(paused, NOW + 10).slack ?? 0)).toBe(10);
});

test('the operator restarts identity once for both its issuer and its roots', () => {
  const issuer = { revision: 2, signer: 'A', notAfter: 100_000, since: 4000, seen: 4000, before: 90_000 };
  const policy = { ...POLICY, rotateNow: 'x', laggards: 'Never' as const };
  const seen = rotating({
    policy,
    anchors: [anchor(1, { certificate: ca('A', 'A', { pathLength: 0 }) }), anchor(2)],
    issuer: issued('A', { revision: 2 }),
    pods: [{ workload: 'a', pods: 1, since: 0, hash: 'A', restartable: true }],
    identity: [{ name: 'identity-0', since: 3900, issuerEnd: 90_000 }],
  });
  const missed = { ...seen, memory: { ...seen.memory, issuer } };
  expect(actions(missed)).toEqual([{ do: 'restart-identity', revision: 2 }]);
  const keep = { do: 'keep-roots', keys: ['A', 'B'] };
  expect(actions({ ...missed, kept: ['A'] })).toEqual([keep, { do: 'restart-identity', revision: 2 }]);
  const taken = { ...issuer, takenUp: 4000, steady: 4000 };
  const identity = [{ name: 'identity-0', since: 3900, issuerEnd: 100_000 }];
  const late = { ...seen, identity, memory: { ...seen.memory, issuer: taken } };
  const restart = { do: 'restart-identity', bundle: 'AB' };
  expect(actions(late)).toEqual([restart]);
  const certificate = ca('A', 'A', { pathLength: 0, notAfter: NOW + 1000 });
  const ending = {
    anchors: [anchor(1, { certificate }), anchor(2)],
    bundle: { hash: 'AB', anchors: [certificate, ca('B')] },
  };
  expect(actions({ ...late, ...ending })).toEqual([restart, { do: 'renew-anchor', generation: 1 }]);
});

describe('a plan equals its copy through JSON:', () => {
  const nothing: Partial<ObservedTrust> = { anchors: [], bundle: undefined, kept: [], identity: [], signer: undefined };
  const missing = { ...nothing, memory: { bundles: [] }, issuer: { state: 'missing' as const } };

  test.each<[string, ObservedTrust]>([
    ['at rest', observed({ memory: memory() })],
    ['at rest, with an anchor known only by its signature', observed({ ...nothing, memory: memory() })],
    [
      'at rest, with an issuer of an unknown anchor',
      observed({ ...missing, issuer: { state: 'issued', revision: 1 } }),
    ],
    ['in a rotation', rotating()],
    ['in a rotation that is due', rotating({ policy: POLICY, identity: [] })],
    ['in a rotation without a next anchor yet', rotating({ anchors: [anchor(1)] }, { key: undefined })],
    ['with the first anchor', observed(missing)],
    ['when identity cannot issue', rotating({ issuer: issued('A', { chain: { ...chain('A'), notAfter: NOW } }) })],
    ['from a late observation', { ...rotating(), isLate: true }],
  ])('%s', (_, seen) => {
    const plan = next(seen, NOW);
    expect(plan).toStrictEqual(JSON.parse(JSON.stringify(plan)));
  });
});

test('identity must prove a renewed issuer once the next anchor may sign, or is being aborted', () => {
  const issuer = { revision: 2, signer: 'A', notAfter: 100_000, since: 4000, seen: 4000 };
  const restarts = (change: Partial<Rotation>, more: Partial<ObservedTrust> = {}) => {
    const seen = rotating(
      { issuer: issued('A', { revision: 2 }), identity: [{ name: 'i', since: 4000 }], ...more },
      change,
    );
    return next({ ...seen, memory: { ...seen.memory, issuer } }, NOW).actions.some(
      (one) => one.do === 'restart-identity',
    );
  };
  expect(restarts({})).toBe(false);
  expect(restarts({}, { anchors: [anchor(1, { hasIssuer: true }), BRIDGED] })).toBe(true);
  expect(restarts({ aborting: true }, { policy: { ...POLICY, abort: true } })).toBe(true);
  const rest = {
    ...observed({ memory: memory({ issuer }), issuer: issued('A', { revision: 2 }) }),
    identity: [{ name: 'i', since: 4000 }],
  };
  expect(next(rest, NOW).actions).toEqual([]);
});
