import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { listed } from '../../../../operator/api/kubernetes/listed';
import type { Problem } from '../../../kubernetes/findings/problem';
import { byText } from '../../../kubernetes/remembered';
import type { Warning } from '../../../linkerd/warnings';
import { dependenciesIn } from '../../charts/umbrella';
import { SYNTH_FINDINGS } from '../findings';
import type { Installed } from '../installed';
import { type ClusterIndex, formatIndex, INDEX_FILE, parseIndex, type ReadIndex } from './cluster-index';
import { FolderListing, type Obstacle } from './folder-listing';
import { appliedForeignFiles } from './foreign-files';
import { readRegularFile } from './regular-file';

/** The wanted contents of one folder of the output (a cluster's, or that of Argo CD's own objects). */
export interface FolderContents {
  /** Texts by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly index: ClusterIndex;
}

/** The differences between a folder on disk and what it is to contain. */
export interface FolderPlan {
  readonly missing: readonly string[];
  readonly different: readonly string[];
  /** Files that were written earlier and are no longer wanted. */
  readonly extra: readonly string[];
  /** Files of others that are applied with ours. */
  readonly foreign: readonly string[];
  readonly unchanged: number;
  /** The parts of Linkerd that the folder installed before; absent where nobody knows. */
  readonly installed?: Installed;
  /** The problems with what is in the way. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

/** Compares a folder on disk with what it is to contain, its index included. Changes nothing. */
export function planFolder(folder: string, contents: FolderContents, onDisk: FileContents): FolderPlan {
  const listing = new FolderListing(folder);
  const place = listing.find('.');
  if (place === 'missing') return allMissing(contents);
  return place === 'directory' ? compare(contents, listing, onDisk) : blocked(folder);
}

/** A folder that is not there needs no look at each of its files. */
function allMissing({ files }: FolderContents): FolderPlan {
  return { ...NOTHING, missing: [...files.keys(), INDEX_FILE] };
}

function compare({ files, index }: FolderContents, listing: FolderListing, onDisk: FileContents): FolderPlan {
  const folder = listing.root;
  const before = readIndex(folder, listing);
  const written = new Set(before.files);
  const states = { missing: [] as string[], different: [] as string[], unchanged: 0 };
  const [notOurs, obstacles] = [[] as string[], new Map<string, Problem>()];
  for (const [path, text] of [...files, [INDEX_FILE, formatIndex(index)] as const]) {
    const found = listing.find(path);
    // Without a whole index nobody knows better than by the path whose file it is.
    const isOurs = path === INDEX_FILE || written.has(path) || before.damage !== undefined;
    if (found === 'missing') states.missing.push(path);
    else if (found !== 'file') obstacles.set(...inTheWay(folder, path, found));
    else if (onDisk.are(`${folder}/${path}`, text)) states.unchanged += 1;
    else if (isOurs) states.different.push(path);
    else notOurs.push(path);
  }
  const others = listing.files().filter((path) => path !== INDEX_FILE && !written.has(path) && !files.has(path));
  const foreign = appliedForeignFiles(others, [...files.keys()], vendoredCharts(others, files));
  return {
    ...states,
    ...(before.installed === undefined ? {} : { installed: before.installed }),
    extra: [...written].filter((path) => !files.has(path) && listing.find(path) === 'file'),
    foreign,
    problems: [...obstacles.values(), ...notOurs.map((path) => notWrittenByUs(join(folder, path)))],
    warnings: [...damageWarnings(folder, before), ...foreignWarnings(folder, foreign)],
  };
}

/** The packed charts that the umbrella charts of a folder depend on: Helm takes them from there and asks no repository. */
function vendoredCharts(others: readonly string[], files: FolderContents['files']): ReadonlySet<string> {
  const folders = new Set(others.flatMap((path) => /^([^/]+)\/charts\/[^/]+\.tgz$/.exec(path)?.[1] ?? []));
  return new Set(
    [...folders].flatMap((folder) =>
      dependenciesIn(files.get(`${folder}/Chart.yaml`) ?? '').map(
        ({ name, version }) => `${folder}/charts/${name}-${version}.tgz`,
      ),
    ),
  );
}

/** Nothing is known of a folder, or wanted in it, as long as something else is in its place. */
function blocked(folder: string): FolderPlan {
  const [, problem] = inTheWay(folder, '.', { obstacle: '.' });
  return { ...NOTHING, problems: [problem] };
}

const NOTHING: FolderPlan = {
  missing: [],
  different: [],
  extra: [],
  foreign: [],
  unchanged: 0,
  problems: [],
  warnings: [],
};

/** The files of a folder that nobody wants any more; its index is the last to go. */
export function planRemoval(folder: string): FolderPlan {
  const listing = new FolderListing(folder);
  const before = readIndex(folder, listing);
  const extra = [...before.files, INDEX_FILE].filter((path) => listing.find(path) === 'file');
  const left = listing.files().filter((path) => !extra.includes(path));
  return {
    ...NOTHING,
    extra,
    warnings: [...damageWarnings(folder, before), ...leftWarnings(folder, left)],
  };
}

/** Reads from the folder's index what was written earlier: nothing, if there is none. */
export function readIndex(folder: string, listing = new FolderListing(folder)): ReadIndex {
  if (listing.find(INDEX_FILE) !== 'file') return { files: [] };
  return parseIndex(readFileSync(join(folder, INDEX_FILE), 'utf8'));
}

function damageWarnings(folder: string, { damage }: ReadIndex): readonly Warning[] {
  if (damage === undefined) return [];
  return [SYNTH_FINDINGS.indexDamaged({ index: join(folder, INDEX_FILE), damage })];
}

function foreignWarnings(folder: string, paths: readonly string[]): readonly Warning[] {
  if (paths.length === 0) return [];
  return [SYNTH_FINDINGS.foreignFileApplied({ folder, files: listed(paths, MOST_LISTED) })];
}

function leftWarnings(folder: string, paths: readonly string[]): readonly Warning[] {
  if (paths.length === 0) return [];
  return [SYNTH_FINDINGS.foreignFileRemovedCluster({ folder, files: listed(paths, MOST_LISTED) })];
}

const MOST_LISTED = 5;

/** One problem for each thing that is in the way, however many files it keeps from being written. */
function inTheWay(folder: string, path: string, found: 'directory' | Obstacle): [obstacle: string, problem: Problem] {
  const obstacle = join(folder, found === 'directory' ? path : found.obstacle);
  const kind = 'a link, a directory, or a file where a directory is needed';
  const problem = SYNTH_FINDINGS.outputPathOccupied({ path: join(folder, path), obstacle, kind });
  return [obstacle, problem];
}

function notWrittenByUs(path: string): Problem {
  return SYNTH_FINDINGS.outputPathOccupied({ path, obstacle: path, kind: 'a file that synth did not write' });
}

const ENCODER = new TextEncoder();

/**
 * Compares files with texts, byte by byte and without decoding. Clusters have most of their texts in common, so the bytes
 * of a text are remembered. Reading whole files at once would make, and throw away, a buffer for each.
 */
export class FileContents {
  private readonly bytesOf = byText((text) => ENCODER.encode(text));
  private buffer = new Uint8Array(64 * 1024);

  /** Tells whether a file that is there holds exactly a text. */
  are(path: string, text: string): boolean {
    const expected = this.bytesOf(text);
    // A byte more than expected, so that a longer file is seen to be one.
    if (this.buffer.length <= expected.length) this.buffer = new Uint8Array(2 * expected.length + 1);
    const { buffer } = this;
    // What was a file a moment ago may be a pipe by now.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const length = readSync(descriptor, buffer, 0, expected.length + 1, 0);
      return length === expected.length && Buffer.compare(buffer.subarray(0, length), expected) === 0;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** The output of one cluster, as it is on disk. */
interface WrittenCluster {
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
