import { posix } from 'node:path';
import { worldsOf } from '../../repository/worlds';
import type { FoundReleases } from './read-repository';

/** The releases that one cluster has. */
export interface ReleasesOfCluster {
  /** The folder, or file, that only this cluster has; absent if there is one cluster. */
  readonly folder?: string;
  readonly releases: readonly FoundReleases[];
  /** Whether something that begins in a file can be in this cluster. */
  readonly has: (home: string) => boolean;
}

/** Returns the clusters of a repository: the folders that install the same chart. */
export function clustersOf(releases: readonly FoundReleases[]): readonly ReleasesOfCluster[] {
  const items = releases.flatMap((found) => {
    const charts = found.read.sources.flatMap(({ chart, isOverlay }) => (isOverlay === true ? [] : (chart ?? [])));
    return charts.length === 0 ? [] : charts.map((chart) => ({ found, file: found.home, object: chart, makes: [] }));
  });
  const worlds = worldsOf(items).map((world) => new Set(world.map(({ found }) => found)));
  const begins = worlds.map((world) => folderOf([...world].filter((one) => worlds.some((other) => !other.has(one)))));
  const homes = begins.map((home, index) => home && outermost(home, begins.toSpliced(index, 1)));
  const folders = new Set(homes);
  return worlds.map((world, index) => {
    const folder = homes[index];
    const has = (home: string) => ancestors(home).every((each) => each === folder || !folders.has(each));
    const all = releases.filter((one) => world.has(one) || (isBeside(one) && has(one.home)));
    return { ...(folder !== undefined && { folder }), releases: all, has };
  });
}

/** A path and the folders around it. */
function ancestors(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === path || folder === '.' ? [path] : [path, ...ancestors(folder)];
}

/** Overlays, cert-manager and trust-manager decide no cluster. */
function isBeside({ read }: FoundReleases): boolean {
  return read.sources.every(({ isOverlay }) => isOverlay === true);
}

function folderOf(releases: readonly FoundReleases[]): string | undefined {
  const [first, ...others] = releases.map(({ home }) => home);
  return first === undefined ? undefined : others.reduce(commonPath, first);
}

/** Returns the largest folder that has none of the others. */
function outermost(home: string, others: readonly (string | undefined)[]): string {
  const folder = posix.dirname(home);
  const isShared =
    folder === '.' || folder === '/' || others.some((other) => other !== undefined && isIn(other, folder));
  return isShared ? home : outermost(folder, others);
}

function commonPath(one: string, other: string): string {
  let path = one;
  while (!isIn(other, path) && path !== '.' && path !== '/') path = posix.dirname(path);
  return path;
}

function isIn(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}
