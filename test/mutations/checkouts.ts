import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Copies of the last commit, into which faults are written and in which tests run. */
export interface Checkouts {
  readonly paths: readonly string[];
  readonly remove: () => void;
}

/** Whether files differ from the last commit. */
export function isDirty(root: string): boolean {
  return git(root, 'status', '--porcelain') !== '';
}

/** Folders that the copies share: installed packages, and the Go programs that tests have built. */
const SHARED = ['node_modules', '.cache/go', '.cache/go-tools'] as const;

/** Creates copies of the last commit. */
export function createCheckouts(root: string, count: number): Checkouts {
  const folder = join(root, '.cache', 'mutations');
  // The paths are the same in each run, because Jest finds compiled files by path.
  const paths = Array.from({ length: count }, (_, index) => join(folder, `checkout-${index + 1}`));
  const made: string[] = [];
  const remove = (): void => {
    for (const path of made) git(root, 'worktree', 'remove', '--force', path);
  };
  for (const path of [folder, ...SHARED.map((shared) => join(root, shared))]) mkdirSync(path, { recursive: true });
  try {
    for (const path of paths) {
      if (existsSync(path)) throw new Error(leftOver(path));
      made.push(path);
      git(root, 'worktree', 'add', '--detach', '--quiet', path);
      mkdirSync(join(path, '.cache'), { recursive: true });
      for (const shared of SHARED) symlinkSync(join(root, shared), join(path, shared), 'dir');
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { paths, remove };
}

function leftOver(path: string): string {
  return `${path} is in use, or a killed run left it. In the latter case, run "git worktree remove --force ${path}".`;
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
