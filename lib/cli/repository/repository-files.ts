import { posix } from 'node:path';
import type { Values } from '#base/values';
import { parseValues } from '#base/values-document';
import type { LocalChart, Repository } from './sources/source';

const CHART = 'Chart.yaml';

/** The files of a repository, to which its objects refer. */
export class RepositoryFiles implements Repository {
  /** The folders of charts that releases use. */
  readonly usedCharts = new Set<string>();
  private readonly folders: ReadonlySet<string>;

  /** @param files - texts by path, with slashes */
  constructor(readonly files: ReadonlyMap<string, string>) {
    this.folders = new Set([...files.keys()].flatMap(foldersOf));
  }

  valuesAt(path: string, from?: string): string | undefined {
    const found = resolved(path, from, (each) => this.files.has(each)) ?? this.bySuffix(path, from, this.files.keys());
    return found === undefined ? undefined : this.files.get(found);
  }

  chartAt(path: string, from?: string): LocalChart | undefined {
    const folder = this.folderAt(path, from);
    const chart = folder === undefined ? undefined : this.chartIn(folder);
    if (chart !== undefined) this.usedCharts.add(chart.folder);
    return chart;
  }

  folderAt(path: string, from?: string): string | undefined {
    return resolved(path, from, (each) => this.folders.has(each)) ?? this.bySuffix(path, from, this.folders);
  }

  chartFolders(): readonly string[] {
    return [...this.files.keys()].filter((path) => posix.basename(path) === CHART).map((path) => posix.dirname(path));
  }

  /** Returns the chart of a folder; undefined without a readable chart. */
  chartIn(folder: string): LocalChart | undefined {
    const metadata = valuesIn(this.files.get(posix.join(folder, CHART)));
    const values = valuesIn(this.files.get(posix.join(folder, 'values.yaml')) ?? '');
    return metadata === undefined || values === undefined ? undefined : { folder, metadata, values };
  }

  /** Finds a path by its end, because the paths may begin above or below the root of the repository. */
  private bySuffix(path: string, from: string | undefined, candidates: Iterable<string>): string | undefined {
    const end = `/${posix.normalize(path).replace(/^\/+|\/+$/g, '')}`;
    if (from !== undefined || end === '/' || end === '/.' || end.startsWith('/..')) return undefined;
    const found = [...candidates].filter((candidate) => candidate.endsWith(end));
    return found.sort((one, other) => one.length - other.length)[0];
  }
}

function resolved(path: string, from: string | undefined, isThere: (path: string) => boolean): string | undefined {
  const whole = posix.join(from === undefined ? '.' : posix.dirname(from), path).replace(/(?<=.)\/+$/, '');
  return isThere(whole) ? whole : undefined;
}

function foldersOf(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === path || folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** Returns the values in a text; undefined if it is missing or unreadable. */
export function valuesIn(text: string | undefined): Values | undefined {
  if (text === undefined) return undefined;
  try {
    return parseValues(text);
  } catch {
    return undefined;
  }
}
