import { shellWord } from '#base/shell-word';
import type { FleetIntent } from './intent';
import type { ClusterStatus } from './status';

/** How the next ring gets the commit of a ring. */
export type NextPromotion =
  | {
      readonly ring: string;
      /** A command for you to run in the root of the repository. */
      readonly command: string;
    }
  | { readonly refused: string };

/**
 * Returns how to promote the commit on the clusters of a ring to the next ring.
 *
 * @param checked the commit of `--commit`, which all Applications have; undefined without the option
 */
export function nextPromotion(
  { rings }: FleetIntent,
  name: string,
  clusters: readonly ClusterStatus[],
  checked?: string,
): NextPromotion {
  const index = rings.findIndex((ring) => ring.name === name);
  const next = index === -1 ? undefined : rings[index + 1];
  if (next === undefined) return { refused: `no ring comes after ${name}` };
  const { name: ring, revision, path } = next;
  if (path === undefined && revision === undefined) {
    return {
      refused: `the ring ${ring} has neither its own revision nor its own folder: Argo CD deploys to it without a promotion`,
    };
  }
  const commits = new Set(clusters.map(({ commit }) => commit));
  const [commit] = commits;
  if (commits.size !== 1 || commit === undefined) {
    return { refused: `it is unknown whether the clusters of ${name} are at one commit` };
  }
  if (path !== undefined) {
    // The command copies the checkout, so the checked commit must be the commit of the checkout.
    return checked === undefined
      ? { refused: `the ring ${ring} gets a copy of this checkout: set --commit "$(git rev-parse HEAD)"` }
      : { ring, command: `npx tsx main.ts --promote ${shellWord(ring)}` };
  }
  if (!isBranch(revision)) return { refused: `the revision of the ring ${ring} is not the name of a branch` };
  return { ring, command: `git push origin ${commit}:refs/heads/${revision}` };
}

function isBranch(revision: string | undefined): revision is string {
  return revision !== undefined && /^[A-Za-z0-9][\w./-]*$/.test(revision) && !/^[0-9a-f]{40}$/.test(revision);
}
