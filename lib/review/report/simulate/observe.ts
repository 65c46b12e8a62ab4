import { verifies } from '../../../../operator/api/anchor/chain';
import type { ObservedTrust, PodGroup } from '../../../../operator/api/anchor/observed';
import { MINUTE } from '../../../../operator/api/time-units';
import { hashOf, type World } from './world';

/** Returns what the operator sees of a mesh. One replica of identity has the clock that is off. */
export function observe(world: World): ObservedTrust {
  const { scenario, issuer, replicas } = world;
  const skew = scenario.conditions.skewMinutes * MINUTE;
  return {
    policy: { ...scenario.policy, laggards: scenario.conditions.laggards },
    memory: world.memory,
    anchors: [...world.anchors].map(([generation, anchor]) => ({ generation, ...anchor })),
    signer: world.signer,
    issuer: { state: issuer.state, chain: issuer.chain, revision: issuer.revision },
    bundle: {
      hash: hashOf(world.bundle),
      anchors: world.bundle.flatMap((key) => world.published.get(key) ?? []),
    },
    kept: world.kept,
    identity: replicas.map(({ name, since, chain }, index) => ({
      name,
      since,
      issuerEnd: chain.notAfter + (index === 0 ? skew : 0),
    })),
    issuerUpdates: world.issuerUpdates,
    pods: podsOf(world),
    members: [],
    inWindow: true,
  };
}

function podsOf(world: World): readonly PodGroup[] {
  world.pods ??= world.workloads.map(({ name, since, roots, reads }) => ({
    workload: name,
    pods: 1,
    since,
    ...(!reads && { hash: hashOf(roots) }),
    restartable: true,
  }));
  return world.pods;
}

/** A pair of proxies of which one may reject the other. */
export interface BrokenPair {
  /** The anchor that signed the issuer of the one. */
  readonly signer: string;
  /** The anchors that the other knows. */
  readonly roots: readonly string[];
}

/**
 * Returns the pairs of proxies that may not understand each other now. A certificate may be in use for as long as it can
 * live, and any clock may be off by as much as some are.
 */
export function brokenPairs(world: World): { readonly pairs: number; readonly broken: readonly BrokenPair[] } {
  const { policy, conditions } = world.scenario;
  const skew = conditions.skewMinutes * MINUTE;
  const living = world.used.filter(({ until }) => until + policy.leafReach > world.now).map(({ chain }) => chain);
  const known = new Map(world.workloads.map(({ roots }) => [hashOf(roots), roots]));
  const broken = [...known.values()].flatMap((roots) => {
    const set = new Set(roots);
    return living
      .filter((chain) => ![world.now - skew, world.now + skew].every((time) => verifies(chain, set, time)))
      .map(({ signer }) => ({ signer, roots }));
  });
  return { pairs: known.size * living.length, broken };
}
