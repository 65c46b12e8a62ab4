import { spawnSync } from 'node:child_process';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import type { Output } from '#lib/review/compare/output';
import { Misuse } from './terminal';

/** Maximum number of files per request: each can have the size of the operator's program. */
const MAX_AT_ONCE = 500;

/** Reads the output of a folder in a git repository at a revision: all files of each cluster with an index. */
export function outputAtRevision(revision: string, folder: string): Output {
  return filesAtRevision(revision, folder, { option: '--from ', clusters: [] });
}

/** The files to read at a revision. */
export interface RevisionChoice {
  /** The option that sets the revision, followed by a space, for messages. */
  readonly option: string;
  /** Folders to read even without an index. */
  readonly clusters: readonly string[];
  /**
   * Path of the folder in the repository, for a folder that may be missing in the work tree.
   *
   * @default - the path of the folder
   */
  readonly path?: string;
}

/** Like `outputAtRevision`, with the folders of `clusters` even without an index. Does not change the work tree. */
export function filesAtRevision(revision: string, folder: string, choice: RevisionChoice): Output {
  const { option, clusters: named, path: inRepository } = choice;
  const commit = commitOf(revision, folder, option);
  const prefix =
    inRepository === undefined
      ? git(folder, ['rev-parse', '--show-prefix']).toString().trimEnd()
      : `${inRepository.replace(/\/+$/, '')}/`;
  const listed = git(folder, ['ls-tree', '-r', '-z', '--full-tree', commit, ...(prefix === '' ? [] : ['--', prefix])]);
  const blobs = listed
    .toString()
    .split('\0')
    .flatMap((line) => blobIn(line, prefix));
  const indexed = blobs.flatMap(({ cluster, path }) => (path === INDEX_FILE ? [cluster] : []));
  const present = new Set(blobs.map(({ cluster }) => cluster));
  const clusters = new Set([...indexed, ...named.filter((name) => present.has(name))]);
  const wanted = blobs.filter(({ cluster }) => clusters.has(cluster));
  const texts = textsOf(folder, [...new Set(wanted.map(({ id }) => id))]);
  const output = new Map([...clusters].map((cluster) => [cluster, new Map<string, string>()]));
  for (const { cluster, path, id } of wanted) output.get(cluster)?.set(path, texts.get(id) ?? '');
  return output;
}

/** Returns the top folder of the repository of a folder. @throws Misuse if it is in none */
export function repositoryOf(folder: string): string {
  const found = run(folder, ['rev-parse', '--show-toplevel']);
  if (found.status === 0) return found.stdout.toString().replace(/\n$/, '');
  throw new Misuse(`${folder} is not in a git repository`);
}

/** Returns the revision that Argo CD reads: a branch of `origin`, or else a tag or a commit. */
export function deployedRevision(revision: string, folder: string): string {
  const branch = `refs/remotes/origin/${revision}`;
  return run(folder, ['rev-parse', '--verify', '--quiet', branch]).status === 0 ? branch : revision;
}

/** The default commit to compare with, and its name in messages. */
export interface BaseRevision {
  readonly revision: string;
  readonly name: string;
}

const DEFAULT_BRANCHES = ['refs/remotes/origin/HEAD', 'refs/remotes/origin/main', 'refs/remotes/origin/master'];

/** Returns the commit at which a branch left the default branch of `origin`; `HEAD` if there is no such branch. */
export function baseRevision(folder: string): BaseRevision {
  const branch = DEFAULT_BRANCHES.find((ref) => run(folder, ['rev-parse', '--verify', '--quiet', ref]).status === 0);
  if (branch === undefined) return { revision: 'HEAD', name: 'HEAD' };
  const short = git(folder, ['rev-parse', '--abbrev-ref', branch]).toString().trim();
  const found = run(folder, ['merge-base', 'HEAD', branch]);
  const revision = found.stdout.toString().trim();
  if (found.status === 0) return { revision, name: `${revision.slice(0, 10)} (where this branch left ${short})` };
  throw new Misuse(
    `HEAD and ${short} have no commit in common${isShallow(folder) ? ' in this shallow clone: git fetch --unshallow, or' : ':'} name the revision to compare with`,
  );
}

function isShallow(folder: string): boolean {
  return run(folder, ['rev-parse', '--is-shallow-repository']).stdout.toString().trim() === 'true';
}

interface Blob {
  readonly cluster: string;
  /** Path in the cluster's folder. */
  readonly path: string;
  readonly id: string;
}

/** Parses a line of `git ls-tree`: mode, type, id, and after a tab the path. */
function blobIn(line: string, prefix: string): readonly Blob[] {
  const [facts = '', ...path] = line.split('\t');
  const [, type, id] = facts.split(' ');
  const [cluster, ...rest] = path.join('\t').slice(prefix.length).split('/');
  if (type !== 'blob' || id === undefined || cluster === undefined || rest.length === 0) return [];
  return [{ cluster, path: rest.join('/'), id }];
}

function commitOf(revision: string, folder: string, option: string): string {
  const found = run(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  if (found.status === 0) return found.stdout.toString().trim();
  if (run(folder, ['rev-parse', '--git-dir']).status !== 0) {
    throw new Misuse(`${option}${revision} is not a folder, and ${folder} is not in a git repository`);
  }
  if (run(folder, ['rev-list', '--max-count=1', '--all']).stdout.length === 0) {
    throw new Misuse(`${option}${revision} is not a folder, and the repository of ${folder} has no commits yet`);
  }
  const hint = isShallow(folder)
    ? 'this clone is shallow, and may lack it: git fetch --unshallow, or fetch-depth: 0 in actions/checkout'
    : 'a shallow clone may lack it: git fetch';
  throw new Misuse(`${option}${revision} is neither a folder nor a revision of the repository of ${folder}; ${hint}`);
}

function textsOf(folder: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (let from = 0; from < ids.length; from += MAX_AT_ONCE) {
    const some = ids.slice(from, from + MAX_AT_ONCE);
    let rest = git(folder, ['cat-file', '--batch'], `${some.join('\n')}\n`);
    for (const id of some) {
      const end = rest.indexOf('\n');
      const size = Number(rest.subarray(0, end).toString().split(' ')[2]);
      if (!Number.isSafeInteger(size)) throw new Misuse(`git lacks part of the revision: ${id} is missing`);
      texts.set(id, rest.subarray(end + 1, end + 1 + size).toString());
      rest = rest.subarray(end + 1 + size + 1);
    }
  }
  return texts;
}

function git(folder: string, args: readonly string[], input?: string): Buffer {
  const { status, stdout, stderr } = run(folder, args, input);
  if (status === 0) return stdout;
  throw new Misuse(`git ${args[0]} in ${folder} failed: ${stderr.toString().trim()}`);
}

function run(folder: string, args: readonly string[], input?: string) {
  const options = { input: input ?? '', maxBuffer: 2 ** 30, env: environment() };
  // The name of a folder may begin with a colon, which otherwise begins a pattern.
  const result = spawnSync('git', ['--literal-pathspecs', '-C', folder, ...args], options);
  if (result.error !== undefined) throw new Misuse(`cannot run git: ${result.error.message}`);
  return result;
}

/**
 * Returns the environment without GIT_DIR, which git sets for hooks and `rebase --exec`. It is valid only at the top of
 * the work tree, and commands use the repository of their folder. If GIT_WORK_TREE is set, both are kept.
 */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _, ...variables } = process.env;
  return variables.GIT_WORK_TREE === undefined ? variables : process.env;
}
