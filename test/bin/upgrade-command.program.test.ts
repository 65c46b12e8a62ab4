import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { type Outcome, runInMemory } from './fake-terminal';
import { commitAll, gitIn } from './git-repository';

const ROOT = join(__dirname, '..', '..');
const directory = temporaryDirectory();
const repository = () => join(directory.path, 'repository');
const dist = () => join(repository(), 'dist');

const git = (...args: readonly string[]) => gitIn(repository(), ...args);
const commit = () => commitAll(repository());

function plan(...args: readonly string[]): Promise<Outcome> {
  return runInMemory(['upgrade', 'plan', '--to', dist(), ...args]);
}

/** Synthesizes a mesh of a release in each cluster. */
function synth(clusters: Readonly<Record<string, LinkerdVersion>>): void {
  const platform = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    outdir: dist(),
    acknowledge: { 'release-lines-skipped': 'it is a test' },
  });
  for (const [name, version] of Object.entries(clusters)) {
    platform.addCluster(name, { destination: { name } }, (cluster) => {
      new LinkerdMesh(cluster, 'mesh', { version, crds: { gatewayApi: 'existing' } });
    });
  }
  platform.synth();
}

beforeEach(() => {
  mkdirSync(repository());
  git('init', '--quiet', '--initial-branch', 'main');
});

