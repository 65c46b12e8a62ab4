import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { writeOutFile } from '../../bin/out-file';
import { Misuse } from '../../bin/terminal';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';

const ROOT = join(__dirname, '..', '..');
const PAGE = 'page\n'.repeat(4_000);

const directory = temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const names = () => readdirSync(directory.path).sort();

/** Makes a program that writes the page, to run it where a shell sets its limits and its files. */
function program(): string {
  const contents = `import { writeOutFile } from './bin/out-file';
try {
  writeOutFile(process.argv[2], 'page\\n'.repeat(4_000));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
`;
  const outfile = join(directory.path, 'program.cjs');
  buildSync({ stdin: { contents, resolveDir: ROOT }, outfile, bundle: true, platform: 'node', logLevel: 'error' });
  return outfile;
}

/** Runs a script, in which `$write FILE` is that program, in the folder. */
function sh(script: string) {
  const write = `'${process.execPath}' '${program()}'`;
  const found = spawnSync('sh', ['-c', script.replaceAll('$write', write)], { cwd: directory.path, encoding: 'utf8' });
  return { code: found.status, stdout: found.stdout, stderr: found.stderr };
}

test('a page is written as a whole, with the mode of the earlier one', () => {
  writeFileSync(at('page.html'), 'earlier');
  chmodSync(at('page.html'), 0o640);
  const { ino } = statSync(at('page.html'));
  writeOutFile(at('page.html'), PAGE);
  writeOutFile(at('new.html'), PAGE);
  expect([read('page.html'), read('new.html'), names()]).toEqual([PAGE, PAGE, ['new.html', 'page.html']]);
  expect(statSync(at('page.html')).mode & 0o777).toBe(0o640);
  expect(statSync(at('page.html')).ino).not.toBe(ino);
});

test('on a full disk the earlier page stays, and no part of the new one', () => {
  writeFileSync(at('page.html'), 'earlier');
  symlinkSync('page.html', at('link.html'));
  for (const name of ['page.html', 'link.html', 'new.html']) {
    const { code, stderr } = sh(`ulimit -f 8; $write ${name}`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--out \S+ cannot be written: E\w+: /)]);
  }
  expect([read('page.html'), names()]).toEqual(['earlier', ['link.html', 'page.html', 'program.cjs']]);
});

test('a link stays a link, to a file that is there and to one that is not', () => {
  mkdirSync(at('pages'));
  writeFileSync(at('pages/one.html'), 'earlier');
  for (const name of ['one', 'two']) {
    symlinkSync(join('pages', `${name}.html`), at(name));
    writeOutFile(at(name), PAGE);
    expect([readlinkSync(at(name)), read(`pages/${name}.html`)]).toEqual([join('pages', `${name}.html`), PAGE]);
  }
  expect(readdirSync(at('pages'))).toEqual(['one.html', 'two.html']);
});

test('a file of two names keeps both', () => {
  writeFileSync(at('one.html'), 'earlier');
  linkSync(at('one.html'), at('two.html'));
  writeOutFile(at('one.html'), PAGE);
  expect(read('two.html')).toBe(PAGE);
});

test('where nothing can be written beside a file, it is overwritten', () => {
  // So long a name leaves no room for that of another file.
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

test('a pipe gets the page, and stays a pipe', () => {
  const { code, stdout } = sh('mkfifo pipe; $write pipe & cat pipe; wait $!');
  expect([code, stdout, lstatSync(at('pipe')).isFIFO()]).toEqual([0, PAGE, true]);
});

test('standard output gets the page, and what is printed after it', () => {
  expect(sh('$write /dev/stdout | cat').stdout).toBe(PAGE);
  sh('{ $write /dev/stdout; echo after; } >>printed');
  expect(read('printed')).toBe(`${PAGE}after\n`);
});

test.each(['', 'nowhere/page.html'])('a folder, and a file in none, are refused: %j', (name) => {
  expect(() => writeOutFile(at(name), PAGE)).toThrow(Misuse);
  expect(names()).toEqual([]);
});
