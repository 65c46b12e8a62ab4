import type { Rotation } from '#anchor/memory';
import type { ObservedProbes, ObservedTrust, PodGroup, PresentedChain } from '#anchor/observed';
import { pairsOf, proofOf } from '#anchor/pairs';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const BRIDGE = ca('B', 'A');
const old: PresentedChain = { pod: 'shop/old', chain: chain('A') };
const bridged: PresentedChain = { pod: 'shop/new', chain: chain('B', [BRIDGE]) };
const bare: PresentedChain = { pod: 'shop/bare', chain: chain('B') };
const foreign: PresentedChain = { pod: 'shop/stranger', chain: chain('Z') };
const expired: PresentedChain = { pod: 'shop/late', chain: { ...chain('A'), notAfter: NOW - POLICY.skew } };
const garbage: PresentedChain = { pod: 'shop/garbage' };
const trusted = (one: PresentedChain): PresentedChain => ({ ...one, isTrusted: true });

const pods = (...hashes: string[]): readonly PodGroup[] =>
  hashes.map((hash) => ({ workload: `shop/Deployment/${hash}`, pods: 1, since: 4000, hash, restartable: true }));

const probes = (presented: readonly PresentedChain[], more: Partial<ObservedProbes> = {}): ObservedProbes => ({
  gates: true,
  since: NOW,
  presented,
  unreached: [],
  ...more,
});

const BUNDLES = memory({
  bundles: [
    { hash: 'A', keys: ['A'], since: 3000 },
    { hash: 'AB', keys: ['A', 'B'], since: 4000 },
  ],
});

describe('pairs of a presented chain and a bundle', () => {
  const found = (presented: readonly PresentedChain[], ...carried: string[]) =>
    pairsOf(observed({ pods: pods(...carried), probes: probes(presented) }), BUNDLES);

  test('verify for all bundles with a bridge', () => {
    expect(found([old, bridged], 'A', 'AB')).toEqual({ bundles: 2, verified: 4, refused: 0, proxies: [] });
  });

  test.each([
    ['Foreign', foreign],
    ['Expired', expired],
    ['Invalid', garbage],
  ])('fail for all bundles if the chain is %s', (reason, one) => {
    expect(found([one], 'A', 'AB')).toMatchObject({ refused: 2, proxies: [{ pod: one.pod, reason }] });
  });

  test('fail with an expired bridge', () => {
    const ended = { ...bridged, chain: chain('B', [{ ...BRIDGE, notAfter: NOW - POLICY.skew }]) };
    expect(found([ended], 'A').proxies).toEqual([{ pod: 'shop/new', reason: 'Refused', by: 'shop/Deployment/A' }]);
  });

  test('do not change with clocks that differ by the allowed skew', () => {
    const young = { pod: 'shop/young', chain: { ...chain('A'), notBefore: NOW + POLICY.skew } };
    const aged = { pod: 'shop/aged', chain: { ...chain('A'), notAfter: NOW - POLICY.skew + 1 } };
    expect(found([young, aged], 'A').refused).toBe(0);
  });

  test('do not include forgotten bundles, whose pods are laggards already', () => {
    expect(found([old], 'x')).toEqual({ bundles: 0, verified: 0, refused: 0, proxies: [] });
  });

  test('do not exist before the first round', () => {
    const seen = observed({ pods: pods('A'), probes: { gates: true, presented: [], unreached: [] } });
    expect(pairsOf(seen, BUNDLES)).toEqual({ bundles: 0, verified: 0, refused: 0, proxies: [] });
    expect(pairsOf(observed({ pods: pods('A') }), BUNDLES).bundles).toBe(0);
  });
});

/** Identity has signed with the new anchor for so long that all leaves of the old one have expired. */
const SIGNING = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;

