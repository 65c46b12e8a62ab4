import { goDurationMs } from '#base/go-duration';
import { MINUTE } from '#base/time-units';
import type { AnchorKey, IssuerChain } from '../../chain';
import { list } from '../invariant';
import { pick, seededRandom } from '../random';
import type { Decide } from '../scenario';
import { isAccepted } from '../x509';
import { isAcceptedBy, pass } from './actors';
import { type Cluster, createCluster, heldKey, keysOf, type Ledger, type Workload } from './cluster';
import { hear, look } from './operator';
import { domainOf, type LinkedWorld, specsOf, type Walked, type Walker } from './walk';

interface ModelWalker extends Walker {
  readonly cluster: Cluster;
}

/** Linked clusters of the model, and the log of their steps. */
export interface Model extends Walked<ModelWalker> {
  readonly log: readonly string[];
}

/** Creates the clusters of a world. The seed sets clocks, lifetimes and delays. */
export function linkedModel(world: LinkedWorld, decide: Decide, seed: number): Model {
  const random = seededRandom(seed);
  const ledger: Ledger = { made: [], log: [], faults: [] };
  const specs = specsOf(world);
  const issuerLifeMs = goDurationMs(world.issuer ?? '48h') ?? 0;
  const clusters = world.clusters.map((name): Cluster => {
    const podMs = (pick(random, world.podMinutes) ?? 1) * MINUTE;
    const options = {
      name,
      domain: domainOf(name),
      decide,
      podMs,
      issuerLifeMs,
      ledger,
      clocksApartMs: world.clocksApartMs,
    };
    return createCluster({ ...options, spec: specs.get(name) ?? {}, seed: Math.floor(random() * 2 ** 32) });
  });
  const leaked = new Set<AnchorKey>();
  return {
    clusters: clusters.map((cluster) => walker(cluster, leaked)),
    log: ledger.log,
    copy: ({ cluster: from }, { cluster: to }) => {
      if (from.report !== undefined) hear(to, from.name, from.report);
    },
    refusals: () =>
      clusters.flatMap((from) =>
        from.leaves.flatMap(({ chain }) => clusters.flatMap((to) => refusing(from, chain, to))),
      ),
    deceived: (keys) =>
      keys.filter((key) => leaked.has(key)).flatMap((key) => clusters.flatMap((one) => deceivedBy(key, one, clusters))),
    faults: () => ledger.faults,
  };
}

function refusing(from: Cluster, chain: IssuerChain, to: Cluster): readonly string[] {
  const pods = to.workloads.filter((one) => one.started !== undefined && !isAcceptedBy(from, chain, one));
  return pods.map(
    ({ name, bundle }) =>
      `${name} of ${to.name}, which knows ${list(keysOf(bundle))}, refuses ${from.name}'s certificate of ${chainName(chain)}`,
  );
}

function chainName({ signer, bridges }: IssuerChain): string {
  return [signer, ...bridges.map((one) => `${one.key} by ${one.signer}`)].join(', with ');
}

/** Any holder of a key can present any certificate that was ever made, under the name of any cluster. */
function deceivedBy(signer: AnchorKey, by: Cluster, clusters: readonly Cluster[]): readonly string[] {
  const accepts = ({ ahead, bundle }: Workload): boolean =>
    clusters.some(({ domain }) =>
      isAccepted(
        { domain, signer, notAfter: Number.POSITIVE_INFINITY, bridges: by.ledger.made },
        keysOf(bundle),
        by.now + ahead,
      ),
    );
  return by.workloads
    .filter((one) => one.started !== undefined && accepts(one))
    .map(({ name }) => `${name} of ${by.name} accepts what an attacker signs with ${signer}`);
}

function walker(cluster: Cluster, leaked: Set<AnchorKey>): ModelWalker {
  return {
    name: cluster.name,
    cluster,
    pass: (ms, isIssuing) => pass(cluster, ms, isIssuing),
    look: (left) => look(cluster, left),
    spec: (change) => {
      cluster.spec = { ...cluster.spec, ...change };
    },
    loseSecret: (random) => {
      const generation = pick(random, heldGenerations(cluster));
      const anchor = generation === undefined ? undefined : cluster.anchors.get(generation);
      if (anchor === undefined) return;
      anchor.chain = [];
      anchor.isIssuing = true;
      delete anchor.key;
      delete anchor.answered;
    },
    leak: (random) => {
      const key = heldKey(cluster, pick(random, heldGenerations(cluster)));
      if (key !== undefined) leaked.add(key);
      return key;
    },
    named: () => cluster.spec.compromised ?? [],
    condition: (type) => {
      const { status, ...said } = cluster.plan?.milestones.find((one) => one.type === type) ?? {};
      return { ...said, ...(status !== undefined && { status: status ? 'True' : 'False' }) };
    },
    isStable: () => cluster.plan?.phase === 'Stable' && cluster.memory.rotation === undefined,
  };
}

function heldGenerations({ anchors }: Cluster): readonly number[] {
  return [...anchors].flatMap(([generation, { chain }]) => (chain.length > 0 ? [generation] : []));
}
