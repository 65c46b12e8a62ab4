import { byText } from '#base/remembered';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { type Installed, installedFrom, installedWords } from '#linkerd/releases/installed';
import { LIBRARY_VERSION } from './library-version';
import type { RecordedWarning } from './recorded-warning';

/**
 * Name of the index in each folder of the output. It is next to the namespace folders, where Argo CD's directory
 * generator sees no files, and has no extension that `kubectl apply -f` would read.
 */
export const INDEX_FILE = 'cdk8s-linkerd.index';

/** The record of what was written into one folder of the output, and its sources. */
export interface ClusterIndex {
  /** The program that wrote it. */
  readonly writer: string;
  /** The ring of the cluster; absent if the platform has none. */
  readonly ring?: string;
  /** The rings of the platform, in order; only in the folder for all clusters. */
  readonly rings?: readonly WrittenRing[];
  /** The charts with their versions and, if different, their releases. */
  readonly charts: readonly string[];
  /** The parts of Linkerd with their releases, with either delivery; absent if there are none. */
  readonly releases?: readonly string[];
  /** The CustomResourceDefinitions with their versions; absent if none is known. */
  readonly definitions?: readonly string[];
  /** The warnings that depend only on the sources; absent in the folder for all clusters. */
  readonly warnings?: readonly RecordedWarning[];
  /** Paths relative to the folder, sorted. */
  readonly files: readonly string[];
}

/** A ring in an output, with what separates its clusters. */
export interface WrittenRing {
  readonly name: string;
  /** Its revision, if different from the platform's. */
  readonly revision?: string;
  /** The folder from which it is read, if not the output itself. */
  readonly path?: string;
  /** When its clusters count as healthy, if there are conditions. */
  readonly health?: WrittenHealth;
}

/** The conditions of a ring in an output. */
export interface WrittenHealth {
  /** Go duration. */
  readonly soak?: string;
  readonly successRate?: number;
  /** `namespace/name:port` of the Service of a Prometheus. */
  readonly prometheus?: string;
}

/** Returns the index of these files, their charts, and the installed parts of Linkerd. */
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

/** Formats an index, with one path per line, so that it merges like the files that it lists. */
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

/** Returns an index that also lists other files. */
export function withFiles(index: ClusterIndex, files: Iterable<string>): ClusterIndex {
  return { ...index, files: [...new Set([...index.files, ...files])].sort() };
}

/** The contents of an index, and its damage, if any. */
export interface ReadIndex {
  readonly files: readonly string[];
  /** The ring of the cluster; absent if the index does not contain it. */
  readonly ring?: string;
  /** The rings of the platform; absent if the index does not contain them. */
  readonly rings?: readonly WrittenRing[];
  /** The parts of Linkerd and the CRDs that were installed; absent if the index does not contain them. */
  readonly installed?: Installed;
  /** The recorded warnings; absent if the index does not contain them. */
  readonly warnings?: readonly RecordedWarning[];
  /** Its damage, as a sentence about "it"; absent if it is intact. */
  readonly damage?: string;
}

/**
 * Parses an index. Anyone may have edited or merged it in the repository, so its content is not trusted: paths outside
 * the folder are ignored. A damaged index (truncated, or with merge conflicts) is read as far as possible.
 */
export const parseIndex: (text: string) => ReadIndex = byText(readIndex);

function readIndex(text: string): ReadIndex {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { ...salvage(text), damage: `it is not JSON: ${error instanceof Error ? error.message : error}` };
  }
  if (!isIndex(data)) return { ...salvage(text), damage: 'it does not have the fields of an index' };
  const stray = data.files.find((path) => !isInside(path));
  const ring = typeof data.ring === 'string' ? { ring: data.ring } : {};
  const rings = Array.isArray(data.rings) ? { rings: data.rings.filter(isRing) } : {};
  const warnings = Array.isArray(data.warnings) ? { warnings: data.warnings.filter(isWarning) } : {};
  if (stray === undefined) return { files: data.files, installed: installedFrom(data), ...ring, ...rings, ...warnings };
  return { files: data.files.filter(isInside), damage: `it lists "${stray}", which is not a file in the folder` };
}

/**
 * Recovers the contents of a damaged index, with one item on each line: unlike other items, a path has no white space.
 */
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

/** Removes lines for which a merge left two of the same name, because the valid one is unknown. */
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
  const { name, revision = '', path = '', health = {} } = value as Partial<Record<keyof WrittenRing, unknown>>;
  return isTexts([name, revision, path]) && isHealth(health);
}

function isHealth(value: unknown): value is WrittenHealth {
  if (typeof value !== 'object' || value === null) return false;
  const { soak = '', successRate = 1, prometheus = '' } = value as Partial<Record<keyof WrittenHealth, unknown>>;
  return isTexts([soak, prometheus]) && typeof successRate === 'number';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isInside(path: string): boolean {
  if (path === INDEX_FILE || /[\\\0]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
