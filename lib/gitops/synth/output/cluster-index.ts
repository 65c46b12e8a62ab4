import type { PinnedChart } from '../../../linkerd/releases/pinned-chart';
import { type Installed, installedFrom, installedWords } from '../installed';
import { LIBRARY_VERSION } from './library-version';
import type { RecordedWarning } from './recorded-warning';

/**
 * Name of the index in each folder of the output. It lies beside the namespace folders, where Argo CD's directory
 * generator sees no files, and has no ending that `kubectl apply -f` would read.
 */
export const INDEX_FILE = 'cdk8s-linkerd.index';

/** The record of what was written into one folder of the output, and from what. */
export interface ClusterIndex {
  /** The program that wrote it. */
  readonly writer: string;
  /** The ring that the cluster is in; absent where the platform has none. */
  readonly ring?: string;
  /** The rings of the platform, in their order; only in the folder of what is about all clusters. */
  readonly rings?: readonly WrittenRing[];
  /** The charts with their versions, and, where these differ, the releases that they belong to. */
  readonly charts: readonly string[];
  /** The parts of Linkerd with their releases, whatever delivers them; absent where there is none. */
  readonly releases?: readonly string[];
  /** The CustomResourceDefinitions with their versions; absent where none is known. */
  readonly definitions?: readonly string[];
  /** The warnings of the synthesis, as far as they follow from the sources alone; absent for what is about all clusters. */
  readonly warnings?: readonly RecordedWarning[];
  /** Paths below the folder, in order. */
  readonly files: readonly string[];
}

/** A ring as an output says it: by what its clusters are held back, if by anything. */
export interface WrittenRing {
  readonly name: string;
  /** The revision that it follows, if not that of the platform. */
  readonly revision?: string;
  /** The folder that it is read from, if not the output itself. */
  readonly path?: string;
}

/** The index of these files, made from these charts, and of what they install of Linkerd. */
export function indexOf(
  files: Iterable<string>,
  charts: readonly PinnedChart[],
  installed: Installed = { releases: {}, definitions: [] },
  warnings?: readonly RecordedWarning[],
): ClusterIndex {
  const names = charts.map(({ name, version, valuesOf, linkerdVersion: release = valuesOf }) =>
    release === undefined || version === release ? `${name} ${version}` : `${name} ${version} (${release})`,
  );
  return {
    writer: `cdk8s-linkerd ${LIBRARY_VERSION}`,
    charts: [...new Set(names)].sort(),
    ...installedWords(installed),
    ...(warnings && { warnings }),
    files: [...files].sort(),
  };
}

/** The text of an index, with one path per line, so that it merges like the files that it lists. */
export function formatIndex({
  writer,
  ring,
  rings,
  charts,
  releases,
  definitions,
  warnings,
  files,
}: ClusterIndex): string {
  return `${JSON.stringify({ writer, ring, rings, charts, releases, definitions, warnings, files }, undefined, 2)}\n`;
}

/** An index that also lists other files. */
export function withFiles(index: ClusterIndex, files: Iterable<string>): ClusterIndex {
  return { ...index, files: [...new Set([...index.files, ...files])].sort() };
}

/** The files that an index lists, what they install, the ring, and what is wrong with it, if anything is. */
export interface ReadIndex {
  readonly files: readonly string[];
  /** The ring that the cluster is in; absent where the index does not say. */
  readonly ring?: string;
  /** The rings of the platform; absent where the index does not say. */
  readonly rings?: readonly WrittenRing[];
  /** The parts of Linkerd and the CRDs that were installed; absent where the index does not say. */
  readonly installed?: Installed;
  /** The warnings that were recorded; absent where the index does not say. */
  readonly warnings?: readonly RecordedWarning[];
  readonly damage?: string;
}

/**
 * Reads an index. It comes from a repository, where anybody may have edited or merged it, so nothing in it is trusted:
 * a path that leaves the folder is none. What can be made out in a damaged one (by a merge with conflicts, or cut off)
 * counts.
 */
export function parseIndex(text: string): ReadIndex {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { ...salvage(text), damage: `is not JSON: ${error instanceof Error ? error.message : error}` };
  }
  if (!isIndex(data)) return { ...salvage(text), damage: 'has not the form of an index' };
  const stray = data.files.find((path) => !isInside(path));
  const ring = typeof data.ring === 'string' ? { ring: data.ring } : {};
  const rings = Array.isArray(data.rings) ? { rings: data.rings.filter(isRing) } : {};
  const warnings = Array.isArray(data.warnings) ? { warnings: data.warnings.filter(isWarning) } : {};
  if (stray === undefined) return { files: data.files, installed: installedFrom(data), ...ring, ...rings, ...warnings };
  return { files: data.files.filter(isInside), damage: `lists "${stray}", which is no file of this folder` };
}

/** The contents of a text that once was an index, with one item on each line: a path has no white space, unlike others. */
function salvage(text: string): ReadIndex {
  const items = [...new Set([...text.matchAll(/^\s*"([^"\\]+)",?\s*$/gm)].map(([, item = '']) => item))];
  const installed = installedFrom({
    charts: [],
    releases: onlyOnes(items.filter((item) => /^linkerd[\w-]* (?:edge|stable)-\S+$/.test(item))),
    definitions: onlyOnes(items.filter((item) => /^[^\s.]+\.\S+(?: v\d[^\s]*)+$/.test(item))),
  });
  const isKnown = installed !== undefined && Object.keys(installed.releases).length > 0;
  return {
    files: items.filter((item) => /^\S+\.yaml$/.test(item) && isInside(item)).sort(),
    ...(isKnown ? { installed: { ...installed, isPartial: true } } : {}),
  };
}

/** Lines without those of which a merge left two for one name: nobody knows which of them holds. */
function onlyOnes(lines: readonly string[]): readonly string[] {
  const names = lines.map((line) => line.slice(0, line.indexOf(' ')));
  return lines.filter((_, index) => names.filter((name) => name === names[index]).length === 1);
}

function isIndex(data: unknown): data is ClusterIndex {
  if (typeof data !== 'object' || data === null) return false;
  const {
    writer,
    charts,
    releases = [],
    definitions = [],
    files,
  } = data as Partial<Record<keyof ClusterIndex, unknown>>;
  return typeof writer === 'string' && [charts, releases, definitions, files].every(isTexts);
}

function isWarning(value: unknown): value is RecordedWarning {
  if (typeof value !== 'object' || value === null) return false;
  const { code, path, what, why, fix, reason = '' } = value as Partial<Record<keyof RecordedWarning, unknown>>;
  return isTexts([code, path, what, why, fix, reason]);
}

function isRing(value: unknown): value is WrittenRing {
  if (typeof value !== 'object' || value === null) return false;
  const { name, revision = '', path = '' } = value as Partial<Record<keyof WrittenRing, unknown>>;
  return isTexts([name, revision, path]);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isInside(path: string): boolean {
  if (path === INDEX_FILE || /[\\\0]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
