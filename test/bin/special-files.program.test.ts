import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';

const ROOT = join(__dirname, '..', '..');
const directory = temporaryDirectory();
const dist = () => join(directory.path, 'dist');
const index = () => JSON.stringify({ writer: 'x', charts: [], files: ['b/a.yaml'] });

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path], { stdio: 'ignore' }),
  'a link to a device without an end': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => void mkdirSync(path),
};

const programs = mkdtempSync(join(tmpdir(), 'special-files-'));
afterAll(() => rmSync(programs, { recursive: true }));

/** Bundles a program, since each of many runs would otherwise load hundreds of modules. */
function bundled(name: string, program: BuildOptions): string {
  const outfile = join(programs, name);
  buildSync({ ...program, absWorkingDir: ROOT, outfile, bundle: true, platform: 'node', logLevel: 'error' });
  return outfile;
}

/** Runs a program in a process with a timeout: a program that opened a pipe would wait forever. */
function run(program: string, args: readonly string[]) {
  const found = spawnSync(process.execPath, [program, ...args], { cwd: ROOT, encoding: 'utf8', timeout: 30_000 });
  return { code: found.status, stderr: found.stderr };
}

const COMMANDS: readonly (readonly string[])[] = [
  ['images', '--from'],
  ['report', '--out', '-', '--from'],
  ['upgrade', 'plan', '--from', 'before', '--to'],
  ['upgrade', 'plan', '--to', 'before', '--from'],
];
let cli: string;
beforeAll(() => {
  cli = bundled('cli.cjs', { entryPoints: ['bin/cdk8s-linkerd.ts'] });
});

/** All commands share the code that reads an output: each gets a pipe, and one gets all kinds of files. */
const cases = COMMANDS.flatMap((command, index) =>
  Object.keys(KINDS)
    .slice(0, index === 0 ? undefined : 1)
    .map((kind) => [command.join(' '), kind] as const),
);

test.each(cases)('%s refuses %s in an output, and does not read it', (command, kind) => {
  const before = join(directory.path, 'before');
  writeFiles(before, { [`home/${INDEX_FILE}`]: JSON.stringify({ writer: 'x', charts: [], files: [] }) });
  writeFiles(dist(), { [`home/${INDEX_FILE}`]: index() });
  const odd = join(dist(), 'home', 'b', 'a.yaml');
  mkdirSync(join(dist(), 'home', 'b'));
  KINDS[kind]?.(odd);
  const args = command.split(' ').map((word) => (word === 'before' ? before : word));
  expect(run(cli, [...args, dist()])).toEqual({ code: 2, stderr: `error: ${odd} is not a regular file\n` });
  const listed = join(dist(), 'home', INDEX_FILE);
  rmSync(odd, { recursive: true });
  rmSync(listed);
  KINDS[kind]?.(listed);
  expect(run(cli, [...args, dist()])).toEqual({ code: 2, stderr: `error: ${listed} is not a regular file\n` });
});

test('lint reports a pipe, a device and a folder in place of a file, and checks the rest', () => {
  writeFiles(directory.path, { 'a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n' });
  for (const [kind, make] of Object.values(KINDS).entries()) make(join(directory.path, `${kind}.yaml`));
  const { code, stderr } = run(cli, ['lint', directory.path]);
  const named = (name: string, why: string) => `not read: ${join(directory.path, name)}: ${why}`;
  expect(code).toBe(0);
  expect(stderr.split('\n').map((line) => line.replace(/\. Fix: .*/, ''))).toEqual([
    named('0.yaml', 'it is not a regular file'),
    named('1.yaml', 'a link that leads out of the folder'),
    '',
  ]);
  expect(run(cli, ['lint', '/dev/zero'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^not read: \/dev\/zero: it is not a regular file/),
  });
});

test.each(Object.keys(KINDS))('charts verify refuses %s in its folder, and does not read it', (kind) => {
  for (const name of ['charts.lock.yaml', 'a-1.0.0.tgz']) {
    const odd = join(directory.path, name);
    KINDS[kind]?.(odd);
    const found = run(cli, ['charts', 'verify', '--folder', directory.path]);
    expect(found).toEqual({ code: 2, stderr: `error: ${odd} is not a regular file\n` });
    rmSync(odd, { recursive: true });
  }
  symlinkSync('nowhere', join(directory.path, 'a-1.0.0.tgz'));
  const { code, stderr } = run(cli, ['charts', 'verify', '--folder', directory.path]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/a-1\.0\.0\.tgz cannot be read: ENOENT\n$/),
  });
});

test.each(Object.keys(KINDS))('synth refuses %s in place of its lock, also with --check', (kind) => {
  const contents = `import { Platform } from './lib';
const platform = new Platform({ repoUrl: 'https://git.example.com/a.git', outdir: ${JSON.stringify(dist())} });
platform.addCluster('home', {}, () => {});
platform.run();
`;
  const main = bundled('main.cjs', { stdin: { contents, resolveDir: ROOT } });
  const lock = join(directory.path, '.dist.cdk8s-linkerd.lock');
  KINDS[kind]?.(lock);
  for (const args of [[], ['--check']]) {
    const { code, stderr } = run(main, args);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${lock}, which locks the output`),
    });
  }
});

test.each(['a pipe', 'a link to a device without an end'])(
  'render refuses a chart, or a .helmignore, that is %s',
  (kind) => {
    const odd = join(directory.path, 'odd');
    KINDS[kind]?.(odd);
    expect(run(cli, ['render', odd])).toMatchObject({ code: 1, stderr: expect.stringContaining('not a regular file') });
    const chart = join(directory.path, 'chart');
    writeFiles(chart, { 'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n' });
    KINDS[kind]?.(join(chart, '.helmignore'));
    const { code, stderr } = run(cli, ['render', chart]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/\.helmignore: it is (?:not a regular file|a link)/),
    });
  },
);

test('render does not print a line of a file outside of the chart, to which .helmignore is a link', () => {
  writeFiles(directory.path, {
    secret: 'a line [',
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  });
  symlinkSync('../secret', join(directory.path, 'chart', '.helmignore'));
  const { code, stderr } = run(cli, ['render', join(directory.path, 'chart')]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('a link to a path outside') });
});

test('lint writes no baseline over a pipe', () => {
  const at = (name: string) => join(directory.path, name);
  writeFiles(directory.path, { 'a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n' });
  KINDS['a pipe']?.(at('pipe'));
  const { code, stderr } = run(cli, ['lint', at('a.yaml'), '--baseline', at('pipe'), '--write-baseline']);
  expect(stderr).toMatch(/pipe is refused: it is not a regular file/);
  expect(code).toBe(2);
});
