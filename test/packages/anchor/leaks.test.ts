import { DISTRUSTED } from '#anchor/compromised';
import { mustGo, toldLeaks, vouchersFor } from '#anchor/leaks';
import type { AnchorMemory } from '#anchor/memory';
import type { AnchorPolicy, ObservedCertification, ObservedMember, ObservedTrust, PodGroup } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, issued, memory, NOW, observed, POLICY } from './fixture';

const LEAKED_NEXT: AnchorPolicy = { ...POLICY, compromised: ['B'] };
const A_FOR_B = { key: 'B', by: 'A' };

const distrusted = (plan: ReturnType<typeof next>) => plan.milestones.find(({ type }) => type === DISTRUSTED);
const restarts = (plan: ReturnType<typeof next>) => plan.actions.filter((action) => action.do === 'restart-laggards');

function pods(hash: string, since = NOW - 300): PodGroup {
  return { workload: `shop/Deployment/${hash}`, pods: 2, since, hash, restartable: true };
}

describe('an anchor that certified a leaked key', () => {
  const back = memory({
    bundles: [
      { hash: 'AB', keys: ['A', 'B'], since: 4200 },
      { hash: 'A', keys: ['A'], since: 4500 },
    ],
  });

  test('still certifies the next anchor, because its own key is safe', () => {
    const rotation = { from: 'A', to: 3, key: 'C', began: NOW - 600, why: 'test', announced: NOW - 500 };
    const bundles = [...back.bundles, { hash: 'AC', keys: ['A', 'C'], since: NOW - 500 }];
    const seen = observed({
      policy: LEAKED_NEXT,
      anchors: [anchor(1, { hasIssuer: true }), anchor(3)],
      bundle: bundleOf('A', 'C'),
      kept: ['A', 'C'],
      pods: [pods('A', NOW - 600)],
      memory: { ...back, bundles, rotation, vouched: [A_FOR_B] },
    });
    const { actions } = next(seen, NOW);
    expect(actions).toContainEqual({ do: 'apply-anchor', generation: 3, signer: 1, bundled: true });
    expect(restarts(next(seen, NOW))).toHaveLength(1);
  });

  test('signs itself again first, and stays in the memory after the certificate is gone', () => {
    const rotation = { from: 'A', to: 2, key: 'B', began: NOW - 600, why: 'test', announced: NOW - 500 };
    const asked = observed({
      policy: LEAKED_NEXT,
      anchors: [anchor(1, { hasIssuer: true }), anchor(2, { askedSigner: 1, certificate: ca('B', 'A') })],
      bundle: bundleOf('A', 'B'),
      kept: ['A', 'B'],
      memory: { ...memory(), rotation },
    });
    const plan = next(asked, NOW);
    expect(plan).toMatchObject({ phase: 'Aborting', memory: { vouched: [A_FOR_B] } });
    const gone = { ...asked, anchors: [anchor(1)], memory: plan.memory };
    expect(vouchersFor(['B'], gone)).toEqual(['A']);
    // The leaked key stays dangerous as long as any pod may trust the anchor.
    expect(next({ ...gone, policy: POLICY }, NOW).memory.vouched).toEqual([{ key: 'B', by: 'A' }]);
    const replaced = { anchors: [anchor(3)], signer: 3, issuer: issued('C'), bundle: bundleOf('C'), kept: ['C'] };
    const bundles = [{ hash: 'C', keys: ['C'], since: 0 }];
    const forgotten: AnchorMemory = { vouched: [A_FOR_B], bundles };
    expect(next({ ...gone, ...replaced, policy: POLICY, memory: forgotten }, NOW).memory).not.toHaveProperty('vouched');
  });

  test('is found over further certificates, and for a request without a certificate', () => {
    const chained = observed({
      anchors: [anchor(1, { certificate: ca('A', 'Y') })],
      bundle: { hash: '', anchors: [ca('Y', 'Z')] },
    });
    expect(vouchersFor(['A'], chained)).toEqual(['Y', 'Z']);
    expect(mustGo({ ...chained, policy: { ...POLICY, compromised: ['A'] } }, 'Z')).toBe(true);
    expect(mustGo({ ...chained, policy: { ...POLICY, compromised: ['Z'] } }, 'A')).toBe(false);
    const asked = observed({ anchors: [anchor(1), anchor(2, { askedSigner: 1 })] });
    expect(vouchersFor(['B'], asked)).toEqual(['A']);
    expect(vouchersFor(['A'], observed({ anchors: [anchor(1, { certificate: ca('A', 'unknown:x') })] }))).toEqual([]);
  });
});

