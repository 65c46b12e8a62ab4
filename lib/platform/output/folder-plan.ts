import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../validation/problem';
import { type ClusterIndex, formatIndex, INDEX_FILE, parseIndex } from './cluster-index';
import { FolderListing, type Obstacle } from './folder-listing';

/** What one folder of the output (a cluster's, or that of Argo CD's own objects) is to contain. */
export interface FolderContents {
  /** Texts by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly index: ClusterIndex;
}

/** How a folder on disk differs from what it is to contain. */
export interface FolderPlan {
  readonly missing: readonly string[];
  readonly different: readonly string[];
  /** Files that were written earlier and are no longer wanted. */
  readonly extra: readonly string[];
  readonly unchanged: number;
  /** What is in the way. */
  readonly problems: readonly Problem[];
}

/** Compares a folder on disk with what it is to contain, its index included. Changes nothing. */
export function planFolder(folder: string, contents: FolderContents): FolderPlan {
  const listing = new FolderListing(folder);
  const place = listing.find('.');
  return place === 'missing' || place === 'directory' ? compare(folder, contents, listing) : blocked(folder);
}

function compare(folder: string, { files, index }: FolderContents, listing: FolderListing): FolderPlan {
  const before = readIndex(folder, listing);
  const written = new Set('problem' in before ? [] : before.files);
  const states = { missing: [] as string[], different: [] as string[], foreign: [] as string[], unchanged: 0 };
  const problems: Problem[] = 'problem' in before ? [before.problem] : [];
  const indexText = formatIndex(index);
  for (const [path, text] of [...files, [INDEX_FILE, indexText] as const]) {
    const found = listing.find(path);
    if (found === 'missing') states.missing.push(path);
    else if (found !== 'file') problems.push(inTheWay(folder, path, found));
    else if (readFileSync(join(folder, path), 'utf8') === text) states.unchanged += 1;
    else states[path === INDEX_FILE || written.has(path) ? 'different' : 'foreign'].push(path);
  }
  // Without a readable index nothing is known about files that differ.
  if (!('problem' in before)) problems.push(...states.foreign.map((path) => notOurs(join(folder, path))));
  const extra = [...written].filter((path) => !files.has(path) && listing.find(path) === 'file');
  return { missing: states.missing, different: states.different, extra, unchanged: states.unchanged, problems };
}

/** Nothing is known of a folder, or wanted in it, as long as something else is in its place. */
function blocked(folder: string): FolderPlan {
  return { missing: [], different: [], extra: [], unchanged: 0, problems: [inTheWay(folder, '.', { obstacle: '.' })] };
}

/** The files of a folder that nobody wants any more; its index is the last to go. */
export function planRemoval(folder: string): FolderPlan {
  const listing = new FolderListing(folder);
  const before = readIndex(folder, listing);
  const problems = 'problem' in before ? [before.problem] : [];
  const written = 'problem' in before ? [] : [...before.files, INDEX_FILE];
  const extra = written.filter((path) => listing.find(path) === 'file');
  return { missing: [], different: [], extra, unchanged: 0, problems };
}

/** What was written earlier, according to the folder's index: nothing, if there is none. */
export function readIndex(
  folder: string,
  listing = new FolderListing(folder),
): Pick<ClusterIndex, 'files'> | { readonly problem: Problem } {
  if (listing.find(INDEX_FILE) !== 'file') return { files: [] };
  const path = join(folder, INDEX_FILE);
  const index = parseIndex(readFileSync(path, 'utf8'), path);
  return 'files' in index ? index : { problem: index };
}

function inTheWay(folder: string, path: string, found: 'directory' | Obstacle): Problem {
  const obstacle = join(folder, found === 'directory' ? path : found.obstacle);
  return {
    what: `${join(folder, path)} cannot be written: ${obstacle} is in the way`,
    why: 'It is a link, a directory, or a file where a directory has to be, and nothing that we did not write is replaced',
    fix: 'move it away',
  };
}

function notOurs(path: string): Problem {
  return {
    what: `${path} exists and was not written by us`,
    why: 'It would be lost: only files that the index beside it lists are ever replaced',
    fix: 'move it away and run again; or delete it, if it is an old output',
  };
}
