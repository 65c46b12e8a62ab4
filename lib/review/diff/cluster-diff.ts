import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { FileReader } from '../../gitops/changes/file-contents';
import { INDEX_FILE } from '../../gitops/synth/output/cluster-index';
import type { Inflate } from '../compare/chart-moves';
import { clusterFacts } from '../compare/cluster-contents';
import { clusterChanges } from './changes';
import type { Sides } from './cluster-side';
import { type ClusterSide, type ClusterTexts, clusterSide, objectsOf } from './cluster-side';
import { type Consequence, consequence } from './consequences/catalogue';
import type { ComparedCluster } from './consequences/compared';
import { ofAccess } from './consequences/of-access';
import { ofAnchor, ofCertificates } from './consequences/of-certificates';
import { ofFiles, ofReleases } from './consequences/of-files';
import { ofPlatform } from './consequences/of-platform';
import { ofSettings } from './consequences/of-settings';
import { ofSync } from './consequences/of-sync';
import { ofWorkloads } from './consequences/of-workloads';
import { withoutKept } from './consequences/removals';
import type { Syncing } from './consequences/syncing';
import { deliveryMoves, ofDeliveries, withoutDeliveries } from './delivery';
import type { Change, ClusterSummary } from './model';

/** The differences of one cluster. */
export interface ClusterDiff {
  readonly state: ClusterSummary['state'];
  readonly changes: readonly Change[];
  readonly consequences: readonly Consequence[];
}

export interface DiffTools {
  readonly reader: FileReader;
  readonly syncingOf: (cluster: string) => Syncing | undefined;
  readonly inflate: Inflate;
}

const NO_FILES: ClusterTexts = new Map();

/** Compares two outputs of a cluster; either may be missing. */
export function clusterDiff(
  name: string,
  before: ClusterTexts | undefined,
  after: ClusterTexts | undefined,
  { reader, syncingOf, inflate }: DiffTools,
): ClusterDiff {
  const sides = { before: clusterSide(before ?? NO_FILES), after: clusterSide(after ?? NO_FILES) };
  const changes = clusterChanges(sides.before, sides.after, reader);
  const files = ofFiles(changes, sides, reader);
  if (before === undefined || after === undefined) {
    const state = before === undefined ? 'added' : 'removed';
    const whole = state === 'added' ? consequence({ code: 'cluster-added' }) : gone(syncingOf(name));
    const releases = ofReleases({ contents: contentsOf(sides, reader) }).filter(() => state === 'added');
    return { state, changes: changes.changes, consequences: [whole, ...files, ...releases] };
  }
  const isSameIndex = before.get(INDEX_FILE) === after.get(INDEX_FILE);
  if (changes.changes.length === 0 && isSameIndex) return { state: 'unchanged', changes: [], consequences: files };
  const contents = contentsOf(sides, reader);
  const deliveries = deliveryMoves({ contents, changes }, inflate);
  const compared: ComparedCluster = {
    ...sides,
    contents,
    changes,
    objects: once(() => objectsOf(sides.after, reader)),
    objectsBefore: once(() => objectsOf(sides.before, reader)),
    syncing: syncingOf(name),
  };
  const cluster = withoutDeliveries(compared, deliveries);
  const settled = withoutKept(cluster);
  const consequences = [
    ...files,
    ...ofRing(sides),
    ...ofDeliveries(deliveries),
    ...ofAnchor(cluster, reader),
    ...ofReleases(cluster, deliveries),
    ...ofSync(cluster),
    ...ofWorkloads(settled),
    ...ofSettings(settled),
    ...ofCertificates(cluster),
    ...ofAccess(settled),
  ];
  const state = changes.changes.length + consequences.length === 0 ? 'unchanged' : 'changed';
  return { state, changes: changes.changes, consequences };
}

/** The ring of a cluster decides when the cluster gets a change, so a move matters although the files stay the same. */
function ofRing({ before, after }: Sides): readonly Consequence[] {
  const [from, to] = [before.index.ring, after.index.ring];
  if (from === to || from === undefined || to === undefined) return [];
  return [consequence({ code: 'cluster-ring-moved', from, to })];
}

/** Argo CD keeps the Applications with the old name, or deletes them with the objects that the new ones share. */
export function ofRenaming(from: string, syncing: Syncing | undefined): readonly Consequence[] {
  if (syncing?.deletesFolders) {
    return [consequence({ code: 'cluster-renamed', from, applications: 'deleted' }, 'breaks-traffic')];
  }
  return [consequence({ code: 'cluster-renamed', from, applications: syncing === undefined ? 'unknown' : 'kept' })];
}

function gone(syncing: Syncing | undefined): Consequence {
  if (syncing?.deletesFolders) return consequence({ code: 'cluster-removed', objects: 'deleted' }, 'breaks-traffic');
  return consequence({ code: 'cluster-removed', objects: syncing === undefined ? 'unknown' : 'kept' });
}

/** Compares two outputs of the objects with which Argo CD deploys all clusters. */
export function platformDiff(
  before: ClusterTexts | undefined,
  after: ClusterTexts | undefined,
  reader: FileReader,
): ClusterDiff {
  const sides = { before: clusterSide(before ?? NO_FILES), after: clusterSide(after ?? NO_FILES) };
  const changes = clusterChanges(sides.before, sides.after, reader);
  return {
    state: changes.changes.length === 0 ? 'unchanged' : 'changed',
    changes: changes.changes,
    consequences: [...ofFiles(changes, sides, reader), ...ofPlatform(changes)],
  };
}

function contentsOf({ before, after }: Sides, reader: FileReader): ComparedCluster['contents'] {
  const of = (side: ClusterSide) => clusterFacts({ files: side.texts, index: side.index }, reader);
  return { before: of(before), after: of(after) };
}

function once(read: () => readonly KubernetesObject[]): () => readonly KubernetesObject[] {
  let known: readonly KubernetesObject[] | undefined;
  return () => {
    known ??= read();
    return known;
  };
}
