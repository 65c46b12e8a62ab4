import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';

const ROOT = join(__dirname, '..', '..');
const PAGE = 'page\n'.repeat(4_000);

const directory = temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const names = () => readdirSync(directory.path).sort();

/** Bundles a program that writes the page, so that a shell can run it with limits and files of the test. */
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

/** Runs a script in the folder, with the program as `$write FILE`. */
function sh(script: string) {
  const write = `'${process.execPath}' '${program()}'`;
  const found = spawnSync('sh', ['-c', script.replaceAll('$write', write)], { cwd: directory.path, encoding: 'utf8' });
  return { code: found.status, stdout: found.stdout, stderr: found.stderr };
}

test('writeOutFile keeps the earlier page, and no part of the new one, on a full disk', () => {
  writeFileSync(at('page.html'), 'earlier');
  symlinkSync('page.html', at('link.html'));
  for (const name of ['page.html', 'link.html', 'new.html']) {
    const { code, stderr } = sh(`ulimit -f 8; $write ${name}`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--out \S+ cannot be written: E\w+: /)]);
  }
  expect([read('page.html'), names()]).toEqual(['earlier', ['link.html', 'page.html', 'program.cjs']]);
});

test('writeOutFile writes into a pipe without replacing it', () => {
  const { code, stdout } = sh('mkfifo pipe; $write pipe & cat pipe; wait $!');
  expect([code, stdout, lstatSync(at('pipe')).isFIFO()]).toEqual([0, PAGE, true]);
});

test('writeOutFile appends to standard output, before later output', () => {
  expect(sh('$write /dev/stdout | cat').stdout).toBe(PAGE);
  sh('{ $write /dev/stdout; echo after; } >>printed');
  expect(read('printed')).toBe(`${PAGE}after\n`);
});