describe('a key that another cluster reports as leaked', () => {
  const EAST: ObservedMember = {
    name: 'east',
    signing: ['E', 'F'],
    roots: ['E', 'F'],
    adopted: ['A'],
    compromised: ['E'],
  };
  const SHARING: AnchorPolicy = { ...POLICY, members: ['east'] };
  const OLD = { hash: 'AE', keys: ['A', 'E'], since: 4000 };
  const BOTH = { hash: 'AEF', keys: ['A', 'E', 'F'], since: NOW - 200 };

  function west(more: Partial<ObservedTrust> = {}, bundles = [OLD, BOTH]): ObservedTrust {
    return observed({
      policy: SHARING,
      members: [EAST],
      bundle: bundleOf(...(bundles.at(-1)?.keys ?? [])),
      kept: [...(bundles.at(-1)?.keys ?? [])],
      memory: memory({ bundles }),
      identity: [{ name: 'identity-0', since: NOW - 50, issuerEnd: 100_000 }],
      pods: [pods('AE'), pods('AEF', NOW - 100)],
      ...more,
    });
  }

  test("restarts in windows the pods that lack the other cluster's next anchor, and replaces no own anchor", () => {
    const plan = next(west(), NOW);
    expect(restarts(plan)).toEqual([{ do: 'restart-laggards', workloads: ['shop/Deployment/AE'], generation: 1 }]);
    expect(plan.wave).toMatchObject({ reason: 'adopt', key: 'F' });
    expect(plan.memory.rotation).toBeUndefined();
    expect(distrusted(plan)).toMatchObject({ status: false, reason: 'Members' });
    expect(restarts(next(west({ inWindow: false }), NOW))).toEqual([]);
    const named = { ...SHARING, compromised: ['E'] };
    expect(restarts(next(west({ inWindow: false, policy: named }), NOW))).toHaveLength(1);
    expect(restarts(next(west({ policy: { ...SHARING, laggards: 'Never' } }), NOW))).toEqual([]);
    expect(restarts(next(west({ policy: { ...SHARING, paused: true } }), NOW))).toEqual([]);
    // The east signs only with the next anchor, and keeps the old one until pods here trust both.
    expect(restarts(next(west({ members: [{ ...EAST, signing: ['F'] }] }), NOW))).toHaveLength(1);
  });

  test('is forgotten by pods of this cluster after it has left the bundle', () => {
    const left = { ...EAST, signing: ['F'], roots: ['F'] };
    const clean = { hash: 'AF', keys: ['A', 'F'], since: NOW - 100 };
    const plan = next(west({ members: [left], pods: [pods('AEF'), pods('AF', NOW - 50)] }, [OLD, BOTH, clean]), NOW);
    expect(restarts(plan)).toEqual([{ do: 'restart-laggards', workloads: ['shop/Deployment/AEF'], generation: 1 }]);
    expect(plan.wave).toMatchObject({ reason: 'forget', forgets: ['E'] });
    expect(plan.phase).toBe('Compromised');
  });

  test('restarts and replaces nothing if this cluster signs with it, and is reported as a problem', () => {
    const plan = next(west({ members: [{ ...EAST, compromised: ['A'] }], pods: [pods('AEF')] }), NOW);
    expect(distrusted(plan)).toMatchObject({ status: false, reason: 'Reported', isWrong: true });
    expect(plan.memory.rotation).toBeUndefined();
    expect(plan.actions).toEqual([]);
    expect(plan.report?.compromised).toBeUndefined();
  });

  test('has no effect if no pod ever trusted it, or if the other cluster is no member', () => {
    expect(next(west({ members: [{ ...EAST, compromised: ['Q'] }] }), NOW).exposure).toBeUndefined();
    expect(next(west({ members: [{ ...EAST, name: 'north' }] }), NOW).exposure).toBeUndefined();
  });

  test('replaces the anchor of this cluster, which certified it, only if a user names it', () => {
    const made: ObservedCertification = {
      cluster: 'east',
      key: 'E',
      generation: 1,
      state: 'issued',
      since: 4000,
      certificate: ca('E', 'A'),
    };
    const policy: AnchorPolicy = { ...SHARING, certifies: [{ cluster: 'east', trustDomain: 'east.example' }] };
    const certifying = west({ policy, certifications: [made], pods: [pods('A')] }, [
      { hash: 'A', keys: ['A'], since: 4000 },
    ]);
    const plan = next(certifying, NOW);
    expect(plan.memory).toMatchObject({ vouched: [{ key: 'E', by: 'A' }] });
    expect(plan.memory.rotation).toBeUndefined();
    expect(distrusted(plan)).toMatchObject({ reason: 'Reported', isWrong: true });
    expect(plan.exposure).toMatchObject({ pods: 2, inBundle: true });
    expect(plan.actions).toEqual([{ do: 'withdraw-certificate', cluster: 'east' }]);
    // Without the request, the memory still has the certification.
    const { certifications: _, ...later } = { ...certifying, memory: plan.memory };
    const named = next({ ...later, policy: { ...policy, compromised: ['E'] } }, NOW);
    expect(named.memory.rotation).toMatchObject({ from: 'A', to: 2 });
    expect(named.report?.compromised).toEqual(['A']);
  });
});

test('a cluster reports its own distrusted anchors, and no keys of other clusters', () => {
  const seen = observed({
    policy: { ...POLICY, members: ['east'], compromised: ['A', 'E', 'Q'] },
    members: [{ name: 'east', signing: ['E'], roots: ['E'], adopted: [] }],
    issuer: issued('A'),
  });
  const leak = { keys: ['A', 'E'], since: NOW, until: NOW };
  expect(toldLeaks(seen, { ...memory(), compromised: leak })).toEqual(['A']);
  expect(toldLeaks(seen, memory())).toEqual([]);
});

