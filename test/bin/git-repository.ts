import { execFileSync } from 'node:child_process';

/** Runs git in a folder with a fixed identity and default settings. @returns its output */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: 'pipe' }).toString();
}

/** Commits all files of a repository, even if none has changed. */
export function commitAll(repository: string): void {
  gitIn(repository, 'add', '--all');
  gitIn(repository, 'commit', '--quiet', '--allow-empty', '--message', 'x');
}
