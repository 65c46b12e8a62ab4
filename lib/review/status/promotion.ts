import type { FleetIntent } from './intent';
import type { ClusterStatus } from './status';

/** How the ring after another one gets what runs on that one. */
export type NextPromotion =
  | {
      readonly ring: string;
      /** A command for the root of the repository. Nothing runs it but you. */
      readonly command: string;
    }
  | { readonly refused: string };

/** Returns how to promote what runs on the clusters of a ring to the ring after it. */
export function nextPromotion({ rings }: FleetIntent, name: string, clusters: readonly ClusterStatus[]): NextPromotion {
  const index = rings.findIndex((ring) => ring.name === name);
  const next = index === -1 ? undefined : rings[index + 1];
  if (next === undefined) return { refused: `no ring comes after ${name}` };
  const { name: ring, revision, path } = next;
  if (path !== undefined) return { ring, command: `npx tsx main.ts --promote ${ring}` };
  if (revision === undefined) {
    return {
      refused: `the ring ${ring} has neither a revision nor a folder of its own: Argo CD deploys to it by itself`,
    };
  }
  const commits = new Set(clusters.map(({ commit }) => commit));
  const [commit] = commits;
  if (commits.size !== 1 || commit === undefined) {
    return { refused: `the clusters of ${name} are not known to be at one commit` };
  }
  return { ring, command: `git push origin ${commit}:refs/heads/${revision}` };
}
