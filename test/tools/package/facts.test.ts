import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedFor, readFigures, withFigures } from '../../../tools/package/facts';

const ROOT = join(__dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/packaging.md'), 'utf8');
const json = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

const FACTS = {
  packed: { size: 1_234_567, unpackedSize: 4_000_000, entryCount: 1_609 },
  declared: { dependencies: ['a', 'b'], peerDependencies: ['cdk8s'] },
  installed: ['a', 'b', 'c'],
};

test('figures are put between the marks, again and again', () => {
  const empty = '# Page\n\n<!-- npm run package:docs -->\n<!-- end -->\n\nMore.\n';
  const once = withFigures(empty, FACTS, { ratio: 3.6 });
  expect(once).toContain('| unpacked | 4.0 MB in 1610 files |');
  expect(once).toMatch(/^# Page\n[\s\S]*\nMore\.\n$/);
  expect(withFigures(once, FACTS, { ratio: 3.6 })).toBe(once);
  expect(readFigures(once)).toEqual({ archive: 1_200_000, unpacked: 4_000_000, ratio: 3.6 });
  expect(() => withFigures('# Page\n', FACTS, { ratio: 1 })).toThrow('has no place');
});

test('what is installed for packages is followed to its end, round circles', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1' } },
    'node_modules/b': { dependencies: { a: '1', '@c/d': '1' } },
    'node_modules/e': {},
  };
  expect(installedFor(['a'], { packages })).toEqual(['@c/d', 'a', 'b']);
});

test('the page names the dependencies that there are', () => {
  const { dependencies, peerDependencies } = json('package.json');
  const names = Object.keys(dependencies);
  expect(page).toContain(`| dependencies | ${names.length}: ${names.join(', ')} |`);
  expect(page).toContain(`| peers | ${Object.keys(peerDependencies).join(', ')} |`);
  const installed = installedFor(names, json('package-lock.json'));
  expect(page).toContain(`with their own dependencies | ${installed.length} |`);
  expect(installed.filter((name) => !existsSync(join(ROOT, 'node_modules', name)))).toEqual([]);
});

test('the page names the oldest versions that the package asks for', () => {
  const { engines, peerDependencies } = json('package.json');
  const versioning = readFileSync(join(ROOT, 'docs/versioning.md'), 'utf8');
  expect(page).toContain(`| cdk8s | ${peerDependencies.cdk8s.slice(1)} and newer`);
  expect(page).toContain(`constructs ${peerDependencies.constructs.slice(1)} and newer`);
  expect(versioning).toContain(`| Node.js | ${engines.node.slice(2)} and newer`);
});

test('loading takes as long as a bench measured', () => {
  expect(readFigures(page).ratio).toBeGreaterThan(1);
});
