import { spawnSync } from 'node:child_process';
import { INDEX_FILE } from '../lib/synth/output/cluster-index';
import type { Output } from '../lib/upgrade/output';
import { Misuse } from './terminal';

/** The most files that are asked for at once: each can have the size of the operator's program. */
const MOST_AT_ONCE = 500;

/** Reads the output that a folder of a git repository had at a revision. Nothing is checked out. */
export function outputAtRevision(revision: string, folder: string): Output {
  const prefix = git(folder, ['rev-parse', '--show-prefix']).toString().trimEnd();
  const commit = commitOf(revision, folder);
  const listed = git(folder, ['ls-tree', '-r', '-z', '--full-tree', commit, ...(prefix === '' ? [] : ['--', prefix])]);
  const blobs = listed
    .toString()
    .split('\0')
    .flatMap((line) => blobIn(line, prefix));
  const clusters = new Set(blobs.flatMap(({ cluster, path }) => (path === INDEX_FILE ? [cluster] : [])));
  const wanted = blobs.filter(({ cluster }) => clusters.has(cluster));
  const texts = textsOf(folder, [...new Set(wanted.map(({ id }) => id))]);
  const output = new Map([...clusters].map((cluster) => [cluster, new Map<string, string>()]));
  for (const { cluster, path, id } of wanted) output.get(cluster)?.set(path, texts.get(id) ?? '');
  return output;
}

interface Blob {
  readonly cluster: string;
  /** Path in the cluster's folder. */
  readonly path: string;
  readonly id: string;
}

/** Reads a line of `git ls-tree`: mode, type, id, and after a tab the path. */
function blobIn(line: string, prefix: string): readonly Blob[] {
  const [facts = '', ...path] = line.split('\t');
  const [, type, id] = facts.split(' ');
  const [cluster, ...rest] = path.join('\t').slice(prefix.length).split('/');
  if (type !== 'blob' || id === undefined || cluster === undefined || rest.length === 0) return [];
  return [{ cluster, path: rest.join('/'), id }];
}

function commitOf(revision: string, folder: string): string {
  const found = run(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  if (found.status === 0) return found.stdout.toString().trim();
  throw new Misuse(
    `--from ${revision} is neither a folder nor a revision of the repository of ${folder}; a shallow clone may lack it: git fetch`,
  );
}

/** The texts of blobs, each read once, however many files have it. */
function textsOf(folder: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const some = ids.slice(from, from + MOST_AT_ONCE);
    let rest = git(folder, ['cat-file', '--batch'], `${some.join('\n')}\n`);
    for (const id of some) {
      const end = rest.indexOf('\n');
      const size = Number(rest.subarray(0, end).toString().split(' ')[2]);
      if (!Number.isSafeInteger(size)) throw new Misuse(`git does not have all of the revision: ${id} is missing`);
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
  const result = spawnSync('git', ['-C', folder, ...args], options);
  if (result.error !== undefined) throw new Misuse(`git cannot be run: ${result.error.message}`);
  return result;
}

/**
 * The environment without the git directory that git tells hooks and `rebase --exec`, which holds for the top of the work
 * tree only: the repository is the one of the folder. Who tells a work tree, too, means both.
 */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _, ...others } = process.env;
  return others.GIT_WORK_TREE === undefined ? others : process.env;
}
