import { execFileSync, type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildSync, transformSync } from 'esbuild';
import { readFiles, temporaryDirectory, writeFiles } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');
const ROOT = join(__dirname, '../../..');
const main = () => join(directory.path, 'main.ts');
const program = () => join(directory.path, 'main.cjs');

/** A bundle of the programs' imports. Without it, each program would load hundreds of modules. */
const library = join(mkdtempSync(join(tmpdir(), 'platform-library-')), 'library.cjs');
beforeAll(() => {
  const modules = ['lib/gitops/platform/platform', 'lib/constructs/fleet/fleet-file', 'test/support/cluster-fixture'];
  const contents = modules.map((path) => `export * from './${path}';`).join('\n');
  buildSync({
    stdin: { contents, resolveDir: ROOT },
    outfile: library,
    bundle: true,
    platform: 'node',
    sourcemap: true,
  });
});
afterAll(() => rmSync(dirname(library), { recursive: true }));

beforeEach(() => {
  writeFileSync(
    main(),
    `import { component, configMap, Platform } from ${JSON.stringify(library)};
     const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
     platform.addCluster('home', {}, (home) => {
       configMap(component(home, 'shop'), process.argv.includes('--check') ? 'other' : 'settings', 'shop');
       if (process.env.BROKEN) configMap(home, 'x', 'lost');
     });
     platform.run();`,
  );
});

function transpile(): void {
  const { code } = transformSync(readFileSync(main(), 'utf8'), { loader: 'ts', format: 'cjs' });
  writeFileSync(program(), code);
}

function run(args: readonly string[] = [], env: Record<string, string> = {}, stdio: StdioOptions = 'pipe') {
  transpile();
  const { stdout, stderr, status } = spawnSync(process.execPath, [program(), ...args], {
    cwd: directory.path,
    env: { ...process.env, CDK8S_OUTDIR: undefined, ...env },
    encoding: 'utf8',
    stdio,
  });
  return { stdout, stderr, status };
}

test('a program writes to dist, and prints a summary', () => {
  expect(run()).toEqual({ stdout: '1 cluster, 6 files: 6 written, 0 deleted, 0 unchanged\n', stderr: '', status: 0 });
  expect(existsSync(join(outdir(), 'home/shop/configmap.settings.yaml'))).toBe(true);
});

test.each([[[]], [['--check']]])('a program with clusters that ends without run() exits with 1: %j', (args) => {
  const text = readFileSync(main(), 'utf8');
  writeFileSync(main(), text.replace('platform.run();', ''));
  expect(run(args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('[platform-not-run]') });
  expect(existsSync(outdir())).toBe(false);
  // No finding if the program calls synth() itself, or exits with another status.
  writeFileSync(main(), text.replace('platform.run();', 'platform.synth({ outdir: "x" } as never);'));
  expect(run(args).stderr).not.toContain('platform-not-run');
  writeFileSync(main(), text.replace('platform.run();', 'process.exit(3);'));
  expect(run(args)).toMatchObject({ status: 3, stderr: '' });
});

test('a program exits with 1 if its check finds a difference', () => {
  run();
  expect(run(['--check'])).toMatchObject({
    stdout: expect.stringContaining('extra: home/shop/configmap.settings.yaml'),
    status: 1,
  });
});

test('a program with problems prints them, and exits with 1', () => {
  expect(run([], { BROKEN: 'yes' })).toMatchObject({ stdout: '', stderr: expect.stringContaining('lost'), status: 1 });
});

test('a program prints warnings on stderr, which cdk8s-cli shows', () => {
  run();
  writeFiles(outdir(), { 'home/shop/mine.yaml': '' });
  expect(run()).toEqual({
    stdout: '1 cluster, 6 files: 0 written, 0 deleted, 6 unchanged\n',
    stderr: expect.stringMatching(/^warning: home: .*mine\.yaml, which synth did not write \[foreign-file\]\n/),
    status: 0,
  });
});

test('a program explains how to restore files that cdk8s-cli deleted', () => {
  const own = { BROKEN: 'yes', CDK8S_OUTDIR: outdir() };
  expect(run([], own).stderr).not.toContain('git checkout');
  const env = { ...own, CDK8S_RECORD_CONSTRUCT_METADATA: 'false' };
  expect(run([], env).stderr).toContain('git checkout -- FOLDER');
  run([], { CDK8S_OUTDIR: outdir() });
  expect(run([], env).stderr).not.toContain('git checkout');
});

