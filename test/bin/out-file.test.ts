import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeOutFile } from '#bin/out-file';
import { Misuse } from '#bin/terminal';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { runInMemory } from './fake-terminal';

const PAGE = 'page\n'.repeat(4_000);

const directory = temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const names = () => readdirSync(directory.path).sort();

test('writeOutFile replaces the page as a whole, and keeps the mode of its file', () => {
  writeFileSync(at('page.html'), 'earlier');
  chmodSync(at('page.html'), 0o640);
  const { ino } = statSync(at('page.html'));
  writeOutFile(at('page.html'), PAGE);
  writeOutFile(at('new.html'), PAGE);
  expect([read('page.html'), read('new.html'), names()]).toEqual([PAGE, PAGE, ['new.html', 'page.html']]);
  expect(statSync(at('page.html')).mode & 0o777).toBe(0o640);
  expect(statSync(at('page.html')).ino).not.toBe(ino);
});

test('writeOutFile follows a link, whether its target exists or not', () => {
  mkdirSync(at('pages'));
  writeFileSync(at('pages/one.html'), 'earlier');
  for (const name of ['one', 'two']) {
    symlinkSync(join('pages', `${name}.html`), at(name));
    writeOutFile(at(name), PAGE);
    expect([readlinkSync(at(name)), read(`pages/${name}.html`)]).toEqual([join('pages', `${name}.html`), PAGE]);
  }
  expect(readdirSync(at('pages'))).toEqual(['one.html', 'two.html']);
});

test('writeOutFile keeps both names of a hard-linked file', () => {
  writeFileSync(at('one.html'), 'earlier');
  linkSync(at('one.html'), at('two.html'));
  writeOutFile(at('one.html'), PAGE);
  expect(read('two.html')).toBe(PAGE);
});

test('writeOutFile overwrites a file in place if it cannot write a temporary one next to it', () => {
  // A longer name of a temporary file would exceed the limit of the file system.
  const long = `${'a'.repeat(245)}.html`;
  writeFileSync(at(long), 'earlier');
  writeOutFile(at(long), PAGE);
  mkdirSync(at('pages'));
  writeFileSync(at('pages/one.html'), 'earlier');
  chmodSync(at('pages'), 0o555);
  writeOutFile(at('pages/one.html'), PAGE);
  chmodSync(at('pages'), 0o755);
  expect([read(long), read('pages/one.html')]).toEqual([PAGE, PAGE]);
});

test.each(['', 'nowhere/page.html'])('writeOutFile refuses a folder, and a file in a missing folder: %j', (name) => {
  expect(() => writeOutFile(at(name), PAGE)).toThrow(Misuse);
  expect(names()).toEqual([]);
});

test.each([
  ['missing/page.html', /^error: --out .*page\.html cannot be written: .*ENOENT/],
  ['.', /^error: --out .* cannot be written: it is a folder/],
])('status refuses an --out that it cannot write before it starts kubectl: %s', async (path, reason) => {
  writeFiles(at('dist'), { [`home/${INDEX_FILE}`]: JSON.stringify({ writer: 'x', charts: [], files: [] }) });
  const outcome = await runInMemory(['status', '--from', at('dist'), '--out', at(path)]);
  expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
});
