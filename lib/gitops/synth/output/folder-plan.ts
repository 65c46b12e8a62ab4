import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { byText } from '#base/remembered';
import { readRegularFile } from '#helm/chart/regular-file';
import type { Warning } from '#lib/checks/warnings';
import type { Installed } from '#linkerd/releases/installed';
import { dependenciesIn } from '../../charts/umbrella';
import { SYNTH_FINDINGS } from '../findings';
import { type ClusterIndex, formatIndex, INDEX_FILE, parseIndex, type ReadIndex } from './cluster-index';
import { FolderListing, type Obstacle } from './folder-listing';
import { appliedForeignFiles } from './foreign-files';

/** The intended contents of one folder of the output (a cluster's, or that of Argo CD's own objects). */
export interface FolderContents {
  /** File contents by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly index: ClusterIndex;
}

/** The differences between a folder on disk and its intended contents. */
export interface FolderPlan {
  readonly missing: readonly string[];
  readonly different: readonly string[];
  /** Files that were written earlier and are no longer needed. */
  readonly extra: readonly string[];
  /** Foreign files that are applied with the output. */
  readonly foreign: readonly string[];
  readonly unchanged: number;
  /** The parts of Linkerd that the folder installed before; absent if unknown. */
  readonly installed?: Installed;
  /** Problems with obstacles. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

/** Compares a folder on disk with its intended contents, including the index. Changes nothing. */
export function planFolder(folder: string, contents: FolderContents, onDisk: FileContents): FolderPlan {
  const listing = new FolderListing(folder);
  const place = listing.find('.');
  if (place === 'missing') return allMissing(contents);
  return place === 'directory' ? compare(contents, listing, onDisk) : blocked(folder);
}

/** A missing folder needs no check of each file. */
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
    // Without an intact index, the path decides whether a file is the library's.
    const isOurs = path === INDEX_FILE || written.has(path) || before.damage !== undefined;
    if (found === 'missing') states.missing.push(path);
    else if (found !== 'file') obstacles.set(...inTheWay(folder, path, found));
    else if (onDisk.are(`${folder}/${path}`, text)) states.unchanged += 1;
    else if (isOurs) states.different.push(path);
    else notOurs.push(path);
  }
  const unwritten = listing.files().filter((path) => path !== INDEX_FILE && !written.has(path) && !files.has(path));
  const foreign = appliedForeignFiles(unwritten, [...files.keys()], vendoredCharts(unwritten, files));
  return {
    ...states,
    ...(before.installed === undefined ? {} : { installed: before.installed }),
    extra: [...written].filter((path) => !files.has(path) && listing.find(path) === 'file'),
    foreign,
    problems: [...obstacles.values(), ...notOurs.map((path) => notWrittenByUs(join(folder, path)))],
    warnings: [...damageWarnings(folder, before), ...foreignWarnings(folder, foreign)],
  };
}

/** Returns the paths of packed dependencies of umbrella charts. Helm uses them instead of the repositories. */
function vendoredCharts(paths: readonly string[], files: FolderContents['files']): ReadonlySet<string> {
  const folders = new Set(paths.flatMap((path) => /^([^/]+)\/charts\/[^/]+\.tgz$/.exec(path)?.[1] ?? []));
  return new Set(
    [...folders].flatMap((folder) =>
      dependenciesIn(files.get(`${folder}/Chart.yaml`) ?? '').map(
        ({ name, version }) => `${folder}/charts/${name}-${version}.tgz`,
      ),
    ),
  );
}

/** Returns the plan for a path that is not a folder: nothing in it is read or written. */
function blocked(folder: string): FolderPlan {
  const [, problem] = inTheWay(folder, '.', { obstacle: '.' });
  return { ...NOTHING, problems: [problem] };
}

/** The plan for a folder without differences. */
export const NOTHING: FolderPlan = {
  missing: [],
  different: [],
  extra: [],
  foreign: [],
  unchanged: 0,
  problems: [],
  warnings: [],
};

/** Returns the files of a folder to remove, the index last. */
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

/** Reads the files that were written earlier from the folder's index; empty without an index. */
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
  return [SYNTH_FINDINGS.foreignFileApplied({ folder, files: listed(paths, MAX_LISTED) })];
}

function leftWarnings(folder: string, paths: readonly string[]): readonly Warning[] {
  if (paths.length === 0) return [];
  return [SYNTH_FINDINGS.foreignFileRemovedCluster({ folder, files: listed(paths, MAX_LISTED) })];
}

const MAX_LISTED = 5;

function inTheWay(folder: string, path: string, found: 'directory' | Obstacle): [obstacle: string, problem: Problem] {
  const obstacle = join(folder, found === 'directory' ? path : found.obstacle);
  const problem = SYNTH_FINDINGS.outdirRefusedObstacle({ path: join(folder, path), obstacle });
  return [obstacle, problem];
}

function notWrittenByUs(path: string): Problem {
  return SYNTH_FINDINGS.outdirRefusedForeign({ path });
}

const ENCODER = new TextEncoder();

/**
 * Compares files with strings, byte by byte and without decoding. Clusters share most strings, so the bytes of a string
 * are cached. Reading whole files at once would allocate a buffer for each.
 */
export class FileContents {
  private readonly bytesOf = byText((text) => ENCODER.encode(text));
  private buffer = new Uint8Array(64 * 1024);

  /** Whether an existing file contains exactly a string. */
  are(path: string, text: string): boolean {
    const expected = this.bytesOf(text);
    // One byte more than expected, so that a longer file is detected.
    if (this.buffer.length <= expected.length) this.buffer = new Uint8Array(2 * expected.length + 1);
    const { buffer } = this;
    // Opening does not wait if a pipe has replaced the file meanwhile.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const length = readSync(descriptor, buffer, 0, expected.length + 1, 0);
      return length === expected.length && Buffer.compare(buffer.subarray(0, length), expected) === 0;
    } finally {
      closeSync(descriptor);
    }
  }
}

interface WrittenCluster {
  readonly contents: FolderContents;
  readonly installed?: Installed;
}

/** Reads the output of a cluster. Returns the problem if that fails. */
export function readCluster(folder: string): WrittenCluster | Problem {
  const listing = new FolderListing(folder);
  if (listing.find(INDEX_FILE) !== 'file') return SYNTH_FINDINGS.promotionRefusedEmpty({ folder });
  const text = readRegularFile(join(folder, INDEX_FILE));
  const { files, installed, damage } = parseIndex(text);
  if (damage !== undefined) return SYNTH_FINDINGS.promotionRefusedIndex({ folder, damage });
  const missing = files.find((path) => listing.find(path) !== 'file');
  if (missing !== undefined) return SYNTH_FINDINGS.promotionRefusedIncomplete({ folder, missing });
  const texts = files.map((path) => [path, readRegularFile(join(folder, path))] as const);
  const index = JSON.parse(text) as ClusterIndex;
  return { contents: { files: new Map(texts), index }, ...(installed === undefined ? {} : { installed }) };
}

/** Returns the contents of those files in a folder's index that match and exist. */
export function writtenTexts(folder: string, isMeant: (path: string) => boolean): ReadonlyMap<string, string> {
  const listing = new FolderListing(folder);
  if (listing.find('.') !== 'directory') return new Map();
  const files = readIndex(folder, listing).files.filter((path) => isMeant(path) && listing.find(path) === 'file');
  return new Map(files.map((path) => [path, readRegularFile(join(folder, path))]));
}
