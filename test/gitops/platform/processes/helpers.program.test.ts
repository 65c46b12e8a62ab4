import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../../../lib/gitops/synth/output/running-process';
import { eventually } from '../../../support/cluster/eventually';
import { fingerprints, readFiles, temporaryDirectory, writeFiles } from '../../synth/output/tree-on-disk';

const ROOT = join(__dirname, '../../../..');
const directory = temporaryDirectory();
const at = (path: string) => join(directory.path, path);
const linesOf = (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8').trim().split('\n') : []);
const helpers = () => [...new Set(linesOf('helping').map((line) => Number(line.split(' ')[0])))];

function run(mode: string, ...args: readonly string[]) {
  for (const file of ['started', 'after', 'helping']) rmSync(at(file), { force: true });
  const program = 'test/gitops/platform/processes/fleet-program.ts';
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    ['tools/start/start.cjs', program, directory.path, mode, ...args],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, CDK8S_OUTDIR: undefined } },
  );
  return { stdout: stdout.split('\n').sort(), stderr, status, signal };
}

/** Runs it in one process and in two, which are to say and write the same. */
function compare(mode: string, ...args: readonly string[]) {
  rmSync(at('dist'), { recursive: true, force: true });
  const alone = run(mode, ...args, '--jobs', '1');
  expect(helpers()).toHaveLength(0);
  const files = existsSync(at('dist')) ? readFiles(at('dist')) : undefined;
  rmSync(at('dist'), { recursive: true, force: true });
  const together = run(mode, ...args, '--jobs', '2');
  expect(helpers()).not.toHaveLength(0);
  expect(together).toEqual(alone);
  expect(existsSync(at('dist')) ? readFiles(at('dist')) : undefined).toEqual(files);
  return together;
}

test('two processes write and report what one does, of links and rings that both have a part in, too', () => {
  const { stderr, stdout, status } = compare('right');
  expect(status).toBe(0);
  // The first and the third cluster are linked, in rings whose releases are compared.
  expect(stderr).toContain('[ring-out-of-order]');
  expect(stderr).toContain('[link-trust-domain-default]');
  expect(stdout.join('\n')).toContain('acknowledged');
  expect(stdout.filter((line) => line === 'λ')).toHaveLength(3);
});

test('two processes report the errors of one, in its order, and write nothing', () => {
  const { stderr, status } = compare('wrong');
  expect(status).toBe(1);
  expect([...stderr.matchAll(/\[(wrong-[\w-]+|build-failed)\]/g)].map(([, code]) => code)).toEqual([
    'wrong-eu-2',
    'build-failed',
    'wrong-us-1',
    'wrong-us-2',
    'wrong-us-3',
  ]);
  expect(existsSync(at('dist'))).toBe(false);
});

test.each(['json', 'sarif', 'github'])('two processes report in the format %s what one does', (format) => {
  const { stdout, status } = compare('wrong', '--format', format);
  expect(status).toBe(1);
  // Errors, and a warning beside them.
  for (const code of ['wrong-us-3', 'mesh-unscraped']) expect(stdout.join('\n')).toContain(code);
});

test('two processes check as one does, and a part of the clusters, and promote', () => {
  run('right');
  writeFiles(at('dist'), { 'us-2/shop/configmap.settings.yaml': 'other', 'us-3/shop/more.yaml': 'foreign' });
  rmSync(at('dist/eu-2/shop/configmap.settings.yaml'));
  const before = fingerprints(at('dist'));
  for (const args of [['--check'], ['--check', '--only', 'us-*'], ['--check', '--promote', 'rest']]) {
    const [alone, together] = ['1', '2'].map((jobs) =>
      run(args.includes('rest') ? 'rest' : 'right', ...args, '--jobs', jobs),
    );
    expect(together).toEqual(alone);
    expect(together?.status).toBe(1);
  }
  expect(fingerprints(at('dist'))).toEqual(before);
  expect(run('right', '--only', 'us-*', '--jobs', '2').status).toBe(0);
  expect(helpers()).not.toHaveLength(0);
  expect(readFileSync(at('dist/us-2/shop/configmap.settings.yaml'), 'utf8')).toContain('mode: right');
  expect(existsSync(at('dist/eu-2/shop/configmap.settings.yaml'))).toBe(false);
});

test.each([
  ['killed', '[helper-process-died]', '--jobs 1'],
  ['ends', '[helper-process-died]', 'remove process.exit'],
  ['full', 'no space left', ''],
])('a helper that is %s is one error, and the output stays as it was', (mode, how, fix) => {
  run('right');
  const before = readFiles(at('dist'));
  const { stderr, status } = run(mode, '--jobs', '2');
  expect(stderr).toContain(how);
  expect(stderr).toContain(fix);
  expect(status).toBe(1);
  expect(readFiles(at('dist'))).toEqual(before);
  expect(readdirSync(directory.path).filter((name) => name.includes('lock'))).toEqual([]);
});

test('a helper whose first process is killed ends, and the next synthesis is right', async () => {
  expect(run('parent-killed', '--jobs', '2').signal).toBe('SIGKILL');
  for (const helper of linesOf('started').map(Number)) {
    await eventually(() => expect(() => process.kill(helper, 0)).toThrow());
  }
  expect(run('right').status).toBe(0);
  const files = readFiles(at('dist'));
  rmSync(at('dist'), { recursive: true });
  run('right');
  expect(readFiles(at('dist'))).toEqual(files);
});

test('a helper that starts after its first process has ended does not take its place', async () => {
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(isRunning(pid)).toBe(false));
  process.env.CDK8S_LINKERD_HELPS = JSON.stringify({ pid, staging: 'x' });
  try {
    expect(run('right').status).toBe(1);
    expect(existsSync(at('dist'))).toBe(false);
  } finally {
    delete process.env.CDK8S_LINKERD_HELPS;
    parent.kill('SIGKILL');
  }
});

test('a program runs once in each process as far as run, and goes on in the first one', () => {
  run('right', '--jobs', '2');
  const [first] = linesOf('started');
  expect(linesOf('started').length).toBeGreaterThan(1);
  expect(linesOf('after')).toEqual([first]);
});

test.each(['prop', 'second'])(
  'a program that is not to run twice, or has synthesized before, runs once: %s',
  (mode) => {
    expect(run(mode, ...(mode === 'second' ? ['--jobs', '2'] : [])).status).toBe(0);
    expect(linesOf('started')).toHaveLength(1);
  },
);

test('a program that cannot run twice is synthesized in one process, which says so', () => {
  run('right');
  const files = readFiles(at('dist'));
  rmSync(at('dist'), { recursive: true });
  const { stderr, status } = run('once', '--jobs', '2');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^note: the program cannot run in a second process .*ended with code 1/m);
  expect(Object.keys(readFiles(at('dist')))).toEqual(Object.keys(files));
});

test('a program that chooses another outdir in each process is synthesized in one process, which says so', () => {
  run('right');
  const files = readFiles(at('dist'));
  rmSync(at('dist'), { recursive: true });
  const { stderr, status } = run('elsewhere', '--jobs', '2');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^note: .*another outdir/m);
  expect(helpers()).toHaveLength(0);
  expect(Object.keys(readFiles(at('dist')))).toEqual(Object.keys(files));
  expect(existsSync(at('other'))).toBe(false);
});