describe('the decision to retire the old anchor', () => {
  const proof = (round: ObservedProbes | undefined, signing: number | undefined = SIGNING, now = NOW) =>
    proofOf({
      observed: observed({
        anchors: [anchor(1), anchor(2)],
        pods: pods('AB'),
        ...(round !== undefined && { probes: round }),
      }),
      memory: BUNDLES,
      key: 'B',
      signing,
      now,
    });

  test('does not use probes if probes are off or too early', () => {
    expect(proof(undefined).state).toBe('unasked');
    expect(proof(probes([old], { gates: false })).state).toBe('unasked');
    expect(proofOf({ observed: observed(), memory: BUNDLES, key: 'B', signing: undefined, now: NOW }).state).toBe(
      'unasked',
    );
  });

  test('ignores a round that began before old leaves expired, and the absence of rounds', () => {
    expect(proof(probes([bridged], { since: NOW - 1 })).state).toBe('pending');
    expect(proof({ gates: true, presented: [], unreached: [] }).state).toBe('pending');
  });

  test('is delayed by a chain of the old anchor, but not by a chain of the new one with or without a bridge', () => {
    expect(proof(probes([bridged, bare]))).toMatchObject({ state: 'passed', pods: [] });
    expect(proof(probes([bridged, old]))).toMatchObject({ state: 'held', pods: ['shop/old'] });
  });

  test.each([
    ['foreign', foreign],
    ['expired', expired],
    ['invalid', garbage],
  ])("is not delayed by a tenant's %s chain, which the old anchor cannot verify", (_, one) => {
    expect(proof(probes([bridged, one])).state).toBe('passed');
    expect(proof(probes([one])).state).toBe('passed');
  });

  test.each([
    ['foreign', foreign],
    ['expired', expired],
    ['invalid', garbage],
  ])('is delayed by a control plane pod whose chain is %s', (_, one) => {
    expect(proof(probes([bridged, trusted(one)]))).toMatchObject({ state: 'held', pods: [one.pod] });
    expect(proof(probes([trusted(bare)])).state).toBe('passed');
  });

  test('is delayed for a limited time if no proxy answers', () => {
    const silent = probes([], { unreached: ['shop/a'] });
    const until = NOW + POLICY.patience;
    expect(proof(silent)).toMatchObject({ state: 'unreached', pods: [], until });
    expect(proof(silent, SIGNING, until - 1).state).toBe('unreached');
    expect(proof(silent, SIGNING, until).state).toBe('passed');
  });

  describe('a chain of the old anchor that a probe found', () => {
    const END = chain('A').notAfter + POLICY.skew;
    const later = (round: ObservedProbes, now = NOW) =>
      proofOf({
        observed: observed({ anchors: [anchor(1), anchor(2)], pods: pods('AB'), probes: round }),
        memory: memory({
          rotation: { from: 'A', to: 2, began: 0, why: '', oldChains: [{ pod: 'shop/old', until: END }] },
        }),
        key: 'B',
        signing: SIGNING,
        now,
      });

    test('delays the retirement until no clock accepts it', () => {
      expect(proof(probes([old])).oldChains).toEqual([{ pod: 'shop/old', until: END }]);
    });

    test('is forgotten after a chain of the next anchor from the same proxy, or after its own expiry', () => {
      expect(later(probes([{ ...bridged, pod: 'shop/old' }]))).toEqual({ state: 'passed', pods: [], oldChains: [] });
      expect(later(probes([bridged]), END - 1).state).toBe('held');
      expect(later(probes([bridged]), END)).toEqual({ state: 'passed', pods: [], oldChains: [] });
    });

    test('is remembered if it is among the longest valid of a thousand', () => {
      const all = Array.from({ length: 1_000 }, (_, index) => ({
        pod: `shop/${index}`,
        chain: { ...chain('A'), notAfter: 50_000 + index },
      }));
      const { pods: named, oldChains } = proof(probes(all));
      expect(named).toHaveLength(1_000);
      expect(oldChains.map(({ pod }) => pod)).toEqual(
        all
          .slice(-16)
          .map(({ pod }) => pod)
          .toReversed(),
      );
    });
  });

  test('needs one answer from many proxies, and none in a mesh without proxies', () => {
    expect(proof(probes([bridged], { unreached: ['shop/a', 'shop/b'] })).state).toBe('passed');
    expect(proof(probes([])).state).toBe('passed');
  });
});

