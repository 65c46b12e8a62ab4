import fc from 'fast-check';
import type { Rotation } from '#anchor/memory';
import type { AnchorPolicy, ObservedMember, ObservedTrust, PodGroup } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { isBehind } from '#anchor/rotation/wave';
import { runs } from '../../support/depth';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

/** The first bundle, and the start time of the bundle for which pods restart. */
const [OLD, SINCE] = [{ hash: 'old', keys: ['A'], since: 0 }, NOW];

const web = (since: number, hash: string): PodGroup => ({
  workload: 'shop/Deployment/web',
  pods: 1,
  since,
  hash,
  restartable: true,
});

const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: SINCE - 9, why: 'test', announced: SINCE };

const both = { hash: 'AB', keys: ['A', 'B'], since: SINCE };

/** For each reason to restart, a mesh with a workload that must restart. */
const WAVES: Readonly<Record<string, (policy: AnchorPolicy) => ObservedTrust>> = {
  'the next anchor': (policy) =>
    observed({
      policy: { ...policy, laggards: 'Restart' },
      memory: memory({ bundles: [OLD, both], rotation }),
      anchors: [anchor(1, { hasIssuer: true }), anchor(2, { askedSigner: 1, certificate: ca('B', 'A') })],
      bundle: bundleOf('A', 'B'),
      kept: ['A', 'B'],
      pods: [web(SINCE - 1, 'old')],
    }),
  'a certificate of the next anchor': (policy) =>
    observed({
      policy: { ...policy, compromised: ['A'] },
      memory: memory({
        bundles: [{ ...both, since: 1 }],
        rotation: { ...rotation, announced: 1, adopted: 1, signing: SINCE },
        issuer: { revision: 2, signer: 'B', notAfter: 200_000, since: 1, seen: 1, takenUp: 1, steady: 1 },
      }),
      anchors: [anchor(1), anchor(2)],
      signer: 2,
      issuer: issued('B', { revision: 2, chain: chain('B') }),
      bundle: bundleOf('A', 'B'),
      kept: ['A', 'B'],
      identity: [],
      pods: [web(SINCE - 1, 'AB')],
    }),
  'a bundle without a leaked key': (policy) =>
    observed({
      policy: { ...policy, compromised: ['A'] },
      memory: memory({ current: { key: 'B', generation: 2 }, bundles: [OLD, { ...both, hash: 'B', keys: ['B'] }] }),
      anchors: [anchor(2)],
      signer: 2,
      issuer: issued('B'),
      bundle: bundleOf('B'),
      kept: ['B'],
      identity: [],
      pods: [web(SINCE - 1, 'old')],
    }),
  'the anchor with which a member replaces a leaked one': (policy) => {
    const east: ObservedMember = {
      name: 'east',
      signing: ['E', 'F'],
      roots: ['E', 'F'],
      adopted: [],
      compromised: ['E'],
    };
    return observed({
      policy: { ...policy, members: ['east'] },
      members: [east],
      memory: memory({
        bundles: [
          { ...OLD, keys: ['A', 'E'] },
          { ...both, hash: 'AEF', keys: ['A', 'E', 'F'] },
        ],
      }),
      bundle: bundleOf('A', 'E', 'F'),
      kept: ['A', 'E', 'F'],
      identity: [],
      pods: [web(SINCE - 1, 'old')],
    });
  },
};

describe.each(Object.entries(WAVES))('in a wave of restarts for %s,', (_, meshWith) => {
  test("the operator restarts pods only once new pods are sure to have the bundle, even by a node's late clock", () => {
    const times = { lag: fc.integer({ min: 1, max: 300 }), skew: fc.integer({ min: 0, max: 60 }) };
    const clocks = fc.record({ ...times, grain: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(clocks, fc.double({ min: 0, max: 1, noNaN: true }), (given, behind) => {
        const policy = { ...POLICY, ...given, leafReach: 100_000 };
        const mesh = meshWith(policy);
        const restart = (now: number) =>
          next({ ...mesh, memory: next(mesh, now).memory }, now).actions.find((one) => one.do === 'restart-laggards');
        let now = SINCE;
        while (restart(now) === undefined) if (now++ > SINCE + 1_000) throw new Error('nothing restarts');
        expect(restart(now)).toMatchObject({ workloads: ['shop/Deployment/web'] });
        const { wave, memory: remembered } = next(mesh, now);
        // By the clock of the node, which may be late and has a coarser resolution.
        const since = Math.floor((now - behind * policy.skew) / policy.grain) * policy.grain;
        expect(wave && isBehind({ since }, wave, mesh, remembered)).toBe(false);
      }),
      { numRuns: runs(20) },
    );
  });
});
