import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { eventually } from '../support/cluster/eventually';
import { isRunning } from '../support/cluster/pid-files';

const ROOT = join(__dirname, '..', '..');
const directory = temporaryDirectory();

/** Returns the arguments of a Jest that restricts the suites of `directory` as suites of a door (see doors.js). */
function jestArgs(door: string, ...more: readonly string[]): readonly string[] {
  const config = {
    rootDir: directory.path,
    displayName: door,
    testEnvironment: join(ROOT, 'test/support/doors/environment.js'),
    runtime: join(ROOT, 'test/support/doors/runtime.js'),
    transform: {},
  };
  return [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), ...more];
}

/** Runs a suite with the restrictions of a door. Returns the failure message of each test; empty if it passes. */
function run(door: string, tests: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const bodies = Object.entries(tests).map(([name, body]) => `test('${name}', () => { ${body} });\n`);
  const head = "const { execFileSync, spawn } = require('node:child_process'); const net = require('node:net');\n";
  writeFiles(directory.path, { 'suite.test.js': head + bodies.join('') });
  const { stdout } = spawnSync(process.execPath, jestArgs(door, '--json'), { encoding: 'utf8' });
  const [suite] = JSON.parse(stdout).testResults;
  return Object.fromEntries(
    suite.assertionResults.map(({ title, failureMessages }: { title: string; failureMessages: string[] }) => [
      title,
      failureMessages.join('\n'),
    ]),
  );
}

test('suites share the modules of the code under test; mocks, timers and globals stay separate', () => {
  const suite = `const { suites, late } = require('./code.js');
    suites.push(suites.at(-1) ?? 'none before');
    test([suites.length, suites.at(0), 'clock' in setTimeout, typeof left].join(), () => {
      late();
      jest.useFakeTimers();
      jest.spyOn(suites, 'at').mockReturnValue('mocked');
      globalThis.left = true;
    });`;
  writeFiles(directory.path, {
    // `late` requires another module only when it is called.
    'code.js': "exports.suites = []; exports.late = () => require('./late.js');",
    'late.js': '',
    'one.test.js': suite,
    'two.test.js': suite,
  });
  const { stdout } = spawnSync(process.execPath, jestArgs('node', '--json', '--runInBand'), { encoding: 'utf8' });
  const results = JSON.parse(stdout).testResults.flatMap(
    (file: { assertionResults: object[] }) => file.assertionResults,
  );
  expect(
    results.toSorted((one: { title: string }, other: { title: string }) => (one.title < other.title ? -1 : 1)),
  ).toMatchObject([
    { title: '1,none before,false,undefined', status: 'passed' },
    { title: '2,none before,false,undefined', status: 'passed' },
  ]);
});

test('the test environment fails a test that prints, or starts a program that the suffix of its suite excludes', () => {
  const start = 'try { execFileSync(process.execPath, ["--version"]); } catch {}';
  const tests = {
    program: start,
    child: 'try { spawn(process.execPath, ["--version"]); } catch {}',
    server: 'try { net.createServer().listen(0); } catch {}',
    connection: 'try { net.connect(1); } catch {}',
    log: 'console.log("hello");',
    stream: 'process.stderr.write("hello\\n");',
    quiet: '',
  };
  expect(run('node', tests)).toEqual({
    program: expect.stringMatching(/suite starts .*: give its name the suffix of what it needs/),
    child: expect.stringContaining('suite starts '),
    server: expect.stringContaining('suite starts a server'),
    connection: expect.stringContaining('suite opens a connection'),
    log: 'The test prints: hello',
    stream: 'The test prints: hello',
    quiet: '',
  });
  expect(run('program', { program: start, go: 'execFileSync("go", ["version"]);' })).toEqual({
    program: '',
    go: expect.stringContaining('suite starts go'),
  });
  const server = 'spawn("/x/go-tools/kube-apiserver-0").on("error", () => undefined);';
  expect(run('go', { server }).server).toContain('suite starts /x/go-tools/kube-apiserver-0');
  expect(run('cluster', { server })).toEqual({ server: '' });
});

test('Jest’s workers end with the process that started them, even if it is killed', async () => {
  for (const name of ['a', 'b']) {
    const body = `require('node:fs').writeFileSync('${name}.pid', String(process.pid)); return new Promise(() => {});`;
    writeFiles(directory.path, { [`${name}.test.js`]: `test('hangs', () => { ${body} }, 600_000);\n` });
  }
  const jest: ChildProcess = spawn(process.execPath, jestArgs('program', '--maxWorkers=2'), {
    cwd: directory.path,
    stdio: 'ignore',
  });
  const files = ['a.pid', 'b.pid'].map((name) => join(directory.path, name));
  await eventually(() =>
    expect(files.filter((file) => existsSync(file) && readFileSync(file).length > 0)).toEqual(files),
  );
  jest.kill('SIGKILL');
  const pids = files.map((file) => Number(readFileSync(file, 'utf8')));
  await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
});