describe('a rotation at its end', () => {
  const rotation: Rotation = {
    from: 'A',
    to: 2,
    key: 'B',
    began: 4000,
    why: '',
    announced: 4000,
    signing: SIGNING,
    adopted: SIGNING,
  };
  const ending = (round?: ObservedProbes, more: Partial<ObservedTrust> = {}): ObservedTrust =>
    observed({
      anchors: [anchor(1), anchor(2, { askedSigner: 1, certificate: BRIDGE })],
      signer: 2,
      issuer: issued('B', { chain: chain('B', [BRIDGE]), revision: 2 }),
      bundle: bundleOf('A', 'B'),
      kept: ['A', 'B'],
      identity: [{ name: 'identity-0', since: SIGNING - 100, issuerEnd: 100_000 }],
      pods: pods('AB'),
      memory: {
        ...BUNDLES,
        rotation,
        issuer: {
          revision: 2,
          signer: 'B',
          notAfter: 100_000,
          since: SIGNING - 500,
          seen: SIGNING - 500,
          takenUp: SIGNING - 400,
          steady: SIGNING,
        },
      },
      ...(round !== undefined && { probes: round }),
      ...more,
    });
  const retired = (seen: ObservedTrust) => next(seen, NOW).milestones.find(({ type }) => type === 'Retired');

  test('retires the old anchor if probes are off, or if all answers confirm it', () => {
    expect(next(ending(), NOW).memory.rotation?.retiring).toBe(true);
    expect(next(ending(probes([bridged])), NOW).memory.rotation?.retiring).toBe(true);
  });

  test('still waits in rounds that do not probe the proxy, even under another leader', () => {
    const { memory: found } = next(ending(probes([bridged, old])), NOW);
    const { memory: kept } = next(ending({ gates: true, presented: [], unreached: [] }, { memory: found }), NOW);
    const plan = next(ending(probes([bridged]), { memory: kept }), NOW);
    expect(plan.memory.rotation?.retiring).toBeUndefined();
    expect(plan.milestones.find(({ type }) => type === 'Retired')?.message).toMatch('shop/old');
    const good = next(ending(probes([{ ...bridged, pod: 'shop/old' }]), { memory: kept }), NOW);
    expect(good.memory.rotation).toMatchObject({ retiring: true });
    expect(good.memory.rotation?.oldChains).toBeUndefined();
  });

  test('reports a certificate found after the retirement began, until the old key is gone', () => {
    const begun = (change: Partial<Rotation>) => ({
      memory: { ...ending().memory, rotation: { ...rotation, ...change } },
    });
    const round = probes([bridged, old]);
    const held = next(ending(round, begun({ retiring: true })), NOW);
    expect(held.milestones.find(({ type }) => type === 'Retired')).toMatchObject({ reason: 'OldChains' });
    expect(held.actions.filter((action) => action.do === 'delete-anchor')).toEqual([]);
    const anchors = { anchors: [anchor(2)] };
    expect(retired(ending(round, { ...anchors, ...begun({ retiring: true, dropped: NOW }) }))).toMatchObject({
      reason: 'Removing',
    });
    expect(retired(ending(probes([bridged]), begun({ retiring: true })))).toMatchObject({ reason: 'Removing' });
  });

  test('makes no promise to other clusters before its probes allow the retirement', () => {
    const shared = { policy: { ...POLICY, members: ['west'] } };
    expect(next(ending(probes([old]), shared), NOW).memory.rotation?.committed).toBeUndefined();
    expect(next(ending(probes([bridged]), shared), NOW).memory.rotation?.committed).toBe(true);
  });

  test('waits for the first round of a new leader, whatever the status contains', () => {
    const waiting = ending({ gates: true, presented: [], unreached: [] });
    expect(retired(waiting)).toMatchObject({ status: false, reason: 'Probing' });
    expect(next(waiting, NOW + 1_000_000_000).memory.rotation?.retiring).toBeUndefined();
  });

  test('is checked again once the absence of answers has lasted long enough', () => {
    const silent = ending(probes([], { unreached: ['shop/a'] }));
    expect(retired(silent)).toMatchObject({ reason: 'Unreachable', until: NOW + POLICY.patience });
    expect(next(silent, NOW).again).toBeLessThanOrEqual(NOW + POLICY.patience);
    expect(next(silent, NOW + POLICY.patience).memory.rotation?.retiring).toBe(true);
  });
});
