import type { PinnedChart } from '../../helm/pinned-chart';
import type { Problem } from '../../validation/problem';
import { LIBRARY_VERSION } from './library-version';

/**
 * Name of the index in each folder of the output. It lies beside the namespace folders, where Argo CD's directory
 * generator sees no files, and has no ending that `kubectl apply -f` would read.
 */
export const INDEX_FILE = 'cdk8s-linkerd.index';

/** What was written into one folder of the output, and from what. */
export interface ClusterIndex {
  /** What wrote it. */
  readonly writer: string;
  /** The charts with their versions, and, where these differ, the releases that they belong to. */
  readonly charts: readonly string[];
  /** Paths below the folder, in order. */
  readonly files: readonly string[];
}

/** The index of these files, made from these charts. */
export function indexOf(files: Iterable<string>, charts: readonly PinnedChart[]): ClusterIndex {
  const names = charts.map(({ name, version, valuesOf }) =>
    valuesOf === undefined || version === valuesOf ? `${name} ${version}` : `${name} ${version} (${valuesOf})`,
  );
  return {
    writer: `cdk8s-linkerd ${LIBRARY_VERSION}`,
    charts: [...new Set(names)].sort(),
    files: [...files].sort(),
  };
}

/** The text of an index, with one path per line, so that it merges like the files that it lists. */
export function formatIndex({ writer, charts, files }: ClusterIndex): string {
  return `${JSON.stringify({ writer, charts, files }, undefined, 2)}\n`;
}

/** An index that also lists other files. */
export function withFiles(index: ClusterIndex, files: Iterable<string>): ClusterIndex {
  return { ...index, files: [...new Set([...index.files, ...files])].sort() };
}

/**
 * Reads an index. It comes from a repository, where anybody may have edited or merged it, so nothing in it is trusted:
 * a path that leaves the folder makes it invalid.
 *
 * @param place where it was found, for messages
 */
export function parseIndex(text: string, place: string): ClusterIndex | Problem {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return corrupt(place, `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isIndex(data)) return corrupt(place, 'has not the form of an index');
  const stray = data.files.find((path) => !isInside(path));
  return stray === undefined ? data : corrupt(place, `lists "${stray}", which is no file of this folder`);
}

function isIndex(data: unknown): data is ClusterIndex {
  if (typeof data !== 'object' || data === null) return false;
  const { writer, charts, files } = data as Partial<Record<keyof ClusterIndex, unknown>>;
  return typeof writer === 'string' && isTexts(charts) && isTexts(files);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isInside(path: string): boolean {
  if (path === INDEX_FILE || /[\\\0]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function corrupt(place: string, what: string): Problem {
  return {
    what: `${place} ${what}`,
    why: 'Without it nobody knows which files of the folder are generated, and may be replaced or deleted',
    fix: 'restore it from Git; or, if the folder has nothing but generated files, delete the folder and run again',
  };
}
