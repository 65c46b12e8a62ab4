import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../../kubernetes/findings/problem';
import { formatIndex, INDEX_FILE } from './cluster-index';
import { FileContents, type FolderContents, type FolderPlan, planFolder, planRemoval } from './folder-plan';
import { OutputLock } from './output-lock';
import { StagingArea } from './staging-area';

/** A difference between a file on disk and the output. */
export interface Difference {
  /** Path in the output. */
  readonly path: string;
  /**
   * `extra`: written earlier, and no longer needed. `foreign`: not written by the library, but applied with the output.
   */
  readonly difference: 'missing' | 'different' | 'extra' | 'foreign';
}

/** The numbers of files that were, or would be, written. */
export interface WriteCounts {
  written: number;
  deleted: number;
  unchanged: number;
}

/** The result of a folder's comparison for the whole output: plain data. */
export interface FolderSummary extends Pick<FolderPlan, 'problems' | 'warnings' | 'foreign'> {
  readonly folder: string;
  readonly counts: Readonly<WriteCounts>;
  /** The differences that a check lists; empty otherwise. */
  readonly differences: readonly Difference[];
  /** Parts of the folder are staged. */
  readonly isStaged: boolean;
}

/**
 * A writer's access to an output: `check` to write nothing, `stage` if another process has the lock and commits,
 * `memory` for no output.
 */
type Access = 'check' | 'stage' | 'memory' | { readonly lock: OutputLock; readonly madeOutdir: boolean };

/**
 * Writes the output folder by folder: compares all of it and stages the differences first; then, if there are no
 * errors, `commit` moves them into place. Memory does not grow with the number of folders. Several processes may
 * compare and stage; one of them collects their summaries, and commits.
 */
export class OutputWriter {
  readonly counts: WriteCounts = { written: 0, deleted: 0, unchanged: 0 };
  /** All differences; kept only in a check. */
  readonly differences: Difference[] = [];
  /** File contents by path for each folder; kept only in memory. */
  readonly kept = new Map<string, ReadonlyMap<string, string>>();
  /** Identifies the output, and whether it is only compared: the same in all processes of a synthesis. */
  readonly target: string;
  private readonly texts = new Map<string, string>();
  private readonly staging: StagingArea;
  private readonly contents = new FileContents();
  private readonly changed: string[] = [];
  private readonly removed: string[] = [];

  private constructor(
    private readonly outdir: string,
    private readonly access: Access,
    /** The id of the synthesis. */
    readonly id: string,
  ) {
    this.target = JSON.stringify([outdir, access === 'check']);
    this.staging = new StagingArea(outdir, id);
    if (typeof access === 'object') this.staging.discard();
  }

