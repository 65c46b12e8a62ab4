import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { unescaped } from '../cluster/dist-manifests';
import type { KubeObject } from '../cluster/objects';

/** The newest commit of a bare repository. */
export interface Commit {
  readonly id: string;
  /** The paths of all folders. */
  readonly folders: readonly string[];
  /** The text of each file below a folder, by path relative to the folder. */
  files(folder: string): ReadonlyMap<string, string>;
}

/** Reads the newest commit of a repository, or returns the known one if it is the newest; `undefined` before a push. */
export function newestCommit(repository: string, known?: Commit): Commit | undefined {
  const id = newestId(join(repository, 'refs', 'heads'));
  if (id === undefined || id === known?.id) return known;
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['--git-dir', repository, ...args], { input, maxBuffer: 2 ** 28, stdio: 'pipe' });
  const paths = git(['ls-tree', '-r', '--name-only', id])
    .toString()
    .split('\n')
    .filter((path) => path !== '');
  // One process reads all files, because one for each file would be slow.
  const texts = batchOf(git(['cat-file', '--batch'], paths.map((path) => `${id}:${path}\n`).join('')));
  const byPath = paths.map((path, index) => [path, texts[index] ?? ''] as const);
  return {
    id,
    folders: [...new Set(paths.flatMap(foldersAbove))],
    files: (folder) => {
      const below = byPath.filter(([path]) => path.startsWith(`${folder}/`));
      return new Map(below.map(([path, text]) => [path.slice(folder.length + 1), text]));
    },
  };
}

/** The commit of the only branch. It is read from a file, because it is needed twice a second. */
function newestId(heads: string): string | undefined {
  const [branch] = readdirSync(heads).filter((name) => !name.endsWith('.lock'));
  return branch === undefined ? undefined : readFileSync(join(heads, branch), 'utf8').trim();
}

/** The texts in the output of `git cat-file --batch`, where each text follows a line with its size in bytes. */
function batchOf(output: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < output.length; ) {
    const begin = output.indexOf('\n', at) + 1;
    const end = begin + Number(output.toString('utf8', at, begin).split(' ')[2]);
    texts.push(output.toString('utf8', begin, end));
    at = end + 1;
  }
  return texts;
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === '.' ? [] : [above, ...foldersAbove(above)];
}

/** The content of a folder, as Argo CD reads it. */
export interface FolderSource {
  /** The names of the umbrella chart's dependencies. */
  readonly charts: readonly string[];
  readonly objects: readonly KubeObject[];
}

/** Reads a folder of manifests, or an umbrella chart. */
export function folderSource(files: ReadonlyMap<string, string>): FolderSource {
  const chart = files.get('Chart.yaml');
  const dependencies: readonly { readonly name: string }[] = chart === undefined ? [] : parse(chart).dependencies;
  const manifests = [...files].filter(
    ([path]) =>
      path.endsWith('.yaml') && !['Chart.yaml', 'values.yaml', '.argocd-source.yaml'].includes(basename(path)),
  );
  return {
    charts: dependencies.map(({ name }) => name),
    objects: manifests.map(([, text]) => parse(chart === undefined ? text : unescaped(text))),
  };
}
