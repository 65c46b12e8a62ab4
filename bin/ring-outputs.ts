import { statSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX_FILE, parseIndex, type WrittenRing } from '#lib/gitops/synth/output/cluster-index';
import type { Output } from '#lib/review/compare/output';
import { type StatusFinding, statusFinding } from '#lib/review/status/finding';
import { INTENT_FINDINGS } from '#lib/review/status/intent-findings';
import { outputInFolder } from './folder-output';
import { deployedRevision, filesAtRevision, repositoryOf } from './git-output';
import { Misuse } from './terminal';

/** The files that Argo CD deploys to a cluster, and their folder. */
export interface DeployedOutput {
  readonly texts: ReadonlyMap<string, string>;
  /** The parent of the cluster's folder; absent if its files are only in a commit. */
  readonly folder?: string;
  readonly findings: readonly StatusFinding[];
}

/**
 * Reads the files that Argo CD deploys to clusters in rings with their own folder or revision. If these cannot be read,
 * returns the cluster's files in the output, with a finding.
 *
 * @param from the folder of the output
 */
export function deployedOutputs(
  rings: ReadonlyMap<string, WrittenRing>,
  from: string,
  output: Output,
): ReadonlyMap<string, DeployedOutput> {
  const read = new Map<WrittenRing, RingOutput | string>();
  return new Map(
    [...rings].flatMap(([cluster, ring]) => {
      const source = sourceOf(ring);
      if (source === undefined) return [];
      const found = read.get(ring) ?? ringOutput(ring, from);
      read.set(ring, found);
      return [
        [cluster, deployedOutput(cluster, { ring: ring.name, source, found }, { texts: output.get(cluster), from })],
      ];
    }),
  );
}

interface Source {
  readonly ring: string;
  readonly source: string;
  readonly found: RingOutput | string;
}

function deployedOutput(
  cluster: string,
  { ring, source, found }: Source,
  written: { readonly texts: ReadonlyMap<string, string> | undefined; readonly from: string },
): DeployedOutput {
  const texts = typeof found === 'string' ? undefined : found.output.get(cluster);
  const damage = texts && parseIndex(texts.get(INDEX_FILE) ?? '').damage;
  if (typeof found === 'string' || damage !== undefined) {
    const reason = typeof found === 'string' ? found : `${cluster}/${INDEX_FILE} ${damage}`;
    const finding = statusFinding(INTENT_FINDINGS.ringOutputUnread({ ring, reason }));
    return { texts: written.texts ?? NONE, folder: written.from, findings: [finding] };
  }
  const findings = texts === undefined ? [statusFinding(INTENT_FINDINGS.clusterUnpromoted({ ring, source }))] : [];
  return { texts: texts ?? NONE, findings, ...(found.folder !== undefined && { folder: found.folder }) };
}

const NONE: ReadonlyMap<string, string> = new Map();

interface RingOutput {
  readonly output: Output;
  readonly folder?: string;
}

function sourceOf({ revision, path }: WrittenRing): string | undefined {
  const parts = [
    ...(revision === undefined ? [] : [`the revision ${revision}`]),
    ...(path === undefined ? [] : [`the folder ${path}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Returns the output of a ring, or the reason why it cannot be read. */
function ringOutput({ revision, path }: WrittenRing, from: string): RingOutput | string {
  try {
    if (revision !== undefined) {
      const choice = { option: '', clusters: [], ...(path !== undefined && { path }) };
      return { output: filesAtRevision(deployedRevision(revision, from), from, choice) };
    }
    const folder = join(repositoryOf(from), path ?? '');
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    return isFolder ? { output: outputInFolder(folder), folder } : `${folder} is not a folder`;
  } catch (error) {
    if (error instanceof Misuse) return error.message;
    throw error;
  }
}
