import { join } from 'node:path';
import { type Finding, findingsAt } from '#base/findings/finding';
import type { Installed } from '#linkerd/releases/installed';
import type { ArgoCdOptions } from '../argocd/argocd-objects';
import { renamedClusters, writtenAddress, writtenDestinations } from '../argocd/written-destinations';
import type { FileReader } from '../changes/file-contents';
import { CHANGE_FINDINGS } from '../changes/findings';
import { isOfImmutable } from '../changes/immutable-fields';
import { anchorChange, checkAnchorChange, meshTrust, tellsTrust } from '../changes/mesh-trust';
import { findRefusedUpdates } from '../changes/refused-updates';
import { findReleaseChange } from '../changes/release-change';
import type { ClusterDefinition } from '../synth/build-cluster';
import { ARGOCD_FOLDER } from '../synth/output/file-names';
import { writtenTexts } from '../synth/output/folder-plan';

/** The output of a cluster on disk, and a later one. */
interface Outputs {
  /** The folder on disk. */
  readonly folder: string;
  readonly before: Installed | undefined;
  readonly after: Installed | undefined;
  /** The files of the later output. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of files that differ, or that only one of the outputs has. */
  readonly different: readonly string[];
}

/** Returns the findings about what changes in a cluster: releases, the trust anchor, immutable fields. */
export function findChanges(path: string, outputs: Outputs, reader: FileReader): readonly Finding[] {
  return [
    ...findReleaseChange(path, outputs.before, outputs.after),
    ...findAnchorChange(path, outputs, reader),
    ...findImmutable(path, outputs, reader),
  ];
}

function findAnchorChange(path: string, { folder, files, different }: Outputs, reader: FileReader): readonly Finding[] {
  if (!different.some(tellsTrust)) return [];
  const before = meshTrust(writtenTexts(folder, tellsTrust), reader);
  const change = before && anchorChange(before, meshTrust(files, reader));
  return change?.isAccepted ? [] : findingsAt(path, checkAnchorChange(change));
}

function findImmutable(path: string, { folder, files, different }: Outputs, reader: FileReader): readonly Finding[] {
  const paths = new Set(different.filter(isOfImmutable));
  const before = paths.size === 0 ? new Map<string, string>() : writtenTexts(folder, (file) => paths.has(file));
  // In most runs, no file with immutable fields differs.
  if (before.size === 0) return [];
  const after = new Map([...files].filter(([file]) => paths.has(file)));
  return findRefusedUpdates(path, { before, after }, reader);
}

/** Returns the name on disk of each renamed cluster, by its new name. */
export function renamedOnDisk(
  outdir: string,
  clusters: readonly Pick<ClusterDefinition, 'name' | 'props'>[],
  reader: FileReader,
): ReadonlyMap<string, string> {
  const sets = writtenTexts(join(outdir, ARGOCD_FOLDER), (path) => path.startsWith('applicationset.'));
  const objects = [...sets].flatMap(([path, text]) => {
    const contents = reader.read(path, text);
    return contents.is === 'object' ? [contents.object] : [];
  });
  const destinations = clusters.map(({ name, props }) => [name, givenAddress(props)] as const);
  return renamedClusters(writtenDestinations(objects), new Map(destinations));
}

/** Empty for an invalid destination, or one whose getter throws: the cluster reports both. */
function givenAddress({ destination = OWN }: ClusterDefinition['props']): string {
  try {
    return writtenAddress(destination) ?? '';
  } catch {
    return '';
  }
}

const OWN = { server: 'https://kubernetes.default.svc' };

/** Returns the finding about a renamed cluster. */
export function findRenaming(
  after: string,
  before: string | undefined,
  { applicationsSync = 'create-update', preserveResourcesOnDeletion = true }: ArgoCdOptions,
): readonly Finding[] {
  if (before === undefined) return [];
  const isDeleted =
    !preserveResourcesOnDeletion && (applicationsSync === 'sync' || applicationsSync === 'create-delete');
  const renamed = isDeleted ? CHANGE_FINDINGS.clusterRenamedDeleted : CHANGE_FINDINGS.clusterRenamed;
  return findingsAt(after, [renamed({ before, after })]);
}