test('upgrade plan refuses to skip release lines, and lists the steps nevertheless', async () => {
  synth({ home: 'stable-2.14.10', shop: 'stable-2.14.10', gone: 'edge-26.8.3' });
  commit();
  synth({ home: 'edge-26.8.3', shop: 'edge-26.8.3', new: 'edge-26.8.3' });
  const { code, stdout, stderr } = await plan('--from', 'HEAD');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toContain('## 2 clusters: home, shop');
  expect(stdout).toContain('- linkerd-control-plane: stable-2.14.10 (2.14) -> edge-26.8.3 (2.20)');
  expect(stdout).toContain('[release-lines-skipped]');
  expect(stdout).toMatch(/## gone\n\nRemoved\./);
  expect(stdout).toMatch(/## new\n\nNew cluster/);
  expect((await plan('--from', 'main', '--acknowledge', 'release-lines-skipped')).code).toBe(0);
  const json = await plan('--from', 'HEAD', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    refused: true,
    groups: [
      { clusters: ['gone'] },
      { clusters: ['home', 'shop'], plan: { cluster: 'changed' } },
      { clusters: ['new'] },
    ],
  });
  // A folder is read like a revision.
  cpSync(dist(), join(directory.path, 'later'), { recursive: true });
  git('checkout', '--quiet', '--force', 'HEAD', '--', 'dist');
  rmSync(join(dist(), 'new'), { recursive: true });
  const folders = await runInMemory(['upgrade', 'plan', '--from', dist(), '--to', join(directory.path, 'later')]);
  expect(folders.stdout).toBe(stdout);
});

test('upgrade plan --ring includes the ring’s clusters of the later output, and those removed from it', async () => {
  const index = (ring: string) => JSON.stringify({ writer: 'x', ring, charts: [], files: [] });
  const old = { a: 'canary', b: 'rest', gone: 'rest', moved: 'canary' };
  for (const [name, ring] of Object.entries(old)) writeFiles(dist(), { [`${name}/${INDEX_FILE}`]: index(ring) });
  commit();
  rmSync(join(dist(), 'gone'), { recursive: true });
  writeFileSync(join(dist(), 'moved', INDEX_FILE), index('rest'));
  const { code, stdout } = await plan('--from', 'HEAD', '--ring', 'rest', '--json');
  expect(code).toBe(0);
  const { groups } = JSON.parse(stdout) as { readonly groups: readonly { readonly clusters: readonly string[] }[] };
  expect(groups.flatMap(({ clusters }) => clusters).sort()).toEqual(['b', 'gone', 'moved']);
  expect(await plan('--from', 'HEAD', '--ring', 'early')).toMatchObject({ code: 2, stdout: '' });
});

test('upgrade plan begins with a table of rings and the time at which each gets the change', async () => {
  const rings = [{ name: 'canary' }, { name: 'rest', revision: 'ring/rest' }];
  const index = (ring: string, release: string) =>
    JSON.stringify({ writer: 'x', ring, charts: [], releases: [`linkerd-control-plane ${release}`], files: [] });
  const argocd = { [`argocd/${INDEX_FILE}`]: JSON.stringify({ writer: 'x', rings, charts: [], files: [] }) };
  const write = (release: string) =>
    writeFiles(dist(), {
      ...argocd,
      [`b/${INDEX_FILE}`]: index('rest', release),
      [`a/${INDEX_FILE}`]: index('canary', release),
    });
  write('edge-26.8.2');
  commit();
  write('edge-26.8.3');
  const { stdout } = await plan('--from', 'HEAD');
  expect(stdout).toContain('# Upgrade plan\n\n| ring | clusters that change | when |\n');
  expect(stdout).toContain(
    '| `canary` | 1 of 1 | at merge |\n| `rest` | 1 of 1 | when its revision `ring/rest` moves |',
  );
  const { rings: planned } = JSON.parse((await plan('--from', 'HEAD', '--json')).stdout) as { readonly rings: unknown };
  expect(planned).toMatchObject([
    { ring: 'canary', reach: 'merge' },
    { ring: 'rest', reach: 'revision' },
  ]);
});

test('upgrade plan accepts an output at the root of a repository, and any file names', async () => {
  const index = (...files: readonly string[]) => JSON.stringify({ writer: 'x', charts: [], files });
  const configMap = (value: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n  käse: "${value}"\n`;
  writeFiles(repository(), {
    [`zürich/${INDEX_FILE}`]: index('b/größe "1".yaml'),
    'zürich/b/größe "1".yaml': configMap('🧀'),
    'zürich/b/foreign.yaml': 'of another program',
  });
  commit();
  writeFiles(repository(), { 'zürich/b/größe "1".yaml': configMap('🍞'), 'zürich/b/foreign.yaml': 'other' });
  const { code, stdout } = await runInMemory(['upgrade', 'plan', '--from', 'HEAD', '--to', repository()]);
  expect(code).toBe(0);
  expect(stdout).toContain('## zürich\n');
  expect(stdout).toContain('- ConfigMap b/a\n  - `data.käse`: "🧀" -> "🍞"');
});

test.each([
  ['merge conflict markers', '<<<<<<< HEAD\na: 1\n=======\na: 2\n'],
  ['an alias of its own parent', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &data {a: *data}\n'],
])('upgrade plan reports a file with %s as an error of a new cluster', async (_, text) => {
  writeFiles(dist(), { [`home/${INDEX_FILE}`]: '{"writer":"x","charts":[],"files":[]}' });
  commit();
  const index = JSON.stringify({ writer: 'x', charts: [], files: ['b/a.yaml'] });
  writeFiles(dist(), { [`new/${INDEX_FILE}`]: index, 'new/b/a.yaml': text });
  const { code, stdout } = await plan('--from', 'HEAD');
  expect(code).toBe(1);
  expect(stdout).toMatch(/## new\n\nNew cluster[\s\S]*b\/a\.yaml of the later output cannot be read/);
});

test('upgrade plan accepts a link to the folder of a cluster', async () => {
  synth({ home: 'edge-26.8.3' });
  const linked = join(directory.path, 'linked');
  mkdirSync(linked);
  symlinkSync(join(dist(), 'home'), join(linked, 'home'));
  const { stdout } = await plan('--from', linked);
  expect(stdout).toContain('# Upgrade plan\n\n## home\n\nNothing changes.\n');
});

describe('upgrade plan exits with 2 on the misuse', () => {
  beforeEach(() => {
    writeFiles(dist(), { [`home/${INDEX_FILE}`]: '{"writer":"x","charts":[],"files":[]}' });
    commit();
  });

  test.each([
    [['--from', 'no-such-revision'], /--from no-such-revision is neither a folder nor a revision of the repository/],
    [['--from', '--exec=true'], /argument missing|is neither a folder nor a revision/],
    [['--from', 'HEAD:dist'], /is neither a folder nor a revision/],
    [[], /required option '--from/],
    [['--from', 'HEAD', '--to', '/no/such/folder'], /--to \/no\/such\/folder is not a folder/],
    [['--from', 'HEAD', '--acknowledge', 'certificate-alerts-missing'], /Allowed choices are/],
  ])('%j', async (args, why) => {
    const { code, stdout, stderr } = await plan(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(why);
  });

  test('a revision without an output', async () => {
    git('checkout', '--quiet', '--orphan', 'empty');
    git('rm', '--quiet', '-r', '--cached', '.');
    git('commit', '--quiet', '--allow-empty', '--message', 'x');
    const { code, stderr } = await plan('--from', 'empty');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--from empty contains no cluster/);
  });
});

test.each(['relative', 'absolute'])('upgrade plan accepts the %s path of a GIT_DIR that a Git hook sets', (form) => {
  writeFiles(dist(), { [`home/${INDEX_FILE}`]: '{"writer":"x","charts":[],"files":[]}' });
  commit();
  // In a separate process: Jest does not pass changes of its environment on to processes that it starts.
  const command = [join(ROOT, 'tools/start/start.cjs'), 'bin/cdk8s-linkerd.ts', 'upgrade', 'plan', '--from', 'HEAD'];
  const { status, stderr } = spawnSync(process.execPath, command, {
    cwd: repository(),
    env: { ...process.env, GIT_DIR: form === 'relative' ? '.git' : join(repository(), '.git') },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.each([['earlier'], ['later']])(
  'upgrade plan compares the releases despite merge conflict markers in the %s index',
  async (which) => {
    const mark = () => {
      const index = join(dist(), 'home', INDEX_FILE);
      writeFileSync(index, readFileSync(index, 'utf8').replace('  "releases"', '<<<<<<< HEAD\n  "releases"'));
    };
    synth({ home: 'stable-2.14.10' });
    if (which === 'earlier') mark();
    commit();
    synth({ home: 'edge-26.8.3' });
    if (which === 'later') mark();
    const { code, stdout } = await plan('--from', 'HEAD');
    expect(code).toBe(1);
    expect(stdout).toContain(which === 'later' ? '[file-unreadable]' : '[output-not-compared]');
    expect(stdout).toContain('[release-lines-skipped]');
    expect(stdout).toContain('- linkerd-control-plane: stable-2.14.10 (2.14) -> edge-26.8.3 (2.20)');
    expect(stdout).not.toContain('no longer in the output');
  },
);

test('upgrade plan reports no change of releases from an unreadable index', async () => {
  synth({ home: 'edge-26.8.3' });
  commit();
  writeFileSync(join(dist(), 'home', INDEX_FILE), '<<<<<<< HEAD\n');
  const { code, stdout } = await plan('--from', 'HEAD');
  expect(code).toBe(1);
  expect(stdout).toContain('[file-unreadable]');
  expect(stdout).not.toMatch(/-> removed|### (?:CRDs|Steps)/);
});

describe('upgrade plan, for the content of files,', () => {
  const files = (texts: Readonly<Record<string, string>>) => {
    const index = JSON.stringify({ writer: 'x', charts: [], files: Object.keys(texts) });
    const named = Object.entries(texts).map(([path, text]) => [`home/${path}`, text]);
    writeFiles(dist(), { ...Object.fromEntries(named), [`home/${INDEX_FILE}`]: index });
  };
  const object = (kind: string, data: object, name = 'a') =>
    JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace: 'b' }, ...data });

  test('names some of many files with merge conflict markers, and with --json all of them', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `b/${index}.yaml`);
    files({});
    commit();
    files(Object.fromEntries(many.map((path) => [path, `<<<<<<< HEAD\na: ${path}\n`])));
    const { code, stdout } = await plan('--from', 'HEAD');
    expect(code).toBe(1);
    expect(stdout).toContain('- and 18 more [file-unreadable]');
    const json = await plan('--from', 'HEAD', '--json');
    expect(JSON.parse(json.stdout).groups[0].plan.findings).toHaveLength(30);
  });

  test('escapes terminal commands', async () => {
    files({ 'b/a.yaml': object('ConfigMap', { data: { 'a\x1b[31m': 'x' } }) });
    commit();
    files({ 'b/a.yaml': object('ConfigMap', { data: { 'a\x1b[31m': 'y\u009b\u202e' } }) });
    const text = await plan('--from', 'HEAD');
    expect(text.stdout).toContain('a\\u001b[31m`: "x" -> `"y\\u009b\\u202e"`');
    const { stdout } = await plan('--from', 'HEAD', '--json');
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(JSON.parse(stdout)).toMatchObject({
      groups: [{ plan: { changed: [{ fields: [{ path: 'data.a\x1b[31m', after: 'y\u009b\u202e' }] }] } }],
    });
  });
});
