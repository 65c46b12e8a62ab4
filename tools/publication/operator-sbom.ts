import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundle, bundledPackages } from '#operator/bundle/build-bundle';
import { bundledBom } from './bundled-sbom';

const ROOT = join(__dirname, '..', '..');

/** Prints the bill of materials of the bundled operator: the bundled packages in the versions of package-lock.json. */
async function main(): Promise<void> {
  await buildBundle();
  const { name, version, description } = JSON.parse(readFileSync(join(ROOT, 'operator', 'package.json'), 'utf8'));
  const options = ['--package-lock-only', '--sbom-format', 'cyclonedx', '--workspace', 'operator'];
  const printed = execFileSync('npm', ['sbom', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const bom = bundledBom(JSON.parse(printed), { name, version, description }, bundledPackages());
  process.stdout.write(`${JSON.stringify(bom, undefined, 2)}\n`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
