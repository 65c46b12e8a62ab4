import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedFor } from '#tools/package/facts';

const ROOT = join(__dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/packaging.md'), 'utf8');
const json = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

test('docs/packaging.md lists the package’s dependencies', () => {
  const { dependencies, peerDependencies } = json('package.json');
  const names = Object.keys(dependencies);
  expect(page).toContain(`| dependencies | ${names.length}: ${names.join(', ')} |`);
  expect(page).toContain(`| peers | ${Object.keys(peerDependencies).join(', ')} |`);
  const installed = installedFor(names, json('package-lock.json'));
  expect(page).toContain(`with their own dependencies | ${installed.length} |`);
  expect(installed.filter((name) => !existsSync(join(ROOT, 'node_modules', name)))).toEqual([]);
});

test('docs/packaging.md and docs/versioning.md state the oldest supported versions', () => {
  const { engines, peerDependencies } = json('package.json');
  const versioning = readFileSync(join(ROOT, 'docs/versioning.md'), 'utf8');
  expect(page).toContain(`| cdk8s | ${peerDependencies.cdk8s.slice(1)} and newer`);
  expect(page).toContain(`constructs ${peerDependencies.constructs.slice(1)} and newer`);
  expect(versioning).toContain(`| Node.js | ${engines.node.slice(2)} and newer`);
});
