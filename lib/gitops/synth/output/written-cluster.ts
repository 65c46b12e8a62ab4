import { join } from 'node:path';
import type { Problem } from '../../../kubernetes/findings/problem';
import { SYNTH_FINDINGS } from '../findings';
import type { Installed } from '../installed';
import { type ClusterIndex, INDEX_FILE, parseIndex } from './cluster-index';
import { FolderListing } from './folder-listing';
import { type FolderContents, readIndex } from './folder-plan';
import { readRegularFile } from './regular-file';

/** The output of one cluster, as it is on disk. */
export interface WrittenCluster {
  readonly contents: FolderContents;
  readonly installed?: Installed;
}

/** Reads the output of a cluster; or says what is wrong with it. */
export function readCluster(folder: string): WrittenCluster | Problem {
  const listing = new FolderListing(folder);
  if (listing.find(INDEX_FILE) !== 'file') return broken(folder, 'has no output');
  const text = readRegularFile(join(folder, INDEX_FILE));
  const { files, installed, damage } = parseIndex(text);
  if (damage !== undefined) return broken(folder, `has an index that ${damage}`);
  const missing = files.find((path) => listing.find(path) !== 'file');
  if (missing !== undefined) return broken(folder, `lacks ${missing}, which its index lists`);
  const texts = files.map((path) => [path, readRegularFile(join(folder, path))] as const);
  const index = JSON.parse(text) as ClusterIndex;
  return { contents: { files: new Map(texts), index }, ...(installed === undefined ? {} : { installed }) };
}

/** The texts of those files that the index of a folder lists, that are meant, and that are there. */
export function writtenTexts(folder: string, isMeant: (path: string) => boolean): ReadonlyMap<string, string> {
  const listing = new FolderListing(folder);
  if (listing.find('.') !== 'directory') return new Map();
  const files = readIndex(folder, listing).files.filter((path) => isMeant(path) && listing.find(path) === 'file');
  return new Map(files.map((path) => [path, readRegularFile(join(folder, path))]));
}

function broken(folder: string, fault: string): Problem {
  return SYNTH_FINDINGS.promotedOutputBroken({ folder, fault });
}
