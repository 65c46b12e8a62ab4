import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { parse } from 'yaml';
import { unescaped } from '../cluster/dist-manifests';
import type { KubeObject } from '../cluster/objects';

/** The newest commit of a bare repository. */
export interface Commit {
  readonly id: string;
  /** All folders. */
  readonly folders: readonly string[];
  /** The text of each file below a folder, by path in it. */
  files(folder: string): ReadonlyMap<string, string>;
}

/** Reads the newest commit of a repository, unless it is the known one; nothing where nobody has pushed. */
export function newestCommit(repository: string, known?: Commit): Commit | undefined {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['--git-dir', repository, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
  const [id = ''] = git('for-each-ref', '--format=%(objectname)', 'refs/heads').split('\n');
  if (id === '' || id === known?.id) return known;
  const paths = git('ls-tree', '-r', '--name-only', id)
    .split('\n')
    .filter((path) => path !== '');
  return {
    id,
    folders: [...new Set(paths.flatMap(foldersAbove))],
    files: (folder) => {
      const files = paths.filter((path) => path.startsWith(`${folder}/`));
      return new Map(files.map((path) => [path.slice(folder.length + 1), git('show', `${id}:${path}`)]));
    },
  };
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
}

/** A folder as Argo CD reads it. */
export interface FolderSource {
  /** Names of the charts of others. */
  readonly charts: readonly string[];
  readonly objects: readonly KubeObject[];
}

/** Reads a folder of manifests, or an umbrella chart. */
export function folderSource(files: ReadonlyMap<string, string>): FolderSource {
  const chart = files.get('Chart.yaml');
  const dependencies: readonly { readonly name: string }[] = chart === undefined ? [] : parse(chart).dependencies;
  const manifests = [...files].filter(
    ([path]) => path.endsWith('.yaml') && !['Chart.yaml', 'values.yaml'].includes(basename(path)),
  );
  return {
    charts: dependencies.map(({ name }) => name),
    objects: manifests.map(([, text]) => parse(chart === undefined ? text : unescaped(text))),
  };
}
