import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ClusterIndex, formatIndex, INDEX_FILE, withFiles } from './cluster-index';
import { FolderListing } from './folder-listing';
import { readIndex } from './folder-plan';

/** Name of the staging area in the output; it is there only while something is being written. */
const STAGING = '.cdk8s-linkerd-staging';

/**
 * Keeps changed files beside the output until all of it is known to be right, and then moves them into place. A file
 * or a new folder arrives whole, by a rename, or not at all.
 *
 * Whenever the process is killed, the next run can repair the tree: an index lists every file that is, or is about to
 * be, in its folder, so no file is ever there of which nobody knows that we wrote it.
 */
export class StagingArea {
  private readonly root: string;
  private readonly indexes: string;
  private readonly made = new Set<string>();

  /**
   * @param id of the synthesis: of one that was killed, other processes may still be at work for a moment, and what they
   * write is not to come into the output of the next one
   */
  constructor(
    private readonly outdir: string,
    readonly id: string,
  ) {
    this.root = join(outdir, STAGING, id, 'folders');
    this.indexes = join(outdir, STAGING, id, 'indexes');
  }

  /** Stages one file of a folder. */
  write(folder: string, path: string, text: string): void {
    // Not by `join`: the parts need no cleaning, and there are as many as files.
    this.create(path === INDEX_FILE ? `${this.indexes}/${folder}` : `${this.root}/${folder}/${path}`, text);
  }

  /** Moves what is staged for a folder into place, and deletes what its new index no longer lists. */
  commit(folder: string): void {
    const [from, to, index] = [join(this.root, folder), join(this.outdir, folder), join(this.indexes, folder)];
    if (!existsSync(to)) {
      this.makeDirectory(from);
      renameSync(index, join(from, INDEX_FILE));
      renameSync(from, to);
      return;
    }
    const obsolete = existsSync(index) ? announce(index, to) : [];
    if (existsSync(from)) moveContents(from, to);
    deleteFiles(to, obsolete);
    if (existsSync(index)) renameSync(index, join(to, INDEX_FILE));
  }

  /** Deletes all that was written into a folder, and the folder itself if nothing else is in it. */
  remove(folder: string): void {
    const directory = join(this.outdir, folder);
    deleteFiles(directory, obsoleteFiles(directory, []));
    if (readdirSync(directory).length > 1) {
      rmSync(join(directory, INDEX_FILE));
      return;
    }
    // The index must not go before the folder does: nobody would know any more that the folder was ours.
    const removed = join(this.outdir, STAGING, this.id, 'removed');
    this.makeDirectory(removed);
    renameSync(directory, join(removed, folder));
  }

  /** Removes the staging area with all that is still in it, also that of an earlier run that was killed. */
  discard(): void {
    rmSync(join(this.outdir, STAGING), { recursive: true, force: true, maxRetries: 3 });
    this.made.clear();
  }

  private create(path: string, text: string): void {
    this.makeDirectory(dirname(path));
    writeFileSync(path, text);
  }

  private makeDirectory(path: string): void {
    if (this.made.has(path)) return;
    mkdirSync(path, { recursive: true });
    this.made.add(path);
  }
}

/**
 * Makes the folder's index list old and new files until all of them are moved.
 *
 * @returns the files that were written earlier and are no longer wanted
 */
function announce(staged: string, folder: string): readonly string[] {
  const next = JSON.parse(readFileSync(staged, 'utf8')) as ClusterIndex;
  const obsolete = obsoleteFiles(folder, next.files);
  const both = `${staged}.both`;
  writeFileSync(both, formatIndex(withFiles(next, obsolete)));
  renameSync(both, join(folder, INDEX_FILE));
  return obsolete;
}

/**
 * The files that were written into a folder earlier and are no longer wanted; also those that are gone, whose
 * directories may be left. What lies behind a link, or is not a file any more, is not ours.
 */
function obsoleteFiles(folder: string, wanted: readonly string[]): readonly string[] {
  const listing = new FolderListing(folder);
  const files = new Set(readIndex(folder, listing).files);
  for (const path of wanted) files.delete(path);
  return [...files].filter((path) => ['file', 'missing'].includes(String(listing.find(path))));
}

/** Moves all that is in one directory into another; what is new there is moved as a whole. */
function moveContents(from: string, to: string): void {
  const there = new FolderListing(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && there.find(entry.name) === 'directory') moveContents(source, target);
    else renameSync(source, target);
  }
}

/** Deletes files of a folder, and the directories in it that are empty without them. */
function deleteFiles(folder: string, paths: readonly string[]): void {
  const directories = new Set<string>();
  for (const path of paths) {
    rmSync(join(folder, path), { force: true });
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) directories.add(parent);
  }
  const deepestFirst = [...directories].sort((a, b) => b.length - a.length);
  for (const directory of deepestFirst) removeIfEmpty(join(folder, directory));
}

function removeIfEmpty(directory: string): void {
  if (existsSync(directory) && readdirSync(directory).length === 0) rmdirSync(directory);
}