  /**
   * Opens an output, unless another process is writing it.
   *
   * @param check to find differences only, and write nothing
   */
  static open(outdir: string, check: boolean): OutputWriter | Problem {
    const id = randomUUID();
    if (check) return OutputLock.holder(outdir) ?? new OutputWriter(outdir, 'check', id);
    const madeOutdir = mkdirSync(outdir, { recursive: true }) !== undefined;
    const lock = OutputLock.acquire(outdir);
    if (!(lock instanceof OutputLock)) return lock;
    try {
      return new OutputWriter(outdir, { lock, madeOutdir }, id);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Opens an output that another process has open, and which commits what is staged here. */
  static join(outdir: string, check: boolean, id: string): OutputWriter {
    return new OutputWriter(outdir, check ? 'check' : 'stage', id);
  }

  /** Opens no output: files are kept in memory, and compared with nothing. */
  static inMemory(): OutputWriter {
    return new OutputWriter('', 'memory', randomUUID());
  }

  /** Compares one folder, stages the differences, and adds its summary. */
  add(folder: string, contents: FolderContents): FolderSummary {
    const summary = this.summarize(folder, this.stage(folder, contents));
    this.take(summary);
    return summary;
  }

  /** Compares one folder and stages the differences. */
  stage(folder: string, contents: FolderContents): FolderPlan {
    if (this.access === 'memory') {
      this.kept.set(folder, new Map([...contents.files].map(([path, text]) => [path, this.shared(text)])));
      return { missing: [], different: [], extra: [], foreign: [], unchanged: 0, problems: [], warnings: [] };
    }
    const plan = planFolder(join(this.outdir, folder), contents, this.contents);
    if (this.access === 'check' || plan.problems.length > 0) return plan;
    for (const path of [...plan.missing, ...plan.different]) {
      this.staging.write(folder, path, textOf(contents, path));
    }
    return plan;
  }

  /** Returns the kept string that is equal, if any: clusters share most strings. */
  private shared(text: string): string {
    const known = this.texts.get(text) ?? text;
    this.texts.set(known, known);
    return known;
  }

  summarize(folder: string, plan: FolderPlan): FolderSummary {
    const { missing, different, extra, unchanged, problems, warnings, foreign } = plan;
    const written = missing.length + different.length;
    const kinds = this.access === 'check' ? Object.entries({ missing, different, extra } as const) : [];
    return {
      folder,
      counts: { written, deleted: extra.length, unchanged },
      differences: kinds.flatMap(([difference, paths]) =>
        paths.map((path) => ({ path: `${folder}/${path}`, difference: difference as Difference['difference'] })),
      ),
      isStaged: this.access !== 'check' && problems.length === 0 && written > 0,
      problems,
      warnings,
      foreign,
    };
  }

  /** Adds the summary of a folder that was compared here or by another process. */
  take({ folder, counts, differences, isStaged }: FolderSummary): void {
    if (typeof this.access === 'object') this.access.lock.touch();
    this.counts.written += counts.written;
    this.counts.deleted += counts.deleted;
    this.counts.unchanged += counts.unchanged;
    for (const difference of differences) this.differences.push(difference);
    if (isStaged) this.changed.push(folder);
  }

  /** Returns the folders of earlier outputs that are not among these. */
  otherFolders(wanted: ReadonlySet<string>): readonly string[] {
    if (!existsSync(this.outdir)) return [];
    return readdirSync(this.outdir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !wanted.has(entry.name))
      .map((entry) => entry.name)
      .filter((name) => existsSync(join(this.outdir, name, INDEX_FILE)))
      .sort();
  }

  /** Marks what was written into a folder for deletion. */
  remove(folder: string): FolderSummary {
    const summary = this.summarize(folder, planRemoval(join(this.outdir, folder)));
    this.take(summary);
    this.removed.push(folder);
    return summary;
  }

  /** Moves all staged files into place. */
  commit(): void {
    if (typeof this.access === 'string') return;
    const { lock } = this.access;
    for (const folder of this.changed) {
      lock.touch();
      this.staging.commit(folder);
    }
    for (const folder of this.removed) this.staging.remove(folder);
    this.staging.discard();
    lock.release();
  }

  /** Leaves everything unchanged. Never throws: the reason for it is the error to report. */
  abort(): void {
    if (typeof this.access === 'string') return;
    const { lock, madeOutdir } = this.access;
    attempt(() => this.staging.discard());
    if (madeOutdir) attempt(() => rmdirSync(this.outdir));
    attempt(() => lock.release());
  }
}

/** Cleans up as far as possible: the next synthesis removes the rest. */
function attempt(clean: () => void): void {
  try {
    clean();
  } catch {
    // A folder that is not empty, or not writable.
  }
}

/** Errors of a file system in which another process adds, moves or removes files. */
const CONCURRENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR']);

/** Whether an error of writing an output is due to another process that changes it at the same time. */
export function isConcurrentModification(error: unknown): error is Error {
  if (typeof error !== 'object' || error === null || !('syscall' in error && 'code' in error)) return false;
  return CONCURRENT.has(error.code);
}

function textOf({ files, index }: FolderContents, path: string): string {
  return files.get(path) ?? formatIndex(index);
}
