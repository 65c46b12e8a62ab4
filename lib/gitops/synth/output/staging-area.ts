import { randomUUID } from 'node:crypto';
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

/** Name of the staging area in the output, which exists only during writing. */
export const STAGING = '.cdk8s-linkerd-staging';

/**
 * Keeps changed files in the output folder until all of them are checked, and then moves them into place. A file or a
 * new folder is created as a whole, by a rename, or not at all.
 *
 * If the process is killed at any point, the next run can repair the tree: an index lists every file that is, or is
 * about to be, in its folder, so every file that the library wrote is always known.
 */
export class StagingArea {
  /** A synthesis that was suspended, and lost its lock, must not write into the staging area of the next one. */
  private readonly id = randomUUID();
  private readonly root: string;
  private readonly indexes: string;
  private readonly made = new Set<string>();

  constructor(private readonly outdir: string) {
    this.root = join(outdir, STAGING, this.id, 'folders');
    this.indexes = join(outdir, STAGING, this.id, 'indexes');
  }

  /** Stages one file of a folder. */
  write(folder: string, path: string, text: string): void {
    // `join` would be slow for many files, and the parts are already normalized.
    this.create(path === INDEX_FILE ? `${this.indexes}/${folder}` : `${this.root}/${folder}/${path}`, text);
  }

  /** Moves the staged files of a folder into place, and deletes files that its new index no longer lists. */
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

  /** Deletes all files that were written into a folder, and the folder itself if nothing else is in it. */
  remove(folder: string): void {
    const directory = join(this.outdir, folder);
    deleteFiles(directory, obsoleteFiles(directory, []));
    if (readdirSync(directory).length > 1) {
      rmSync(join(directory, INDEX_FILE));
      return;
    }
    // The index must not be deleted before the folder: a folder without an index does not count as the library's.
    const removed = join(this.outdir, STAGING, this.id, 'removed');
    this.makeDirectory(removed);
    try {
      renameSync(directory, join(removed, folder));
    } catch (error) {
      // Containers cannot move a folder of their image.
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      rmSync(directory, { recursive: true });
    }
  }

  /** Removes the staging area with its contents, including that of a killed run. */
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
 * @returns the files that were written earlier and are no longer needed
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
 * Returns the files that were written into a folder earlier and are no longer needed, including missing files, whose
 * directories may remain. Files behind a link, and paths that are no longer files, are left out.
 */
function obsoleteFiles(folder: string, wanted: readonly string[]): readonly string[] {
  const listing = new FolderListing(folder);
  const files = new Set(readIndex(folder, listing).files);
  for (const path of wanted) files.delete(path);
  return [...files].filter((path) => ['file', 'missing'].includes(String(listing.find(path))));
}

function moveContents(from: string, to: string): void {
  const there = new FolderListing(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && there.find(entry.name) === 'directory') moveContents(source, target);
    else renameSync(source, target);
  }
}

/** Deletes files, and the directories that become empty. */
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