test.each([
  ['process.exit();', 1],
  ['process.exit(3);', 3],
])('platform.run() fails on a builder with %s', (exit, status) => {
  const program = readFileSync(main(), 'utf8');
  writeFileSync(main(), program.replace('if (process.env.BROKEN)', exit));
  for (const args of [[], ['--check']]) {
    expect(run(args)).toEqual({ stdout: '', stderr: '', status });
    expect(existsSync(join(outdir(), 'home'))).toBe(false);
  }
});

test('platform.run() keeps the exit code of the program', () => {
  writeFileSync(main(), readFileSync(main(), 'utf8').replace('platform.run();', 'process.exitCode = 4;$&'));
  expect(run()).toMatchObject({ stderr: '', status: 4 });
});

test('a program prints the problems of a fleet file', () => {
  const file = JSON.stringify(join(directory.path, 'fleet.yaml'));
  writeFiles(directory.path, { 'fleet.yaml': 'clusters: [{ name: home, rnig: canary }]' });
  writeFileSync(main(), `import { readFleet } from ${JSON.stringify(library)};\nreadFleet(${file});`);
  expect(run()).toEqual({
    stdout: '',
    stderr: expect.stringMatching(/^fleet\.yaml: 1 problem\n.*rnig.*\n\nNothing was written: 1 problem\.\n/ms),
    status: 1,
  });
});

test('a program prints the problems of a fleet file in the format of the command line', () => {
  writeFiles(directory.path, { 'fleet.yaml': 'clusters:\n  - { name: home, rnig: a }\n  - { name: b, rnig: a }' });
  writeFileSync(main(), `import { readFleet } from ${JSON.stringify(library)};\nreadFleet('fleet.yaml');`);
  const { stdout, stderr, status } = run(['--check', '--format=github']);
  const [first, second] = ['2:19', '3:16'].map((place) => `file=fleet.yaml,line=${place.replace(':', ',col=')},`);
  expect(stdout).toMatch(new RegExp(`^::error ${first}.*cluster home: rnig.*\n::error ${second}.*\n$`));
  expect([stderr, status]).toEqual([expect.stringContaining('Also at cluster b'), 1]);
});

test.each([['--places'], ['--format=github']])(
  'the option %s adds the line of the construct to findings, and changes no file',
  (option) => {
    const broken = { BROKEN: 'yes', NODE_OPTIONS: '--enable-source-maps' };
    const { stdout, stderr } = run([option], broken);
    const line =
      1 +
      readFileSync(program(), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('BROKEN'));
    expect(stdout + stderr).toMatch(
      option === '--places' ? `home/config-map-x (main.cjs:${line})` : `file=main.cjs,line=${line},`,
    );
    run();
    const written = readFiles(outdir());
    expect(run([option], { NODE_OPTIONS: '--enable-source-maps' }).status).toBe(0);
    expect(readFiles(outdir())).toEqual(written);
  },
);

