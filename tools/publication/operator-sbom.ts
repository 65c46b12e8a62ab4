import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from '#operator/bundle/build-bundle';
import { bundledBom } from './bundled-sbom';

const ROOT = join(__dirname, '..', '..');

/** `npm run -s publication:operator-sbom`: prints the bill of materials of the bundled operator, of the packages that the lock pins. */
const { name, version, description } = JSON.parse(readFileSync(join(ROOT, 'operator', 'package.json'), 'utf8'));
const printed = execFileSync(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--workspace', 'operator'],
  {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
process.stdout.write(
  `${JSON.stringify(bundledBom(JSON.parse(printed), { name, version, description }, bundledPackages()), undefined, 2)}\n`,
);
