import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../../kubernetes/findings/problem';
import { formatIndex, INDEX_FILE } from './cluster-index';
import { FileContents } from './file-contents';
import { type FolderContents, type FolderPlan, planFolder, planRemoval } from './folder-plan';
import { OutputLock } from './output-lock';
import { StagingArea } from './staging-area';

/** One way in which a file on disk is not as it should be. */
export interface Difference {
  /** Path in the output. */
  readonly path: string;
  /** `extra`: written earlier, and no longer wanted. `foreign`: written by others, and applied with ours. */
  readonly difference: 'missing' | 'different' | 'extra' | 'foreign';
}

/** The numbers of files that were, or would be, written. */
export interface WriteCounts {
  written: number;
  deleted: number;
  unchanged: number;
}

/** The findings in a folder: problems, warnings, foreign files, what it installed before, and the files that change. */
export type Findings = Omit<FolderPlan, 'unchanged'>;

/** A writer's hold on an output; `check` where nothing is to be written. */
type Access = 'check' | { readonly lock: OutputLock; readonly madeOutdir: boolean };

/**
 * Writes the output folder by folder: first all of it is compared and what differs is staged, then, when everything is
 * known to be right, `commit` moves it into place. Memory does not grow with the number of folders.
 */
export class OutputWriter {
  readonly counts: WriteCounts = { written: 0, deleted: 0, unchanged: 0 };
  /** All differences; kept only where nothing is to be written. */
  readonly differences: Difference[] = [];
  private readonly staging: StagingArea;
  private readonly contents = new FileContents();
  private readonly changed: string[] = [];
  private readonly removed: string[] = [];

  private constructor(
    private readonly outdir: string,
    private readonly access: Access,
  ) {
    this.staging = new StagingArea(outdir);
    if (access !== 'check') this.staging.discard();
  }

  /**
   * Opens an output, unless somebody else is writing it.
   *
   * @param check to find differences only, and write nothing
   */
  static open(outdir: string, check: boolean): OutputWriter | Problem {
    if (check) return OutputLock.holder(outdir) ?? new OutputWriter(outdir, 'check');
    const madeOutdir = mkdirSync(outdir, { recursive: true }) !== undefined;
    const lock = OutputLock.acquire(outdir);
    return lock instanceof OutputLock ? new OutputWriter(outdir, { lock, madeOutdir }) : lock;
  }

  /** Compares one folder and stages what differs. */
  add(folder: string, contents: FolderContents): Findings {
    if (this.access !== 'check') this.access.lock.touch();
    const plan = planFolder(join(this.outdir, folder), contents, this.contents);
    this.count(folder, plan);
    if (this.access === 'check' || plan.problems.length > 0) return plan;
    const changes = [...plan.missing, ...plan.different];
    for (const path of changes) this.staging.write(folder, path, textOf(contents, path));
    if (changes.length > 0) this.changed.push(folder);
    return plan;
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
  remove(folder: string): Findings {
    const plan = planRemoval(join(this.outdir, folder));
    this.count(folder, plan);
    this.removed.push(folder);
    return plan;
  }

  /** Moves all that is staged into place. */
  commit(): void {
    if (this.access === 'check') return;
    const { lock } = this.access;
    for (const folder of this.changed) {
      lock.touch();
      this.staging.commit(folder);
    }
    for (const folder of this.removed) this.staging.remove(folder);
    this.staging.discard();
    lock.release();
  }

  /** Leaves everything as it was. */
  abort(): void {
    if (this.access === 'check') return;
    const { lock, madeOutdir } = this.access;
    this.staging.discard();
    if (madeOutdir && existsSync(this.outdir) && readdirSync(this.outdir).length === 0) rmdirSync(this.outdir);
    lock.release();
  }

  private count(folder: string, { missing, different, extra, unchanged }: FolderPlan): void {
    this.counts.written += missing.length + different.length;
    this.counts.deleted += extra.length;
    this.counts.unchanged += unchanged;
    if (this.access !== 'check') return;
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
