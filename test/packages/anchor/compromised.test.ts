import { DISTRUSTED } from '#anchor/compromised';
import { mayTrust } from '#anchor/knowledge';
import type { Rotation } from '#anchor/memory';
import type { AnchorPolicy, ObservedTrust, PodGroup } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { spreadBy } from '#anchor/times';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const LEAKED: AnchorPolicy = { ...POLICY, compromised: ['A'] };
const BOTH = { hash: 'AB', keys: ['A', 'B'], since: NOW - 500 };
const ROTATION: Rotation = { from: 'A', to: 2, key: 'B', began: NOW - 600, why: 'test', announced: NOW - 500 };

function pods(name: string, hash: string, since = NOW - 300): PodGroup {
  return { workload: `shop/Deployment/${name}`, pods: 2, since, hash, restartable: true };
}

/** A mesh with the leaked anchor A and an announced next one. */
function rotating(more: Partial<ObservedTrust> = {}, rotation: Partial<Rotation> = {}): ObservedTrust {
  const before = memory();
  return observed({
    policy: LEAKED,
    memory: { ...before, bundles: [...before.bundles, BOTH], rotation: { ...ROTATION, ...rotation } },
    anchors: [anchor(1, { hasIssuer: true }), anchor(2)],
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    identity: [{ name: 'identity-0', since: NOW - 100, issuerEnd: 100_000 }],
    ...more,
  });
}

/** The same mesh after its rotation to B. */
function resting(more: Partial<ObservedTrust> = {}, since = NOW - 200): ObservedTrust {
  const before = memory();
  return observed({
    policy: LEAKED,
    memory: {
      ...before,
      current: { key: 'B', generation: 2 },
      bundles: [...before.bundles, BOTH, { hash: 'B', keys: ['B'], since }],
    },
    anchors: [anchor(2)],
    signer: 2,
    issuer: issued('B'),
    bundle: bundleOf('B'),
    kept: ['B'],
    identity: [{ name: 'identity-0', since: NOW - 50, issuerEnd: 100_000 }],
    ...more,
  });
}

const restarts = (plan: ReturnType<typeof next>) => plan.actions.filter((action) => action.do === 'restart-laggards');
const distrusted = (plan: ReturnType<typeof next>) => plan.milestones.find(({ type }) => type === DISTRUSTED);

describe('an anchor whose key leaked', () => {
  test('is replaced at once, even outside of windows, but not during a pause or an abort', () => {
    const plan = (policy: Partial<AnchorPolicy>) =>
      next(observed({ policy: { ...LEAKED, ...policy }, memory: memory(), inWindow: false }), NOW);
    expect(plan({}).memory.rotation).toMatchObject({ from: 'A', to: 2, began: NOW });
    expect(plan({ compromised: ['Z'] }).memory.rotation).toBeUndefined();
    expect(plan({ paused: true }).memory.rotation).toBeUndefined();
    expect(distrusted(plan({ paused: true }))).toMatchObject({ status: false, reason: 'Paused' });
    expect(plan({ abort: true }).memory.rotation).toBeUndefined();
    expect(distrusted(plan({ abort: true }))).toMatchObject({ status: false, reason: 'Suspended' });
  });

  test('certifies nothing, and withdraws its own request', () => {
    expect(next(rotating(), NOW).actions).toEqual([]);
    const asked = anchor(2, { askedSigner: 1, state: 'issuing' });
    expect(next(rotating({ anchors: [anchor(1, { hasIssuer: true }), asked] }), NOW).actions).toEqual([
      { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true },
    ]);
    const certified = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });
    expect(next(rotating({ anchors: [anchor(1, { hasIssuer: true }), certified] }), NOW).actions).toEqual([
      { do: 'set-signer', generation: 2 },
    ]);
  });

  test('causes three waves of restarts: to trust the next anchor, to use its certificates, to drop the old one', () => {
    const [old, both] = [pods('old', 'A', 4100), pods('both', 'AB')];
    const adopting = next(rotating({ pods: [old, both], inWindow: false }), NOW);
    expect(restarts(adopting)).toEqual([{ do: 'restart-laggards', workloads: [old.workload], generation: 2 }]);
    expect(adopting.wave).toMatchObject({ reason: 'adopt', key: 'B' });

    const signing = NOW - 100;
    const signed = {
      pods: [both, pods('new', 'AB', NOW - 50)],
      signer: 2,
      issuer: issued('B', { revision: 2, chain: { ...chain('B'), notAfter: 200_000 } }),
    };
    const seen = rotating(signed, { signing, adopted: NOW - 200 });
    const issuer = { revision: 2, signer: 'B', notAfter: 200_000, since: signing, seen: signing, steady: signing };
    const identity = [{ name: 'identity-0', since: NOW - 20, issuerEnd: 200_000 }];
    const turning = next(
      { ...seen, identity, memory: { ...seen.memory, issuer: { ...issuer, takenUp: signing } } },
      NOW,
    );
    expect(restarts(turning)).toEqual([{ do: 'restart-laggards', workloads: [both.workload], generation: 2 }]);
    expect(turning.wave).toMatchObject({ reason: 'turn', since: signing + POLICY.skew + POLICY.grain });
    expect(turning.memory.rotation?.retiring).toBeUndefined();

    const turned = next(
      {
        ...seen,
        pods: [pods('new', 'AB', NOW - 50)],
        identity,
        memory: { ...seen.memory, issuer: { ...issuer, takenUp: signing } },
      },
      NOW,
    );
    expect(turned.memory.rotation?.retiring).toBe(true);

    const forgetting = next(resting({ pods: [both, pods('new', 'B', NOW - 50)] }), NOW);
    expect(restarts(forgetting)).toEqual([{ do: 'restart-laggards', workloads: [both.workload], generation: 2 }]);
    expect(forgetting).toMatchObject({
      phase: 'Compromised',
      wave: { reason: 'forget', since: spreadBy(NOW - 200, POLICY) },
    });
  });

  test('never signs again', () => {
    const plan = next(rotating({ policy: { ...LEAKED, abort: true } }), NOW);
    expect(plan.memory.rotation?.aborting).toBeUndefined();
    expect(plan.milestones).toContainEqual(expect.objectContaining({ type: 'Returned', reason: 'NoWayBack' }));
  });

  test('is retired whatever chains pods present, since an attacker can forge them', () => {
    const base = rotating({ pods: [] }, { signing: 3500, adopted: NOW - 200 });
    const forged = { pod: 'shop/x', chain: { ...chain('A'), notBefore: 0 } };
    const seen: ObservedTrust = {
      ...base,
      signer: 2,
      issuer: issued('B', { revision: 2 }),
      identity: [{ name: 'identity-0', since: NOW - 20, issuerEnd: 100_000 }],
      memory: {
        ...base.memory,
        issuer: { revision: 2, signer: 'B', notAfter: 100_000, since: 3500, seen: 3500, takenUp: 3500, steady: 3500 },
      },
      probes: { gates: true, since: NOW, presented: [forged], unreached: [] },
    };
    expect(next(seen, NOW).memory.rotation?.retiring).toBe(true);
    const usual = next({ ...seen, policy: POLICY }, NOW);
    expect(usual.memory.rotation?.retiring).toBeUndefined();
  });
});

