import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names of the program, Debian's first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/**
 * Path of a Chromium: what CHROMIUM names, else one on PATH, else Debian's package, which root has installed.
 *
 * @throws Error that says how to get one
 */
export function chromium(): string {
  const found = process.env.CHROMIUM ?? onPath() ?? installed();
  if (found !== undefined) return found;
  throw new Error(
    'There is no Chromium, with which the page of the report is tested. On Debian: apt-get install chromium. Elsewhere, name one in CHROMIUM.',
  );
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs Debian's package, where that can be done without asking anybody. */
function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get')) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const { status, stderr } = spawnSync('apt-get', ['--quiet', ...args], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed: ${stderr.trim()}`);
  }
  return onPath();
}
