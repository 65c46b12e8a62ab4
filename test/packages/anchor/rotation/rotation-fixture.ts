import type { AnchorMemory, Rotation } from '#anchor/memory';
import type { ObservedTrust, PodGroup } from '#anchor/observed';
import { type Progress, progressOf, rotationActions } from '#anchor/rotation/progress';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from '../fixture';

export const TURNED = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;
export const SPREAD = NOW - POLICY.lag - POLICY.skew - POLICY.grain;
export const OLD = anchor(1, { hasIssuer: true });
export const BRIDGED = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });
export const LOST = anchor(2, { state: 'issuing', certificate: undefined });
/** An anchor that must not certify other CAs. */
export const SHORT = anchor(1, { certificate: ca('A', 'A', { pathLength: 0 }) });
export const SIGNED = issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 });
export const BARE = issued('B', { revision: 2 });
export const TAKEN = {
  revision: 2,
  signer: 'B',
  notAfter: 100_000,
  since: 100,
  seen: 100,
  takenUp: 100,
  steady: TURNED,
};
const BUNDLES = [
  { hash: 'A', keys: ['A'], since: 0 },
  { hash: 'AB', keys: ['A', 'B'], since: 100 },
];

export const pod = (more: Partial<PodGroup> = {}): PodGroup => ({
  workload: 'a/Deployment/b',
  pods: 1,
  since: 0,
  hash: 'A',
  restartable: true,
  ...more,
});

/** A rotation that is ready to retire the old anchor, with these changes. */
export function facts(
  more: Partial<ObservedTrust> = {},
  change: Partial<Rotation> = {},
  remembered: Partial<AnchorMemory> = {},
): Progress {
  const began = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, adopted: 0, signing: TURNED };
  const rotation: Rotation = { ...began, ...change };
  const before: AnchorMemory = { ...memory(), bundles: BUNDLES, issuer: TAKEN, rotation, ...remembered };
  const seen = observed({
    memory: before,
    anchors: [OLD, BRIDGED],
    signer: 2,
    issuer: SIGNED,
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    ...more,
  });
  return progressOf({ observed: seen, memory: before, rotation, now: NOW });
}

/** The same rotation before the new anchor signs. */
export function unsigned(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}): Progress {
  const before = { ...memory(), bundles: BUNDLES };
  return facts({ signer: 1, issuer: issued('A'), ...more }, { signing: undefined, ...change }, before);
}

/** The first anchor of a new mesh. */
export function first(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}): Progress {
  const begins = { anchors: [anchor(2)], bundle: bundleOf('B'), identity: [], kept: [], issuer: BARE };
  return facts({ ...begins, ...more }, { from: undefined, ...change });
}

export const shared = (...names: string[]) => ({ policy: { ...POLICY, members: names } });
export const member = (name: string, adopted: readonly string[], signing: readonly string[] = ['B']) => ({
  name,
  signing,
  adopted,
});

export const POD: PodGroup = { workload: 'a/Deployment/b', pods: 1, since: 0, hash: 'A', restartable: true };

export const sign = (generation: number) => ({ do: 'set-signer', generation });
export const renew = (revision: number) => ({ do: 'renew-issuer', revision });
export const restart = { do: 'restart-laggards', workloads: ['a/Deployment/b'], generation: 2 };

/** A rotation whose new anchor is announced and certified, and will sign next. */
export function progress(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}, now = NOW): Progress {
  const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, adopted: 0, ...change };
  const before: AnchorMemory = { ...memory(), bundles: BUNDLES, rotation };
  const seen = observed({
    memory: before,
    anchors: [OLD, BRIDGED],
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    identity: [{ name: 'identity-0', since: 4000, issuerEnd: 100_000 }],
    ...more,
  });
  return progressOf({ observed: seen, memory: before, rotation, now });
}

export function actions(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}, now = NOW) {
  return rotationActions(progress(more, change, now));
}
