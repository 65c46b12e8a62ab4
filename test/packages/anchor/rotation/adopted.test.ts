import type { Rotation } from '#anchor/memory';
import type { AnchorPolicy } from '#anchor/observed';
import type { AnchorPlan } from '#anchor/plan';
import { MEMBERS_WAIT } from '#anchor/rotation/adopted';
import { next } from '#anchor/rotation/next';
import { timeNeeded } from '#anchor/rotation-target';
import { anchor, bundleOf, ca, memory, NOW, observed, POLICY } from '../fixture';
import { actions, BRIDGED, facts, OLD, POD, pod, progress, restart, SHORT, SIGNED, sign } from './rotation-fixture';

test('the operator remembers since when the bundle has the new anchor and all pods trust it', () => {
  expect(facts({}, { announced: undefined, adopted: undefined }).rotation).toMatchObject({ announced: NOW });
  expect(facts({}, { adopted: undefined }).rotation.adopted).toBe(NOW);
  expect(facts({}, { announced: NOW }).rotation).not.toHaveProperty('adopted');
  expect(facts({ pods: [pod()] }).rotation).not.toHaveProperty('adopted');
});

describe('the operator restarts laggards', () => {
  const end = 50_000;
  const certificate = ca('A', 'A', { notAfter: end });
  const bundle = { hash: 'AB', anchors: [certificate, ca('B')] };
  const signed = { anchors: [{ ...OLD, certificate }, BRIDGED], bundle, signer: 2, issuer: SIGNED, pods: [POD] };
  const asked = (laggards: 'Restart' | 'Report' | 'Never') => ({ policy: { ...POLICY, laggards } });

  test('if the policy asks for it, in a window', () => {
    expect(actions({ ...signed, ...asked('Restart') })).toEqual([restart]);
    expect(actions({ ...signed, ...asked('Restart'), inWindow: false })).toEqual([]);
    expect(actions({ ...signed, ...asked('Report') })).toEqual([]);
    expect(actions({ ...asked('Report'), pods: [POD] })).toEqual([sign(2)]);
  });

  test('without a bridge, only before the new anchor signs', () => {
    const long = { anchors: [SHORT, anchor(2)], pods: [POD] };
    expect(actions(long)).toEqual([restart]);
    expect(actions({ ...long, inWindow: false })).toEqual([]);
    expect(actions({ ...long, signer: 2, issuer: SIGNED })).toEqual([]);
  });

  test('if the old anchor would otherwise expire first, unless the policy is Never', () => {
    const late = end - timeNeeded(progress(signed).observed, 'bridge', 1);
    expect(actions({ ...signed, inWindow: false }, {}, late - 1)).toEqual([]);
    expect(actions({ ...signed, inWindow: false }, {}, late)).toEqual([restart]);
    expect(actions({ ...signed, ...asked('Never') }, {}, late)).toEqual([]);
  });

  test('even while the retirement of the old anchor waits', () => {
    expect(actions({ ...signed, ...asked('Restart') }, { retiring: true })).toEqual([restart]);
  });
});

test('the operator restarts identity if one replica may not trust the next anchor, even without workloads', () => {
  const policy = { ...POLICY, laggards: 'Never' as const };
  const [old, young] = [50, 4000].map((since) => ({ name: `identity-${since}`, since }));
  const late = (change: Partial<Rotation>, laggards: 'Never' | 'Report' = 'Never') =>
    actions(
      {
        policy: { ...policy, laggards },
        signer: 2,
        issuer: SIGNED,
        identity: [old, young].flatMap((one) => one ?? []),
      },
      change,
    );
  expect(late({})).toEqual([{ do: 'restart-identity', bundle: 'AB' }]);
  expect(late({ announced: NOW })).toEqual([]);
  expect(late({}, 'Report')).toEqual([]);
});

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe('pods that lack an anchor of a waiting cluster', () => {
  const bundles = [
    { hash: 'A', keys: ['A'], since: 0 },
    { hash: 'AE', keys: ['A', 'E'], since: 100 },
  ];
  const members = [{ name: 'east', signing: ['E'], roots: ['E'], adopted: [] }];
  const planned = (count: number, more: Partial<AnchorPolicy> = {}, inWindow = true) => {
    const pods = names(count).map((workload) => ({ ...POD, workload, pods: 1 }));
    const policy = { ...POLICY, members: ['east'], ...more };
    const kept = { bundle: bundleOf('A', 'E'), kept: ['A', 'E'], memory: memory({ bundles }) };
    return next(observed({ policy, members, pods, inWindow, ...kept }), NOW);
  };
  const text = (plan: AnchorPlan) => plan.milestones.find(({ reason }) => reason === MEMBERS_WAIT)?.message;

  test('are counted in the status, with the names of three workloads', () => {
    expect(text(planned(1))).toMatch(/restart n0$/);
    expect(text(planned(3))).toMatch(/restart n0, n1, n2$/);
    expect(text(planned(5))).toMatch(/restart n0, n1, n2 and 2 more$/);
    expect(text(planned(1, { laggards: 'Restart' }))).toMatch(/: n0 \(being restarted/);
  });

  test('restart without a rotation of this cluster, in a window, if the policy asks for it', () => {
    const asked = { laggards: 'Restart' } as const;
    const { actions: restarts, wave } = planned(2, asked);
    expect(restarts).toEqual([{ do: 'restart-laggards', workloads: ['n0', 'n1'], generation: 1 }]);
    expect(wave).toMatchObject({ reason: 'adopt', generation: 1, key: 'E' });
    expect(planned(2).actions).toEqual([]);
    expect(planned(2, asked, false).actions).toEqual([]);
    expect(planned(2, { ...asked, paused: true }).actions).toEqual([]);
  });

  test('also restart while pods without a controller trust a leaked key', () => {
    const leaked = { hash: 'AX', keys: ['A', 'X'], since: 0 };
    const bare = { ...POD, workload: 'bare', hash: 'AX', restartable: false };
    const plan = next(
      observed({
        policy: { ...POLICY, members: ['east'], laggards: 'Restart', compromised: ['X'] },
        members,
        pods: [bare, { ...POD, workload: 'n0', hash: 'A' }],
        bundle: bundleOf('A', 'E'),
        kept: ['A', 'E'],
        memory: memory({ bundles: [leaked, { hash: 'A', keys: ['A'], since: 50 }, ...bundles.slice(1)] }),
      }),
      NOW,
    );
    expect(plan.actions).toMatchObject([{ do: 'restart-laggards', workloads: ['n0'] }]);
    expect(plan.wave).toMatchObject({ reason: 'adopt', key: 'E' });
    expect(plan.exposure).toMatchObject({ isOver: false, workloads: [{ workload: 'bare' }] });
  });
});
