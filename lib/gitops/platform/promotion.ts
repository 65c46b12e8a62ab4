import { join, posix, resolve } from 'node:path';
import { findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import type { Warning } from '../../checks/warnings';
import { checkRings, type Ring } from '../argocd/ring';
import type { ClusterDefinition } from '../synth/build-cluster';
import { FolderListing } from '../synth/output/folder-listing';
import { readCluster } from '../synth/output/folder-plan';
import { isMissing } from '../synth/output/outdir-check';
import { OutputLock } from '../synth/output/output-lock';
import type { OutputWriter } from '../synth/output/output-writer';
import { findChanges } from './changes-on-disk';
import type { SynthOptions } from './command-line';
import { PLATFORM_FINDINGS } from './findings';
import type { OutputRun } from './output-run';
import type { SynthReport } from './report';
import { checkGivenRings, unknownRing } from './rings';

/** A promotion of the output of a ring's clusters to the folder from which the ring is read. */
interface Promotion {
  /** The ring's folder on disk. */
  readonly outdir: string;
  /** Names of the ring's clusters. */
  readonly clusters: readonly string[];
  /** Names of all clusters in the ring's folder, which other rings may share. */
  readonly residents: ReadonlySet<string>;
}

/** The location of an output, on disk and in the repository. */
interface OutputPlace {
  readonly outdir: string;
  readonly path: string;
}

/** Plans the promotion of a ring, or returns the problem that prevents it. */
function planPromotion(
  name: string,
  { rings, clusters, place }: { rings: readonly Ring[]; clusters: readonly ClusterDefinition[]; place: OutputPlace },
): Promotion | Problem {
  const ring = rings.find((each) => each.name === name);
  if (ring === undefined) {
    return unknownRing(
      name,
      rings.map((each) => each.name),
    );
  }
  const { path } = ring;
  if (path === undefined || path === place.path) return PLATFORM_FINDINGS.promotionRefusedPath({ ring: name });
  const pathOf = new Map(rings.map((each) => [each.name, each.path]));
  const residents = clusters.filter(({ props }) => props.ring !== undefined && pathOf.get(props.ring) === path);
  return {
    // On disk and in the repository, the ring's folder has the same path relative to the output.
    outdir: resolve(place.outdir, posix.relative(place.path, path)),
    clusters: residents.filter(({ props }) => props.ring === name).map((each) => each.name),
    residents: new Set(residents.map((each) => each.name)),
  };
}

/**
 * Warns about packed charts that the user added to the output of a cluster, but not to its promoted copy. A promotion
 * copies only what a synthesis wrote.
 *
 * @param files paths of all files in the cluster's folder, of the output and of the ring
 */
function checkCharts(
  folder: string,
  files: { readonly output: readonly string[]; readonly promoted: readonly string[] },
): readonly Warning[] {
  const there = new Set(files.promoted);
  const left = files.output.filter((path) => /^[^/]+\/charts\/[^/]+\.tgz$/.test(path) && !there.has(path));
  if (left.length === 0) return [];
  return [PLATFORM_FINDINGS.promotedWithoutCharts({ folder, charts: left.join(', ') })];
}

/** Copies the output of a ring's clusters to the folder from which the ring is read: all of it, or nothing. */
export function promote(
  output: OutputRun,
  ring: string,
  { check = false, strict = false, places = false }: Pick<SynthOptions, 'check' | 'strict' | 'places'>,
): SynthReport {
  output.hasPlaces = places;
  const { rings = [], path = 'dist' } = output.facts.argocd;
  const wrong = [...checkGivenRings(output.facts.rings), ...checkRings(rings, path)];
  if (wrong.length > 0) throw output.refusal(findingsAt('platform', wrong));
  const plan = planPromotion(ring, { rings, clusters: output.clusters, place: { outdir: output.outdir, path } });
  if ('code' in plan) throw output.refusal(findingsAt('platform', [plan]));
  const writer = output.openWriter(check, plan.outdir);
  return output.finish(writer, { check, strict, clusters: plan.clusters }, () => {
    const lock = lockOutput(output, check);
    try {
      const clusters = plan.clusters.map((name) => ({ name }));
      output.forEach(clusters, ({ name }) => promoteCluster(output, name, { outdir: plan.outdir, writer }));
    } finally {
      lock?.release();
    }
    const gone = writer.otherFolders(plan.residents);
    for (const folder of gone) output.add(folder, { onDisk: writer.remove(folder) });
    return gone;
  });
}

/** Locks the output against a process that would write it while it is read. */
function lockOutput(output: OutputRun, check: boolean): OutputLock | undefined {
  const isKept = !check && !isMissing(output.outdir);
  const lock = isKept ? OutputLock.acquire(output.outdir) : OutputLock.holder(output.outdir);
  if (lock === undefined || lock instanceof OutputLock) return lock;
  output.errors.push(...findingsAt('platform', [lock]));
  return undefined;
}

function promoteCluster(
  output: OutputRun,
  name: string,
  { outdir, writer }: { readonly outdir: string; readonly writer: OutputWriter },
): void {
  const written = readCluster(join(output.outdir, name));
  if ('code' in written) {
    output.add(name, { found: findingsAt(name, [written]) });
    return;
  }
  const onDisk = writer.add(name, written.contents);
  const folders = { output: join(output.outdir, name), promoted: join(outdir, name) };
  const filesIn = (folder: string) => new FolderListing(folder).files();
  const charts = findingsAt(
    name,
    checkCharts(folders.promoted, { output: filesIn(folders.output), promoted: filesIn(folders.promoted) }),
  );
  const changes = findChanges(
    name,
    {
      folder: folders.promoted,
      before: onDisk.installed,
      after: written.installed,
      files: written.contents.files,
      different: [...onDisk.missing, ...onDisk.different, ...onDisk.extra],
    },
    output.reader,
  );
  output.add(name, { found: [...changes, ...charts], onDisk });
}
