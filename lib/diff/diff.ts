import { FileReader } from '../compare/file-contents';
import type { Output } from '../compare/output';
import { ARGOCD_FOLDER } from '../synth/output/file-names';
import { clusterDiff, type DiffTools, platformDiff } from './cluster-diff';
import { clusterSide } from './cluster-side';
import { type Deployments, deploymentsOf, ringOf, syncingOf } from './consequences/syncing';
import { DiffItems } from './diff-items';
import { type ClusterSummary, DIFF_VERSION, type OutputDiff } from './model';
import { ringShares } from './rings';

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
  const [was, is] = [before, after].map((output) =>
    deploymentsOf(clusterSide(output.get(ARGOCD_FOLDER) ?? new Map()), reader),
  );
  const tools: DiffTools = { reader, syncingOf: (cluster) => syncingOf(cluster, is ?? NOBODY) };
  const clusters = new Map<string, ClusterSummary>();
  const items = new DiffItems();
  const names = new Set([...before.keys(), ...after.keys()]);
  for (const name of [...names].filter((each) => only?.has(each) ?? true).sort()) {
    const [old, next] = [before.get(name), after.get(name)];
    const diff = name === ARGOCD_FOLDER ? platformDiff(old, next, reader) : clusterDiff(name, old, next, tools);
    const isCluster = name !== ARGOCD_FOLDER;
    const ring = isCluster ? (ringOf(name, is ?? NOBODY) ?? ringOf(name, was ?? NOBODY)) : undefined;
    clusters.set(name, { name, state: diff.state, ...(ring === undefined ? {} : { ring }) });
    items.add(name, diff);
  }
  return {
    version: DIFF_VERSION,
    from,
    to,
    clusters: [...clusters.values()],
    groups: items.groups().map((group) => ({ ...group, rings: ringShares(group.clusters, clusters) })),
  };
}

const NOBODY: Deployments = { byCluster: new Map(), others: undefined };
