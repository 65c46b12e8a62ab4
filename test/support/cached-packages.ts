import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(__dirname, '..', '..', '.cache');

/**
 * Installs packages from the registry into a folder of `.cache`, once.
 *
 * @param name - the folder; the name must change with the content
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
  // A staging folder keeps a killed or parallel process from leaving a half-filled folder.
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

/** Moves a folder to its place, unless another process has put an equal folder there. */
function keep(staging: string, folder: string): void {
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