describe('among clusters that share anchors,', () => {
  /** The leaked X is the next anchor of the west. Its present anchor is W, which this cluster certified with A. */
  const WEST: ObservedMember = { name: 'west', signing: ['W', 'X'], roots: [], adopted: [], updated: 1_000 };
  const hub = (west: Partial<ObservedMember> = {}, policy: Partial<AnchorPolicy> = {}): ObservedTrust =>
    observed({
      policy: {
        ...POLICY,
        members: ['west'],
        certifies: [{ cluster: 'west', trustDomain: 'west.example' }],
        compromised: ['X'],
        ...policy,
      },
      members: [{ ...WEST, ...west }],
      memory: memory({ vouched: [{ key: 'W', by: 'A' }] }),
      pods: [pods('A')],
    });

  test('a key is distrusted only once all clusters report its distrust', () => {
    const verdict = (west: Partial<ObservedMember>) => distrusted(next(hub(west), NOW));
    expect(verdict({})).toMatchObject({
      status: false,
      reason: 'MembersTrust',
      message: expect.stringContaining('west (report of 1970-01-01T00:00:01.000Z)'),
    });
    expect(verdict({ distrusts: ['Y'] })).toMatchObject({ reason: 'MembersTrust' });
    expect(verdict({ distrusts: ['X'] })).toMatchObject({ status: true, reason: 'NothingTrusts' });
    expect(distrusted(next(hub({}, { members: [], certifies: [] }), NOW))?.reason).not.toBe('MembersTrust');
  });

  test('a cluster without a report may trust the key', () => {
    const rid = observed({
      policy: { ...POLICY, members: ['west'], compromised: ['A'] },
      anchors: [anchor(2)],
      signer: 2,
      issuer: issued('B'),
      bundle: bundleOf('B'),
      kept: ['B'],
      identity: [],
      memory: memory({
        current: { key: 'B', generation: 2 },
        bundles: [
          { hash: 'A', keys: ['A'], since: 100 },
          { hash: 'B', keys: ['B'], since: 200 },
        ],
      }),
    });
    expect(distrusted(next(rid, NOW))?.message).toContain('west (no report)');
    expect(next(rid, NOW).report?.distrusts).toEqual(['A']);
    // The report also lists the certifier of the leaked key as leaked, for which other clusters wait.
    const vouched = { ...rid, memory: { ...rid.memory, vouched: [{ key: 'A', by: 'O' }] } };
    expect(next(vouched, NOW).report?.distrusts).toEqual(['A', 'O']);
  });

  test("a report counts for certificates by the reporting cluster's anchors, and not for anchors of this cluster", () => {
    const trusting = next(hub({ distrusts: ['X'], vouched: [{ key: 'X', by: 'W' }] }), NOW);
    expect(trusting.exposure).toMatchObject({ pods: 2, inBundle: true, isOver: false });
    expect(trusting.memory).toMatchObject({
      rotation: { from: 'A' },
      vouched: [
        { key: 'W', by: 'A' },
        { key: 'X', by: 'W' },
      ],
    });
    expect(trusting.report).not.toHaveProperty('distrusts');
    const lying = next(hub({ distrusts: ['X'], vouched: [{ key: 'X', by: 'A' }] }), NOW);
    expect(distrusted(lying)).toMatchObject({ status: true });
    expect(lying.report).toMatchObject({ distrusts: ['X'], vouched: [{ key: 'W', by: 'A' }] });
  });

  test('a cluster does not report distrust while a pod with an unknown bundle may trust the key', () => {
    const reported = hub({ compromised: ['X'] }, { compromised: [] });
    expect(next(reported, NOW).report?.distrusts).toEqual(['X']);
    expect(next({ ...reported, pods: [pods('who knows')] }, NOW).report).not.toHaveProperty('distrusts');
    expect(next({ ...reported, isLate: true }, NOW).report).toBeUndefined();
  });
});

test('pods in ignored namespaces count after a leak, and restart', () => {
  const replaced = {
    anchors: [anchor(2)],
    signer: 2,
    issuer: issued('B'),
    bundle: bundleOf('B'),
    kept: ['B'],
    identity: [],
    memory: memory({
      current: { key: 'B', generation: 2 },
      bundles: [
        { hash: 'A', keys: ['A'], since: 100 },
        { hash: 'B', keys: ['B'], since: 200 },
      ],
    }),
  };
  const ignored = { ...pods('A', 50), workload: 'tenant/Deployment/web' };
  const plan = next(observed({ ...replaced, policy: { ...POLICY, compromised: ['A'] }, ignoredPods: [ignored] }), NOW);
  expect(plan.exposure).toMatchObject({ pods: 2, isOver: false });
  expect(restarts(plan)).toMatchObject([{ workloads: ['tenant/Deployment/web'] }]);
});
