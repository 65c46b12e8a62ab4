import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../../kubernetes/findings/problem';
import { formatIndex, INDEX_FILE } from './cluster-index';
import { FileContents, type FolderContents, type FolderPlan, planFolder, planRemoval } from './folder-plan';
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

/** The part of a folder's comparison that the output as a whole needs: plain data. */
export interface FolderSummary extends Pick<FolderPlan, 'problems' | 'warnings' | 'foreign'> {
  readonly folder: string;
  readonly counts: Readonly<WriteCounts>;
  /** Those that a check lists; empty otherwise. */
  readonly differences: readonly Difference[];
  /** Tells whether something of the folder is staged. */
  readonly isStaged: boolean;
}

/**
 * A writer's hold on an output: `check` where nothing is to be written, `stage` where another process has the lock and
 * commits, `memory` where there is no output.
 */
type Access = 'check' | 'stage' | 'memory' | { readonly lock: OutputLock; readonly madeOutdir: boolean };

/**
 * Writes the output folder by folder: first all of it is compared and what differs is staged, then, when everything is
 * known to be right, `commit` moves it into place. Memory does not grow with the number of folders. Several processes may
 * compare and stage; one of them takes up what they summarize, and commits.
 */
export class OutputWriter {
  readonly counts: WriteCounts = { written: 0, deleted: 0, unchanged: 0 };
  /** All differences; kept only where nothing is to be written. */
  readonly differences: Difference[] = [];
  /** Texts by path of each folder; kept only where there is no output. */
  readonly kept = new Map<string, ReadonlyMap<string, string>>();
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
    this.staging = new StagingArea(outdir, id);
    if (typeof access === 'object') this.staging.discard();
  }

  /**
   * Opens an output, unless somebody else is writing it.
   *
   * @param check to find differences only, and write nothing
   */
  static open(outdir: string, check: boolean): OutputWriter | Problem {
    const id = randomUUID();
    if (check) return OutputLock.holder(outdir) ?? new OutputWriter(outdir, 'check', id);
    const madeOutdir = mkdirSync(outdir, { recursive: true }) !== undefined;
    const lock = OutputLock.acquire(outdir);
    return lock instanceof OutputLock ? new OutputWriter(outdir, { lock, madeOutdir }, id) : lock;
  }

  /** Opens an output that another process has open: what is staged here is that one's to commit. */
  static join(outdir: string, check: boolean, id: string): OutputWriter {
    return new OutputWriter(outdir, check ? 'check' : 'stage', id);
  }

  /** Opens no output: files are kept in memory, and compared with nothing. */
  static inMemory(): OutputWriter {
    return new OutputWriter('', 'memory', randomUUID());
  }

  /** Compares one folder, stages what differs, and takes it up. */
  add(folder: string, contents: FolderContents): FolderSummary {
    const summary = this.summarize(folder, this.stage(folder, contents));
    this.take(summary);
    return summary;
  }

  /** Compares one folder and stages what differs. */
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

  /** Returns the text that is kept already, if there is an equal one: clusters have most in common. */
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

  /** Takes up a folder that was compared, here or by a process that joined. */
  take({ folder, counts, differences, isStaged }: FolderSummary): void {
    if (typeof this.access === 'object') this.access.lock.touch();
    this.counts.written += counts.written;
    this.counts.deleted += counts.deleted;
    this.counts.unchanged += counts.unchanged;
    for (const difference of differences) this.differences.push(difference);
    if (isStaged) this.changed.push(folder);
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
  remove(folder: string): FolderSummary {
    const summary = this.summarize(folder, planRemoval(join(this.outdir, folder)));
    this.take(summary);
    this.removed.push(folder);
    return summary;
  }

  /** Moves all that is staged into place. */
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

  /** Leaves everything as it was. */
  abort(): void {
    if (typeof this.access === 'string') return;
    const { lock, madeOutdir } = this.access;
    this.staging.discard();
    if (madeOutdir && existsSync(this.outdir) && readdirSync(this.outdir).length === 0) rmdirSync(this.outdir);
    lock.release();
  }
}

/** Errors of a file system in which another process adds, moves or removes files. */
const CONCURRENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR']);

/** Returns whether an error of writing an output comes from another process that changes it meanwhile. */
export function isConcurrentModification(error: unknown): error is Error {
  if (typeof error !== 'object' || error === null || !('syscall' in error && 'code' in error)) return false;
  return CONCURRENT.has(error.code);
}

function textOf({ files, index }: FolderContents, path: string): string {
  return files.get(path) ?? formatIndex(index);
}
