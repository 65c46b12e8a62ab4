import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackages } from '../cached-packages';

const PINNED = join(__dirname, 'programs');

/**
 * The folder of packages that other people's projects have and this one has not: compilers of some years, and what
 * `cdk8s init` installs. Pinned by the lock file beside this module, and installed into `.cache` by who needs them first.
 */
export function consumerPrograms(): string {
  const lock = createHash('sha256')
    .update(readFileSync(join(PINNED, 'package-lock.json')))
    .digest('hex');
  const prepare = (empty: string) => {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PINNED, file), join(empty, file));
  };
  return join(cachedPackages(`consumer-${lock.slice(0, 12)}`, prepare, 'ci'), 'node_modules');
}
