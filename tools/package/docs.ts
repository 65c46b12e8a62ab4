import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedFor, withFigures } from './facts';

const ROOT = join(__dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'packaging.md');

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** `npx tsx tools/package/docs.ts`: writes figures of the package into docs/packaging.md. It needs a build. */
function main(): void {
  const [packed] = JSON.parse(run('npm', 'pack', '--dry-run', '--json', '--silent'));
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const declared = { dependencies: Object.keys(dependencies), peerDependencies: Object.keys(peerDependencies) };
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const facts = { packed, declared, installed: installedFor(declared.dependencies, lock) };
  const load = JSON.parse(run(join(ROOT, 'node_modules/.bin/tsx'), 'bench/require.ts'));
  writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), facts, load));
}

main();
