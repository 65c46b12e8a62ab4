import { FileReader } from '../../gitops/changes/file-contents';
import { ARGOCD_FOLDER } from '../../gitops/synth/output/file-names';
import type { Output } from '../compare/output';
import { clusterDiff, type DiffTools, platformDiff } from './cluster-diff';
import { type ClusterSide, type ClusterTexts, clusterSide } from './cluster-side';
import { type Deployments, deploymentsOf, isRolling, ringOf, syncingOf } from './consequences/syncing';
import { DiffItems } from './diff-items';
import { type ClusterSummary, DIFF_VERSION, type OutputDiff, type RingSummary } from './model';
import { ringShares, ringSummaries } from './rings';

/** Two outputs of a platform, and what to call them. */
export interface Outputs {
  readonly before: Output;
  readonly after: Output;
  readonly from: string;
  readonly to: string;
  /** The names of the clusters that are told; how Argo CD deploys them is read from what is not told, too. */
  readonly only?: ReadonlySet<string>;
}

/** Compares two outputs of a platform. No key and no password is in the result. */
export function outputDiff({ before, after, from, to, only }: Outputs): OutputDiff {
  const reader = new FileReader();
  const [was, is] = [before, after].map((output) => deployedBy(output, reader)) as [Deployed, Deployed];
  const tools: DiffTools = {
    reader,
    // What is gone is as the output that had it says; the later one may deploy clusters that it does not know.
    syncingOf: (cluster) => syncingOf(cluster, after.has(cluster) ? is.deployments : was.deployments),
  };
  const clusters = new Map<string, ClusterSummary>();
  const items = new DiffItems();
  const names = new Set([...before.keys(), ...after.keys()]);
  for (const name of [...names].filter((each) => only?.has(each) ?? true).sort()) {
    const [old, next] = [before.get(name), after.get(name)];
    const isCluster = name !== ARGOCD_FOLDER;
    const diff = isCluster ? clusterDiff(name, old, next, tools) : platformDiff(old, next, reader);
    const ring = isCluster ? ringOfCluster(name, next === undefined ? [old, was] : [next, is]) : undefined;
    clusters.set(name, { name, state: diff.state, ...(ring === undefined ? {} : { ring }) });
    items.add(name, diff);
  }
  const rings = ringsIn([...clusters.values()], was, is);
  return {
    version: DIFF_VERSION,
    from,
    to,
    rings,
    clusters: [...clusters.values()],
    groups: items.groups().map((group) => ({ ...group, rings: ringShares(group.clusters, clusters, rings) })),
  };
}

/** The rings of clusters that change in some way, and when each gets its change. */
export function ringsOfOutputs(
  { before, after }: Pick<Outputs, 'before' | 'after'>,
  states: ReadonlyMap<string, ClusterSummary['state']>,
): readonly RingSummary[] {
  const reader = new FileReader();
  const [was, is] = [before, after].map((output) => deployedBy(output, reader)) as [Deployed, Deployed];
  const clusters = [...states].map(([name, state]): ClusterSummary => {
    const next = after.get(name);
    const ring = ringOfCluster(name, next === undefined ? [before.get(name), was] : [next, is]);
    return { name, state, ...(ring === undefined ? {} : { ring }) };
  });
  return ringsIn(clusters, was, is);
}

function ringsIn(clusters: readonly ClusterSummary[], was: Deployed, is: Deployed): readonly RingSummary[] {
  const index = is.index.rings === undefined ? was.index : is.index;
  return ringSummaries(clusters, index, isRolling(is.deployments));
}

/** The way in which an output says that it is deployed. */
interface Deployed {
  readonly index: ClusterSide['index'];
  readonly deployments: Deployments;
}

function deployedBy(output: Output, reader: FileReader): Deployed {
  const side = clusterSide(output.get(ARGOCD_FOLDER) ?? new Map());
  return { index: side.index, deployments: deploymentsOf(side, reader) };
}

/** The ring of a cluster: by its index, or, in outputs of earlier versions, by the label of its Applications. */
function ringOfCluster(
  name: string,
  [texts, { deployments }]: readonly [ClusterTexts | undefined, Deployed],
): string | undefined {
  return clusterSide(texts ?? new Map()).index.ring ?? ringOf(name, deployments);
}
