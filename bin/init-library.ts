import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** This library, as the package.json of a project names it. */
export interface LibrarySource {
  /** A version, the URL of an archive or of a Git repository, or `file:` with a path from the project. */
  readonly spec: string;
  /** The archive to copy into the project: its name, and its present path. */
  readonly archive?: { readonly name: string; readonly file: string };
}

/**
 * Returns the source from which npm installed this library, as seen from the folder of a project; undefined if npm did
 * not install it. The project then uses the same copy as its author, even if a registry has another package of this
 * name. An archive outside the project is copied into it, so that every clone of the project contains it.
 */
export function librarySource(root: string, installed = __dirname): LibrarySource | undefined {
  const folder = packageFolder(installed);
  if (folder === undefined || basename(dirname(folder)) !== 'node_modules') return undefined;
  const installer = dirname(dirname(folder));
  const { dependencies, devDependencies } = manifestIn(installer) ?? {};
  const spec = dependencies?.['cdk8s-linkerd'] ?? devDependencies?.['cdk8s-linkerd'];
  if (spec === undefined || !spec.startsWith('file:')) return spec === undefined ? undefined : { spec };
  const file = resolve(installer, spec.slice('file:'.length));
  const path = relative(root, file);
  if (!path.startsWith('..') || !statSync(file, { throwIfNoEntry: false })?.isFile()) return { spec: `file:${path}` };
  return { spec: `file:${basename(file)}`, archive: { name: basename(file), file } };
}

function packageFolder(folder: string): string | undefined {
  if (manifestIn(folder)?.name === 'cdk8s-linkerd') return folder;
  return dirname(folder) === folder ? undefined : packageFolder(dirname(folder));
}

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifestIn(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
