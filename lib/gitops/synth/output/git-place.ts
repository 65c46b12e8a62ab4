import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Where a folder is in the Git repository around it, found without running Git. */
export interface GitPlace {
  /** The folder's path from the root of the repository, with slashes; empty for the root. */
  readonly path: string;
  /** The URLs of the remote repositories; empty without any. */
  readonly remotes: readonly string[];
}

/** Returns where a folder is in a Git repository; undefined outside of one, or if Git ignores the folder. */
export function gitPlaceOf(folder: string): GitPlace | undefined {
  try {
    const place = realPath(folder);
    const root = gitRootOf(place);
    if (root === undefined) return undefined;
    const path = relative(root, place).split(sep).join('/');
    return isIgnored(root, path) ? undefined : { path, remotes: remotesOf(join(root, '.git')) };
  } catch {
    // An unreadable repository counts as none.
    return undefined;
  }
}

/** Resolves the links of a path. Its last parts may be missing. */
export function realPath(path: string): string {
  return existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPath(dirname(path)), relative(dirname(path), path));
}

/** Returns the root of the Git repository around a folder; undefined outside of one. */
export function gitRootOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : gitRootOf(dirname(folder));
}

/** Returns the URLs of remotes. In a worktree or a submodule, `.git` is a file with the path of Git's data. */
function remotesOf(git: string): readonly string[] {
  const text = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : '';
  const [, given] = /^gitdir: (.+)$/m.exec(text(git)) ?? [];
  const own = given === undefined ? git : from(dirname(git), given.trim());
  const common = text(join(own, 'commondir')).trim();
  const config = text(join(common === '' ? own : from(own, common), 'config'));
  const sections = config.split(/^\s*(?=\[)/m).filter((section) => /^\[remote "/.test(section));
  return sections.flatMap((section) => /^\s*url\s*=\s*(\S+)/m.exec(section)?.[1] ?? []);
}

function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** Whether a line of a .gitignore between the root and a folder names the folder, or a parent of it. */
function isIgnored(root: string, path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.some((_, depth) => {
    const file = join(root, ...parts.slice(0, depth), '.gitignore');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    return isNamedByLines(lines, parts.slice(depth).join('/'));
  });
}

/** Whether lines of a .gitignore name a path, or a parent of it; relative to its folder, with slashes. */
export function isNamedByLines(lines: readonly string[], path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, last) => matchesLast(lines, parts.slice(0, last + 1).join('/')));
}

/** The last line that matches decides. */
function matchesLast(lines: readonly string[], path: string): boolean {
  const found = lines.findLast((line) => pattern(line.trim())?.test(path) === true);
  return found !== undefined && !found.trim().startsWith('!');
}

/** Returns the expression of a line. A line with a slash before its end starts at the folder of its file. */
function pattern(line: string): RegExp | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  // A line with a bracket or backslash matches every path. A line with too many stars matches none: it would be slow.
  if (/[[\\]/.test(line)) return /^/;
  if ((line.match(/\*+/g)?.length ?? 0) > MAX_STARS) return undefined;
  const glob = line.replace(/^!/, '').replace(/\/+$/, '');
  const text = glob
    .replace(/^\//, '')
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*\*\/|\/\*\*|\*|\?/g, (part) => GLOBS[part] ?? part);
  try {
    return new RegExp(`^${glob.includes('/') ? '' : '(?:.*/)?'}${text}$`);
  } catch {
    return undefined;
  }
}

/** Each star multiplies the time of an expression by the length of the path. */
const MAX_STARS = 3;

const GLOBS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '/**': '/.*', '*': '[^/]*', '?': '[^/]' };