describe('a leak is over', () => {
  const over = (more: Partial<ObservedTrust>, since?: number) => distrusted(next(resting(more, since), NOW));

  test('when no pod and no bundle has trusted the key for long enough', () => {
    expect(over({ pods: [pods('new', 'B')] })).toMatchObject({ status: true, reason: 'NothingTrusts' });
    expect(over({ pods: [pods('new', 'B')] }, NOW - 2 * POLICY.lag)).toMatchObject({
      status: false,
      reason: 'Settling',
    });
    expect(over({ pods: [pods('new', 'B')], isLate: true })).toMatchObject({ status: false, reason: 'Settling' });
  });

  test('only once no pod trusts the key, or may trust it', () => {
    expect(over({ pods: [pods('both', 'AB')] })).toMatchObject({ status: false, reason: 'Restarting' });
    expect(over({ pods: [pods('who', 'never seen')] })).toMatchObject({ status: false, reason: 'Restarting' });
  });

  test('only once no other source adds the key to the bundle', () => {
    const previous = { ...bundleOf('A', 'B') };
    expect(over({ bundle: previous, memory: { ...resting().memory, bundles: [BOTH] } })).toMatchObject({
      status: false,
      reason: 'InBundle',
    });
  });

  test('only once the operator keeps no root of the key, and no anchor has it, whatever the bundle contains', () => {
    const clean = { pods: [pods('new', 'B')] };
    expect(over({ ...clean, kept: ['A', 'B'] })).toMatchObject({ status: false });
    expect(over({ ...clean, anchors: [anchor(1), anchor(2)] })).toMatchObject({ status: false });
    expect(next(resting({ ...clean, kept: ['A', 'B'] }), NOW).report).not.toHaveProperty('distrusts');
  });

  test('without restarts of workloads under the policy Never, but with a restart of identity', () => {
    const never = { policy: { ...LEAKED, laggards: 'Never' as const }, pods: [pods('both', 'AB')] };
    const identity = [{ name: 'identity-0', since: NOW - 400, issuerEnd: 100_000 }];
    expect(next(resting(never), NOW).actions).toEqual([]);
    expect(next(resting({ ...never, identity }), NOW).actions).toEqual([{ do: 'restart-identity', bundle: 'B' }]);
  });
});

test('the operator reports a leaked key that no anchor has, but does not keep it in its memory', () => {
  const plan = next(observed({ policy: { ...POLICY, compromised: ['Z'] }, memory: memory() }), NOW);
  // The signing anchor may have certified it before the memory was lost.
  const message = expect.stringMatching(/name the key of that anchor, too \(A\)$/);
  expect(distrusted(plan)).toMatchObject({ status: false, reason: 'UnknownKey', isWrong: true, message });
  expect(plan.memory.compromised?.keys).toEqual([]);
});

test('the deadline of a leak is fixed once the key is known, and moves only with another key', () => {
  const first = next(observed({ policy: LEAKED, memory: memory() }), NOW);
  expect(first.exposure).toMatchObject({ since: NOW, inBundle: true });
  const until = first.memory.compromised?.until ?? 0;
  expect(until).toBeGreaterThan(NOW);
  const seen = observed({ policy: LEAKED, memory: first.memory });
  expect(next(seen, NOW + 50).memory.compromised).toMatchObject({ since: NOW, until });
  const unset = next(observed({ policy: POLICY, memory: first.memory }), NOW + 50);
  expect(unset.memory).not.toHaveProperty('compromised');
  expect(unset.exposure).toBeUndefined();
});

test('a pod that started while some bundle had the leaked key may trust it', () => {
  const bundles = [
    { hash: 'A', keys: ['A'], since: 1000 },
    { hash: 'B', keys: ['B'], since: 2000 },
  ];
  const trusts = (since: number) => mayTrust({ since }, ['A'], bundles, POLICY);
  expect([1500, 2000 + POLICY.lag + POLICY.skew - 1].map(trusts)).toEqual([true, true]);
  expect(trusts(2000 + POLICY.lag + POLICY.skew)).toBe(false);
  // Before the first remembered bundle.
  expect(trusts(500)).toBe(true);
});
