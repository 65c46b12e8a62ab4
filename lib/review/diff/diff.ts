import { defined } from '#base/defined';
import { FileReader } from '../../gitops/changes/file-contents';
import type { ReadIndex, WrittenRing } from '../../gitops/synth/output/cluster-index';
import { ARGOCD_FOLDER } from '../../gitops/synth/output/file-names';
import type { Inflate } from '../compare/chart-moves';
import { clusterPairs } from '../compare/cluster-pairs';
import type { Output } from '../compare/output';
import { type ClusterDiff, clusterDiff, type DiffTools, ofRenaming, platformDiff } from './cluster-diff';
import { type ClusterSide, type ClusterTexts, clusterSide } from './cluster-side';
import { type Deployments, deploymentsOf, isRolling, ringOf, syncingOf } from './consequences/syncing';
import { DiffItems } from './diff-items';
import { type ClusterSummary, DIFF_VERSION, type OutputDiff, type RingShare, type RingSummary } from './model';

interface Outputs {
  readonly before: Output;
  readonly after: Output;
  readonly from: string;
  readonly to: string;
  /** The clusters to compare; all by default. How Argo CD deploys them is read from the whole output. */
  readonly only?: ReadonlySet<string>;
  /** Renders charts that synth renders in one output, and Helm in the other. */
  readonly inflate?: Inflate;
}

/** Compares two outputs of a platform. The result contains no keys or passwords. */
export function outputDiff({ before, after, from, to, only, inflate = () => undefined }: Outputs): OutputDiff {
  const reader = new FileReader();
  const [was, is] = [before, after].map((output) => deployedBy(output, reader)) as [Deployed, Deployed];
  const tools: DiffTools = {
    reader,
    inflate,
    // For a removed cluster, the earlier output decides: ApplicationSets of the later one may still match the cluster.
    syncingOf: (cluster) => syncingOf(cluster, after.has(cluster) ? is.deployments : was.deployments),
  };
  const clusters = new Map<string, ClusterSummary>();
  const items = new DiffItems();
  for (const { name, before: old, after: next, renamedFrom } of clusterPairs(before, after, reader)) {
    if (only !== undefined && ![name, renamedFrom ?? name].some((one) => only.has(one))) continue;
    const isCluster = name !== ARGOCD_FOLDER;
    const diff = isCluster ? clusterDiff(name, old, next, tools) : platformDiff(old, next, reader);
    const ring = isCluster ? ringOfCluster(name, next === undefined ? [old, was] : [next, is]) : undefined;
    const { state, consequences } = renamedFrom === undefined ? diff : renamed(diff, renamedFrom, was);
    clusters.set(name, { name, state, ...defined({ ring, renamedFrom }) });
    items.add(name, { ...diff, consequences });
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

function renamed(
  { consequences }: ClusterDiff,
  from: string,
  was: Deployed,
): Pick<ClusterDiff, 'state' | 'consequences'> {
  return { state: 'changed', consequences: [...ofRenaming(from, syncingOf(from, was.deployments)), ...consequences] };
}

/** Returns the rings of changed clusters, and when each gets its change. */
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

interface Deployed {
  readonly index: ClusterSide['index'];
  readonly deployments: Deployments;
}

function deployedBy(output: Output, reader: FileReader): Deployed {
  const side = clusterSide(output.get(ARGOCD_FOLDER) ?? new Map());
  return { index: side.index, deployments: deploymentsOf(side, reader) };
}

/** Outputs of earlier versions contain the ring only in a label of the Applications. */
function ringOfCluster(
  name: string,
  [texts, { deployments }]: readonly [ClusterTexts | undefined, Deployed],
): string | undefined {
  return clusterSide(texts ?? new Map()).index.ring ?? ringOf(name, deployments);
}

function ringShares(
  clusters: readonly string[],
  all: ReadonlyMap<string, ClusterSummary>,
  rings: readonly RingSummary[],
): readonly RingShare[] {
  const parts = countsOf(clusters.map((name) => all.get(name)?.ring));
  return rings.flatMap(({ ring, clusters: of }) => {
    const count = parts.get(ring);
    return count === undefined ? [] : [{ ring, clusters: count, of }];
  });
}

function ringSummaries(
  clusters: readonly ClusterSummary[],
  { rings }: Pick<ReadIndex, 'rings'>,
  isRolling: boolean,
): readonly RingSummary[] {
  const all = countsOf(clusters.map(({ ring }) => ring));
  const changed = countsOf(clusters.filter(({ state }) => state !== 'unchanged').map(({ ring }) => ring));
  const names = [...new Set([...(rings ?? []).map(({ name }) => name), ...all.keys()])].filter((name) => all.has(name));
  return names.map((ring, place) => ({
    ring,
    clusters: all.get(ring) ?? 0,
    changed: changed.get(ring) ?? 0,
    ...reachOf(rings?.find(({ name }) => name === ring)),
    ...(isRolling && place > 0 ? { rolling: true } : {}),
  }));
}

function reachOf(ring: WrittenRing | undefined): Pick<RingSummary, 'reach' | 'revision' | 'path'> {
  if (ring === undefined) return { reach: 'unknown' };
  const { revision, path } = ring;
  const at = { ...(revision === undefined ? {} : { revision }), ...(path === undefined ? {} : { path }) };
  if (path !== undefined) return { reach: 'promotion', ...at };
  return { reach: revision === undefined ? 'merge' : 'revision', ...at };
}

function countsOf(rings: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ring of rings) if (ring !== undefined) counts.set(ring, (counts.get(ring) ?? 0) + 1);
  return counts;
}
