import {
  MEMBER_CONFIG_MAP,
  MEMBER_LABEL,
  memberCopyName,
  type TrustAnchorSpec,
} from '../../../../operator/api/trust-anchor';
import { pick, type Random } from '../random';
import { brokenPods, issuerChain, type PlayedMesh, type PlayedOperator, playedMesh } from './played-mesh';

const MINUTE = 60_000;

/** The reach of a proxy's certificate: its lifetime and the clock skew of played meshes. */
const LEAF_MS = 5 * MINUTE + 1_000;

/** One of several linked clusters. */
export interface Linked {
  readonly name: string;
  readonly mesh: PlayedMesh;
  /** What it issued, and until when that may be in use. */
  readonly leaves: Map<string, { readonly chain: readonly string[]; readonly until: number }>;
  operator: PlayedOperator;
}

/** Clusters that share what one of them, the hub, certifies: all is by one clock, in an order by chance. */
export interface LinkedMeshes {
  readonly clusters: readonly Linked[];
  /** Lets a minute or so pass in all of them; reports travel, operators look, and cert-manager works, or not. */
  step(random: Random, isPrompt?: boolean): Promise<void>;
  /** The proxies that refuse a certificate of their own or of another cluster. */
  refusals(): readonly string[];
}

/** Makes a hub, and clusters that it certifies; pods of each live as long as `podMs` says. */
export function linkedMeshes(
  names: readonly string[],
  { isConstrained, podMs }: { readonly isConstrained: boolean; readonly podMs: (name: string) => number },
): LinkedMeshes {
  const [hub = '', ...spokes] = names;
  const domainOf = (name: string) => (isConstrained ? { trustDomain: `${name}.example` } : {});
  const specOf = (name: string): Partial<TrustAnchorSpec> => ({
    cluster: name,
    members: names.filter((other) => other !== name),
    commonName: `root.${name}.example`,
    ...(name === hub
      ? { certifies: spokes.map((cluster) => ({ cluster, ...domainOf(cluster) })) }
      : { bridge: { signedBy: 'Member', ifUnsigned: 'Restart', member: hub, ...domainOf(name) } }),
  });
  const clusters = names.map((name): Linked => {
    const mesh = playedMesh(specOf(name), podMs(name));
    return { name, mesh, leaves: new Map(), operator: mesh.operator() };
  });
  const copy = (from: Linked, to: Linked): void => {
    const report = from.mesh.api.find('configmaps', `cert-manager/${MEMBER_CONFIG_MAP}`);
    if (report === undefined) return;
    const { name } = from;
    const labels = { [MEMBER_LABEL]: name };
    to.mesh.api.remove('configmaps', `cert-manager/${memberCopyName(name)}`);
    to.mesh.api.put('configmaps', {
      metadata: { name: memberCopyName(name), namespace: 'cert-manager', labels },
      data: report.data,
    });
  };
  const look = async (one: Linked): Promise<void> => {
    try {
      await one.operator.look();
    } catch {
      one.operator = one.mesh.operator();
    }
    const chain = issuerChain(one.mesh.api);
    if (chain.length > 0) one.leaves.set(chain.join(''), { chain, until: one.mesh.now() + LEAF_MS });
  };
  return {
    clusters,
    step: async (random, isPrompt = false) => {
      const does = (chance: number): boolean => isPrompt || random() < chance;
      const ms = isPrompt ? MINUTE : Math.ceil(random() * 2 * MINUTE);
      for (const { mesh } of clusters) {
        if (does(0.7)) mesh.away.delete('cert-manager');
        else mesh.away.add('cert-manager');
        mesh.pass(ms);
      }
      for (const [from, to] of pairsOf(clusters)) if (does(0.2)) copy(from, to);
      for (const one of shuffled(random, clusters)) if (does(0.8)) await look(one);
      const restarted = does(0.95) ? undefined : pick(random, clusters);
      if (restarted !== undefined) restarted.operator = restarted.mesh.operator();
    },
    refusals: () =>
      clusters.flatMap((from) => {
        const now = from.mesh.now();
        const live = [...from.leaves].filter(([, { until }]) => now < until);
        return clusters.flatMap(({ name, mesh }) =>
          live.flatMap(([, { chain }]) => brokenPods(mesh, chain).map((why) => `${from.name} -> ${name}: ${why}`)),
        );
      }),
  };
}

function pairsOf<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((one) => all.flatMap((other) => (one === other ? [] : [[one, other] as const])));
}

function shuffled<T>(random: Random, all: readonly T[]): readonly T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
