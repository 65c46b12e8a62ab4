import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { formatIndex, INDEX_FILE } from './cluster-index';
import { FileContents, type FolderContents, type FolderPlan, NOTHING, planFolder, planRemoval } from './folder-plan';
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

/** A writer's access to an output: `check` to write nothing, `memory` for no output. */
type Access = 'check' | 'memory' | { readonly lock: OutputLock; readonly madeOutdir: boolean };

/**
 * Writes the output folder by folder. First it compares all folders and stages the differences. If there are no errors,
 * `commit` then moves them into place. Memory does not grow with the number of folders.
 */
export class OutputWriter {
  readonly counts: WriteCounts = { written: 0, deleted: 0, unchanged: 0 };
  /** All differences; kept only in a check. */
  readonly differences: Difference[] = [];
  /** File contents by path for each folder; kept only in memory. */
  readonly kept = new Map<string, ReadonlyMap<string, string>>();
  private readonly texts = new Map<string, string>();
  private readonly staging: StagingArea;
  private readonly contents = new FileContents();
  private readonly changed: string[] = [];
  private readonly removed: string[] = [];

  private constructor(
    private readonly outdir: string,
    private readonly access: Access,
  ) {
    this.staging = new StagingArea(outdir);
    if (typeof access === 'object') this.staging.discard();
  }

  /**
   * Opens an output, unless another process is writing it.
   *
   * @param check to find differences only, and write nothing
   */
  static open(outdir: string, check: boolean): OutputWriter | Problem {
    if (check) return OutputLock.holder(outdir) ?? new OutputWriter(outdir, 'check');
    const madeOutdir = mkdirSync(outdir, { recursive: true }) !== undefined;
    const lock = OutputLock.acquire(outdir);
    if (!(lock instanceof OutputLock)) return lock;
    try {
      return new OutputWriter(outdir, { lock, madeOutdir });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Opens no output: files are kept in memory, and compared with nothing. */
  static inMemory(): OutputWriter {
    return new OutputWriter('', 'memory');
  }

  /** Whether there is no output on disk. */
  get isInMemory(): boolean {
    return this.access === 'memory';
  }

  /** Compares one folder, and stages the differences. */
  add(folder: string, contents: FolderContents): FolderPlan {
    if (this.access === 'memory') {
      this.kept.set(folder, new Map([...contents.files].map(([path, text]) => [path, this.shared(text)])));
      return NOTHING;
    }
    const plan = planFolder(join(this.outdir, folder), contents, this.contents);
    this.count(folder, plan);
    if (this.access === 'check' || plan.problems.length > 0) return plan;
    const staged = [...plan.missing, ...plan.different];
    for (const path of staged) this.staging.write(folder, path, textOf(contents, path));
    if (staged.length > 0) this.changed.push(folder);
    return plan;
  }

  /** Returns the kept string that is equal, if any: clusters share most strings. */
  private shared(text: string): string {
    const known = this.texts.get(text) ?? text;
    this.texts.set(known, known);
    return known;
  }

  private count(folder: string, { missing, different, extra, unchanged }: FolderPlan): void {
    if (typeof this.access === 'object') this.access.lock.touch();
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

  /** Returns the folders of earlier outputs that are not in `wanted`. */
  otherFolders(wanted: ReadonlySet<string>): readonly string[] {
    if (!existsSync(this.outdir)) return [];
    return readdirSync(this.outdir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !wanted.has(entry.name))
      .map((entry) => entry.name)
      .filter((name) => existsSync(join(this.outdir, name, INDEX_FILE)))
      .sort();
  }

  /** Marks the written files of a folder for deletion. */
  remove(folder: string): FolderPlan {
    const plan = planRemoval(join(this.outdir, folder));
    this.count(folder, plan);
    this.removed.push(folder);
    return plan;
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

  /** Discards the staged changes. Never throws, because the caller reports the error that caused the abort. */
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