test('a program prints only machine-readable findings on standard output', () => {
  expect(run(['--format', 'json'])).toEqual({
    stdout: expect.stringMatching(/^\{\n {2}"version": 1,\n {2}"outcome": "written",\n {2}"findings": \[\],/),
    stderr: '1 cluster, 6 files: 6 written, 0 deleted, 0 unchanged\n',
    status: 0,
  });
  const { stdout, stderr, status } = run(['--format', 'json'], { BROKEN: 'yes' });
  expect({ ...JSON.parse(stdout), status }).toMatchObject({
    outcome: 'refused',
    findings: [{ severity: 'error', path: 'home/config-map-x', file: 'main.cjs' }],
    status: 1,
  });
  expect(stderr).toContain('Nothing was written: 1 problem.');
  expect(JSON.parse(run(['--format=json', '--check']).stdout)).toMatchObject({
    outcome: 'different',
    differences: expect.arrayContaining([{ path: 'home/shop/configmap.other.yaml', difference: 'missing' }]),
  });
});

test('a program annotates its file on GitHub with errors and warnings, by its path in the repository', () => {
  const at = { GITHUB_WORKSPACE: dirname(directory.path) };
  const file = `file=${basename(directory.path)}/main.cjs`;
  run();
  writeFiles(outdir(), { 'home/shop/mine.yaml': '' });
  expect(run(['--format=github'], at)).toEqual({
    stdout: expect.stringMatching(`^::warning ${file},title=foreign-file::home: .*\n1 cluster, 6 files: .*\n$`),
    stderr: '',
    status: 0,
  });
  expect(run(['--format=github'], { ...at, BROKEN: 'yes' })).toEqual({
    stdout: expect.stringMatching(`^::error ${file},title=.*::home/config-map-x: .*\n$`),
    stderr: 'Nothing was written: 1 problem.\n',
    status: 1,
  });
  expect(run(['--format=github'], { CDK8S_OUTDIR: 'a'.repeat(300) })).toMatchObject({
    stdout: expect.stringMatching(/^::error title=synth-failed::ENAMETOOLONG: .*\n$/),
    status: 1,
  });
});

test('a program reports problems of a cluster at the line of the cluster in the fleet file', () => {
  const fleet =
    'clusters:\n  - { name: home, destination: { name: home } }\n  - name: edge\n    destination: { name: edge }\n';
  writeFiles(directory.path, { 'fleet.yaml': fleet });
  const program = readFileSync(main(), 'utf8')
    .replace('{ component', '{ readFleet, component')
    .replace("addCluster('home', {}, (", "addClusters(readFleet('fleet.yaml').clusters, (");
  writeFileSync(main(), program);
  const { stdout } = run(['--format=sarif'], { BROKEN: 'yes' });
  const results: readonly { readonly locations: readonly object[] }[] = JSON.parse(stdout).runs[0].results;
  expect(results.map(({ locations }) => locations)).toEqual([
    [
      {
        physicalLocation: { artifactLocation: { uri: 'fleet.yaml' }, region: { startLine: 2 } },
        logicalLocations: ['home', 'edge'].map((name) => ({ fullyQualifiedName: `${name}/config-map-x` })),
      },
      { physicalLocation: { artifactLocation: { uri: 'fleet.yaml' }, region: { startLine: 3 } } },
    ],
  ]);
});

test('a program that cannot write to the disk exits with 1 and prints the reason', () => {
  const { stderr, status } = run([], { CDK8S_OUTDIR: 'a'.repeat(300) });
  expect([stderr.split('\n').length, stderr, status]).toEqual([2, expect.stringMatching(/^ENAMETOOLONG: /), 1]);
});

test('a program reports that it cannot write its report', () => {
  for (const args of [[], ['--help']]) {
    const full = openSync('/dev/full', 'w');
    expect(run(args, {}, ['ignore', full, 'pipe'])).toMatchObject({
      stderr: expect.stringMatching(/^cannot write to standard output: ENOSPC.*\n$/),
      status: 1,
    });
    closeSync(full);
  }
  expect(existsSync(join(outdir(), 'home/shop/configmap.settings.yaml'))).toBe(true);
});

test('a program exits with 0 if the reader of its output closes the pipe', () => {
  transpile();
  const script = '{ "$0" "$1"; echo "status $?" >&2; } | true';
  const args = ['-c', script, process.execPath, program()];
  const { stderr } = spawnSync('sh', args, { cwd: directory.path, encoding: 'utf8' });
  expect(stderr).toBe('status 0\n');
});

test('a program prints its help', () => {
  expect(run(['--help'])).toMatchObject({ stdout: expect.stringContaining('--only CLUSTER'), status: 0 });
  expect(run(['--chekc'])).toMatchObject({ stderr: expect.stringContaining('--check'), status: 2 });
  expect(existsSync(outdir())).toBe(false);
});

test('a program writes the same bytes under `cdk8s synth`, which first deletes the output', () => {
  run();
  const before = readFiles(outdir());
  mkdirSync(join(outdir(), 'stale'));
  const app = `${process.execPath} ${program()}`;
  execFileSync(
    join(ROOT, 'node_modules/.bin/cdk8s'),
    ['synth', '--no-check-upgrade', '--app', app, '--output', 'dist'],
    { cwd: directory.path, stdio: 'pipe' },
  );
  expect(readFiles(outdir())).toEqual(before);
});
