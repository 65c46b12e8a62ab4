import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(__dirname, '..', '..', '.cache');

/**
 * Installs packages from the registry into a folder of `.cache`, once.
 *
 * @param name - the folder; it says all that decides what is in it
 * @param prepare - writes package.json, and perhaps package-lock.json, into an empty folder
 * @param command - `ci` where there is a package-lock.json
 */
export function cachedPackages(
  name: string,
  prepare: (folder: string) => void,
  command: 'install' | 'ci' = 'install',
): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // Elsewhere first: who comes in between, or is killed, leaves no half of it behind.
  const staging = mkdtempSync(`${folder}-`);
  try {
    prepare(staging);
    execFileSync('npm', [command, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'], {
      cwd: staging,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    keep(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}

/** Moves a folder to its place, unless somebody was there first, whose folder is as good. */
function keep(staging: string, folder: string): void {
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
