import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackages } from '../cached-packages';

const PINNED = join(__dirname, 'programs');

/**
 * The folder of packages for projects of users: compilers of several years, and the packages of `cdk8s init`. The lock
 * file next to this module pins them. The first test that needs them installs them into `.cache`.
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
