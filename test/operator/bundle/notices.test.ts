import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BundledPackage, noticesComment, noticesOf, packagesOf } from '#operator/bundle/notices';
import { temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';

const root = temporaryDirectory();

function install(path: string, manifest: object, files: Readonly<Record<string, string>>): void {
  const folder = join(root.path, 'node_modules', path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

const FREE: BundledPackage = { name: 'free', version: '1.0.0', license: 'MIT', texts: ['Do as you like.'] };

test('the notices name each package once, with its licence files', () => {
  const notice = { LICENSE: 'Apache', 'NOTICE.txt': 'Of somebody\n', 'license-checker.js': '', 'README.md': '' };
  install('@scope/one', { name: '@scope/one', version: '1.0.0', license: 'Apache-2.0' }, notice);
  install('@scope/one/node_modules/two', { name: 'two', version: '2.0.0', license: 'ISC' }, { 'license.md': 'ISC' });
  const nested = 'node_modules/@scope/one/node_modules/two/index.js';
  const files = [nested, 'operator/src/main.ts', 'node_modules/@scope/one/a.js', 'node_modules/@scope/one/lib/b.js'];
  expect(packagesOf(root.path, files)).toEqual([
    { name: '@scope/one', version: '1.0.0', license: 'Apache-2.0', texts: ['Apache', 'Of somebody'] },
    { name: 'two', version: '2.0.0', license: 'ISC', texts: ['ISC'] },
  ]);
});

test("the notices contain the packages' own statements", () => {
  expect(noticesOf('it', [FREE])).toMatch(
    /^it has code of these packages\.\n\n-{80}\n\nfree 1\.0\.0 \(MIT\)\n\nDo as you like\.\n$/,
  );
});

test('the build refuses code with other licences, or without the text of its licence', () => {
  const packages = [FREE, { ...FREE, name: 'copyleft', license: 'GPL-3.0-only' }, { ...FREE, name: 'bare', texts: [] }];
  const choice = { ...FREE, name: 'unsaid', license: undefined as never };
  expect(() => noticesOf('it', [...packages, choice])).toThrow(
    /copyleft 1\.0\.0 has the licence GPL-3\.0-only; bare 1\.0\.0 comes without the text of its licence; unsaid 1\.0\.0 has the licence undefined/,
  );
});

test('a comment with the notices does not end early and contains only ASCII', () => {
  const comment = noticesComment('© “Zoë” */ process.exit(1)\n');
  expect(comment).toBe('/*!\n(c) "Zo?" * / process.exit(1)\n*/\n');
  expect(new Function(`${comment}return 1`)()).toBe(1);
});
