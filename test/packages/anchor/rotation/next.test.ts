import type { RememberedBundle, Rotation } from '#anchor/memory';
import type { AnchorPolicy, ObservedTrust, PodGroup } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from '../fixture';

const BOTH = { hash: 'AB', keys: ['A', 'B'], since: NOW - 500 };
/** Generation 2, announced long ago. */
const ROTATION: Rotation = { from: 'A', to: 2, key: 'B', began: NOW - 600, why: 'test', announced: NOW - 500 };

/** A mesh whose rotation is announced, all of whose pods know both anchors. */
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

const BRIDGED = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });

describe('during a rotation over a bridge, the operator', () => {
  test('creates an Issuer again that is lost while cert-manager makes the bridge', () => {
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
});

describe('a rotation that cannot be aborted', () => {
  const policy = { ...POLICY, abort: true };
  const signed = { issuer: issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 }), signer: 2 };
  const lost = [anchor(1, { certificate: undefined, state: 'issuing' }), BRIDGED];
  const returned = (seen: ObservedTrust) => next(seen, NOW).milestones.filter(({ type }) => type === 'Returned');

  test.each([
    ['its key is lost', { anchors: lost }],
    ['its key is another one', { anchors: [anchor(1, { certificate: ca("A'") }), BRIDGED] }],
    ['its key was never here', { anchors: [BRIDGED] }],
  ])('waits and reports that if its old anchor cannot sign since %s', (_, more) => {
    const seen = rotating({ policy, ...signed, ...more });
    const plan = next(seen, NOW);
    expect(plan).toMatchObject({ phase: 'Bridged', actions: [], memory: { rotation: { to: 2 } } });
    expect(plan.memory.rotation).not.toHaveProperty('aborting');
    expect(returned(seen)).toMatchObject([{ status: false, reason: 'NoWayBack' }]);
    expect(next({ ...seen, policy: POLICY }, NOW).milestones.map(({ type }) => type)).not.toContain('Returned');
  });

  test('has a slack from now to the expiry of an issuer that no controller renews', () => {
    const held = rotating({ policy, anchors: [anchor(1, { certificate: ca("A'") }), anchor(2)] });
    const { slack = 0 } = next(held, NOW);
    expect(next(held, NOW + 100).slack).toBe(slack - 100);
    expect(next(held, 99_999).slack).toBeLessThan(0);
    const going = { ...held, policy: POLICY };
    expect(next(going, NOW + 100).slack).toBe(next(going, NOW).slack);
  });

  test('continues once the old anchor is being removed', () => {
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

  test('the operator keeps the old anchor in the bundle if caches may be older than the deletion of its key', () => {
    const gone = retiring({ anchors: [anchor(2)] }, { dropped: NOW - POLICY.lag });
    expect(actions({ ...gone, isLate: true })).toEqual([]);
  });
});

test('the operator restarts pods once for all anchors that they need, even for a later one', () => {
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
  // As long as there is no certificate of it, a restart is of no use.
  expect([restarted(BOTH.since + spread - 1, BOTH), restarted(BOTH.since + spread, BOTH)]).toEqual([true, false]);
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

  test('is not restarted if it could not start with that issuer', () => {
    expect(actions(deaf('X'), late).map((one) => one.do)).not.toContain('restart-identity');
  });
});

test('a cluster without a rotation names pods for which other clusters wait, once a restart helps', () => {
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

test('an anchor of which only the kept root is left stays until no certificate depends on it', () => {
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

test('the operator takes no kept root of another cluster for an earlier anchor', () => {
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
describe('the next look', () => {
  /** One that nothing but the end of what is asked for brings about. */
  const again = (rotation: Partial<Rotation>, more: Partial<ObservedTrust> = {}) =>
    next(rotating({ policy: { ...POLICY, rotateNow: 'x', patience: 3000 }, ...more }, rotation), NOW).again;
  const { lag, skew, leafReach } = POLICY;
  const spread = lag + skew + POLICY.grain;

  test.each<[string, number, Partial<Rotation>, Partial<ObservedTrust>]>([
    ['a bundle has spread', 5 + spread, { announced: NOW + 5 }, {}],
    ['all have known it for long enough', 7 + lag, { adopted: NOW + 7 }, {}],
  ])('comes when %s', (_, time, rotation, more) => expect(again(rotation, more)).toBe(NOW + time));

  test('comes once old leaves are gone, the key has been missing for long enough, or patience ends', () => {
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

  test('comes once identity had time to use an issuer, and no replica can start with its predecessor', () => {
    const issuer = issued('A', { revision: 2 });
    const at = (now: number) => {
      const seen = rotating({ issuer, identity: [{ name: 'i', since: 4000 }] }, { adopted: 0 });
      const before = { revision: 2, signer: 'A', notAfter: 100_000, since: 4000, seen: NOW, before: 90_000 };
      return next({ ...seen, memory: { ...seen.memory, issuer: before } }, now).again;
    };
    expect(at(NOW + 1)).toBe(NOW + 2 * lag + skew);
    expect(at(NOW + 2 * lag + skew)).toBe(NOW + lag + 2 * skew + POLICY.patience);
  });
});

describe('a rotation ends', () => {
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

  test('when only the new anchor is left, and serves requests made meanwhile', () => {
    expect(over()).toMatchObject({
      phase: 'Retired',
      actions: [],
      again: NOW,
      memory: { current: { key: 'B', generation: 2 }, rotated: 'y' },
    });
    expect(over().memory).not.toHaveProperty('rotation');
    expect(over({ policy: POLICY }).memory.rotated).toBe('x');
    const foreign = [anchor(0, { foreign: true, certificate: ca('F') }), anchor(2)];
    expect(over({ anchors: foreign }).phase).toBe('Retired');
  });

  test.each<[string, Partial<ObservedTrust>, Partial<Rotation>]>([
    ['the old anchor is kept in the bundle', { kept: ['A', 'B'] }, {}],
    ['its key is here', { anchors: [anchor(1), anchor(2)] }, {}],
    ['the new one stands on a bridge', { anchors: [BRIDGED] }, {}],
    ['the new one is being made', { anchors: [anchor(2, { state: 'issuing' })] }, {}],
    ['its key is not known', { anchors: [anchor(2, { certificate: undefined })] }, {}],
    ['somebody else signed', { issuer: issued('X', { revision: 2 }) }, {}],
    ['there is a way back', {}, { retiring: false, announced: NOW }],
  ])('but not while %s', (_, more, change) => expect(over(more, change).memory).toHaveProperty('rotation'));
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

describe('a plan survives JSON, as it has no key without a value', () => {
  const nothing: Partial<ObservedTrust> = { anchors: [], bundle: undefined, kept: [], identity: [], signer: undefined };
  const missing = { ...nothing, memory: { bundles: [] }, issuer: { state: 'missing' as const } };

  test.each<[string, ObservedTrust]>([
    ['at rest', observed({ memory: memory() })],
    ['at rest, of an anchor of which nothing but its signature is known', observed({ ...nothing, memory: memory() })],
    ['at rest, with an issuer that nobody knows', observed({ ...missing, issuer: { state: 'issued', revision: 1 } })],
    ['in a rotation', rotating()],
    ['in a rotation that is due', rotating({ policy: POLICY, identity: [] })],
    ['in a rotation whose next anchor is not made', rotating({ anchors: [anchor(1)] }, { key: undefined })],
    ['with the first anchor', observed(missing)],
    ['when identity cannot issue', rotating({ issuer: issued('A', { chain: { ...chain('A'), notAfter: NOW } }) })],
    ['by a late look', { ...rotating(), isLate: true }],
  ])('%s', (_, seen) => {
    const plan = next(seen, NOW);
    expect(plan).toStrictEqual(JSON.parse(JSON.stringify(plan)));
  });
});
