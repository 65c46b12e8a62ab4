import { spawnSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { managerOf, type PackageManager } from '#lib/cli/init/package-manager';
import { type Folder, PROJECT_FILES, type Project } from '#lib/cli/init/project';
import { Misuse } from './terminal';

/** Reads the facts about a folder that planProject needs. The folder may be missing. */
export function readFolder(root: string): Folder {
  const there = lstatSync(root, { throwIfNoEntry: false });
  if (there !== undefined && !isFolder(root)) throw new Misuse(`${root} is a file, not a folder`);
  const files = new Map(
    PROJECT_FILES.flatMap((path) => {
      const file = join(root, path);
      return lstatSync(file, { throwIfNoEntry: false }) === undefined ? [] : [[path, textOf(file)] as const];
    }),
  );
  const entries = there === undefined ? [] : readdirSync(root, { withFileTypes: true });
  const folders = entries.filter((entry) => !entry.isDirectory() || readdirSync(join(root, entry.name)).length > 0);
  const prefix = prefixOf(root);
  return {
    name: basename(there === undefined ? root : realpathSync(root)),
    files,
    folders: new Set(folders.map(({ name }) => name)),
    prefix,
    manager: managerAround(root, prefix),
  };
}

/** Returns the path of a folder in its repository. The folder and its parents may be missing. */
function prefixOf(folder: string): string | undefined {
  if (isFolder(folder) || dirname(folder) === folder) return git(folder, 'rev-parse', '--show-prefix');
  const around = prefixOf(dirname(folder));
  return around === undefined ? undefined : `${around}${basename(folder)}/`;
}

/** The nearest lock file decides: a workspace has one at its root. */
function managerAround(root: string, prefix = ''): PackageManager | undefined {
  const depth = prefix.split('/').filter((part) => part !== '').length;
  const folders = Array.from({ length: depth + 1 }, (_, up) => join(root, ...Array<string>(up).fill('..')));
  const found = folders.map((folder) => managerOf(new Set(isFolder(folder) ? readdirSync(folder) : [])));
  return found.find((manager) => manager !== undefined);
}

function isFolder(path: string): boolean {
  try {
    return readdirSync(path) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR' || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return false;
    throw new Misuse(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Returns an empty text for a path that is not a readable file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the URL of a folder's remote repository; empty if there is none. */
export function originOf(root: string): string {
  return git(root, 'config', '--get', 'remote.origin.url') ?? '';
}

function git(folder: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trimEnd() : undefined;
}

interface ProjectFiles extends Pick<Project, 'manifest'> {
  readonly created: ReadonlyMap<string, string | Uint8Array>;
}

/** Writes a whole project or nothing. @throws Misuse if it cannot be written */
export function writeProject(root: string, { created, manifest }: ProjectFiles): void {
  const undo: (() => void)[] = [];
  const makeFolder = (path: string) => {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
    makeFolder(dirname(path));
    mkdirSync(path);
    undo.push(() => rmdirSync(path));
  };
  const create = (path: string, content: string | Uint8Array) => {
    makeFolder(dirname(path));
    const file = openSync(path, 'wx');
    // The file exists even if writing it fails, for example on a full disk.
    undo.push(() => rmSync(path));
    try {
      writeFileSync(file, content);
    } finally {
      closeSync(file);
    }
  };
  try {
    for (const [path, content] of created) create(join(root, path), content);
    if (manifest === undefined) return;
    // Atomic, and the last step: an earlier failure leaves the folder's own package.json intact.
    const path = realpathSync(join(root, 'package.json'));
    create(`${path}.new`, manifest);
    renameSync(`${path}.new`, path);
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw new Misuse(`Nothing was written: ${error instanceof Error ? error.message : error}`);
  }
}
