import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../validation/problem';
import { formatIndex, INDEX_FILE } from './cluster-index';
import { type FolderContents, type FolderPlan, planFolder, planRemoval } from './folder-plan';
import { StagingArea } from './staging-area';

/** One way in which a file on disk is not as it should be. */
export interface Difference {
  /** Path in the output. */
  readonly path: string;
  /** `extra`: written earlier, and no longer wanted. */
  readonly difference: 'missing' | 'different' | 'extra';
}

/** What was, or would be, written. */
export interface WriteCounts {
  written: number;
  deleted: number;
  unchanged: number;
}

/**
 * Writes the output folder by folder: first all of it is compared and what differs is staged, then, when everything is
 * known to be right, `commit` moves it into place. Memory does not grow with the number of folders.
 */
export class OutputWriter {
  readonly counts: WriteCounts = { written: 0, deleted: 0, unchanged: 0 };
  /** All differences; kept only where nothing is to be written. */
  readonly differences: Difference[] = [];
  private readonly staging: StagingArea;
  private readonly madeOutdir: boolean;
  private readonly changed: string[] = [];
  private readonly removed: string[] = [];

  /** @param check to find differences only, and write nothing */
  constructor(
    private readonly outdir: string,
    private readonly check: boolean,
  ) {
    this.staging = new StagingArea(outdir);
    this.madeOutdir = !check && !existsSync(outdir);
    if (check) return;
    mkdirSync(outdir, { recursive: true });
    this.staging.discard();
  }

  /** Compares one folder and stages what differs. */
  add(folder: string, contents: FolderContents): readonly Problem[] {
    const plan = planFolder(join(this.outdir, folder), contents);
    this.count(folder, plan);
    if (this.check || plan.problems.length > 0) return plan.problems;
    const changes = [...plan.missing, ...plan.different];
    for (const path of changes) this.staging.write(folder, path, textOf(contents, path));
    if (changes.length > 0) this.changed.push(folder);
    return [];
  }

  /** The folders of earlier outputs that are none of these. */
  otherFolders(wanted: ReadonlySet<string>): readonly string[] {
    if (!existsSync(this.outdir)) return [];
    return readdirSync(this.outdir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !wanted.has(entry.name))
      .map((entry) => entry.name)
      .filter((name) => existsSync(join(this.outdir, name, INDEX_FILE)))
      .sort();
  }

  /** Marks what was written into a folder for deletion. */
  remove(folder: string): readonly Problem[] {
    const plan = planRemoval(join(this.outdir, folder));
    this.count(folder, plan);
    if (plan.problems.length === 0) this.removed.push(folder);
    return plan.problems;
  }

  /** Moves all that is staged into place. */
  commit(): void {
    for (const folder of this.changed) this.staging.commit(folder);
    for (const folder of this.removed) this.staging.remove(folder);
    this.staging.discard();
  }

  /** Leaves everything as it was. */
  abort(): void {
    if (this.check) return;
    this.staging.discard();
    if (this.madeOutdir && readdirSync(this.outdir).length === 0) rmdirSync(this.outdir);
  }

  private count(folder: string, { missing, different, extra, unchanged }: FolderPlan): void {
    this.counts.written += missing.length + different.length;
    this.counts.deleted += extra.length;
    this.counts.unchanged += unchanged;
    if (!this.check) return;
    for (const [difference, paths] of Object.entries({ missing, different, extra } as const)) {
      for (const path of paths) {
        this.differences.push({ path: `${folder}/${path}`, difference: difference as Difference['difference'] });
      }
    }
  }
}

function textOf({ files, index }: FolderContents, path: string): string {
  return files.get(path) ?? formatIndex(index);
}
