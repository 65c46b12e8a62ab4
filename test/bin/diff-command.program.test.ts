import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import type { OutputDiff } from '#lib/review/diff/model';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { component, configMap } from '../support/cluster-fixture';
import { type Outcome, runInMemory } from './fake-terminal';
import { commitAll, gitIn } from './git-repository';

const directory = temporaryDirectory();
const repository = () => join(directory.path, 'repository');
const dist = () => join(repository(), 'dist');

const git = (...args: readonly string[]) => gitIn(repository(), ...args);
const commit = () => commitAll(repository());

function diff(...args: readonly string[]): Promise<Outcome> {
  return runInMemory(['diff', '--to', dist(), ...args]);
}

/** Synthesizes a mesh in each cluster with this number of control plane replicas. */
function synth(clusters: Readonly<Record<string, number>>): void {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: dist() });
  for (const [name, replicas] of Object.entries(clusters)) {
    platform.addCluster(name, { destination: { name } }, (cluster) => {
      new LinkerdMesh(cluster, 'mesh', { values: { controllerReplicas: replicas } });
    });
  }
  platform.synth();
}

/** A small output with a ConfigMap in one cluster. */
function writeOutput(value: string, extra: Readonly<Record<string, string>> = {}): void {
  writeFiles(dist(), {
    [`home/${INDEX_FILE}`]: JSON.stringify({ writer: 'x', charts: [], files: ['b/configmap.a.yaml'] }),
    'home/b/configmap.a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n  a: ${value}\n`,
    ...extra,
  });
}

beforeEach(() => {
  mkdirSync(repository());
  git('init', '--quiet', '--initial-branch', 'main');
});

test('diff refuses a repository without commits', async () => {
  writeOutput('1');
  expect(await diff()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/the repository of .*dist has no commits yet\n$/),
  });
});

test('diff accepts folder names with special characters of git or a shell', async () => {
  const name = ':(top) *[é] $x';
  const folder = join(repository(), name);
  writeOutput('1');
  renameSync(dist(), folder);
  commit();
  writeOutput('2');
  rmSync(folder, { recursive: true });
  renameSync(dist(), folder);
  const { stdout } = await runInMemory(['diff', '--to', `${folder}/`]);
  expect(stdout).toContain('1 file: 1 changed');
});

test('diff prints equal changes of several clusters once, and reads a folder like a revision', async () => {
  synth({ home: 3, shop: 3, gone: 3 });
  commit();
  cpSync(dist(), join(directory.path, 'earlier'), { recursive: true });
  expect(await diff()).toMatchObject({ code: 0, stdout: expect.stringContaining('HEAD → ') });
  expect((await diff()).stdout).toContain('no difference');
  expect((await diff('--exit-code')).code).toBe(0);
  synth({ home: 4, shop: 4, new: 3 });
  const { code, stdout, stderr } = await diff('HEAD');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('4 of 4 clusters change.');
  expect(stdout).toContain('New: 115 files, by folder: ');
  expect(stdout).toContain('2 clusters: home, shop\n');
  expect(stdout).toContain('Scales from 3 to 4 pods: Deployment linkerd/linkerd-destination');
  expect((await diff('HEAD', '--exit-code')).code).toBe(1);
  const [of, json] = [
    JSON.parse((await diff('HEAD', '--format', 'json')).stdout) as OutputDiff,
    await diff(join(directory.path, 'earlier'), '--format', 'json'),
  ];
  expect(of).toMatchObject({
    version: 3,
    from: 'HEAD',
    clusters: [
      { name: 'argocd' },
      { name: 'gone', state: 'removed' },
      { name: 'home', state: 'changed' },
      { name: 'new', state: 'added' },
      { name: 'shop' },
    ],
  });
  expect((JSON.parse(json.stdout) as OutputDiff).groups).toEqual(of.groups);
});

test('diff prints only the clusters of --ring', async () => {
  const index = (ring: string, value: string) => JSON.stringify({ writer: value, ring, charts: [], files: [] });
  const rings = { hub: 'canary', east: 'rest', west: 'rest' };
  const write = (value: string) => {
    for (const [name, ring] of Object.entries(rings))
      writeFiles(dist(), { [`${name}/${INDEX_FILE}`]: index(ring, value) });
  };
  write('x');
  commit();
  for (const name of Object.keys(rings)) {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n  a: b\n`;
    writeFiles(dist(), { [`${name}/b/configmap.a.yaml`]: text });
  }
  const { code, stdout } = await diff('--ring', 'rest');
  expect(code).toBe(0);
  expect([/\beast\b/, /\bwest\b/, /\bhub\b/].map((name) => name.test(stdout))).toEqual([true, true, false]);
  expect((await diff('--ring', 'none')).code).toBe(2);
});

test('diff prints the delivery of clusters of a ring, even with a damaged index', async () => {
  const synthRings = (...names: readonly string[]) => {
    const rings = ['canary', { name: 'rest', revision: 'ring/rest' }] as const;
    const argocd = { applicationsSync: 'sync', preserveResourcesOnDeletion: false } as const;
    const platform = new Platform({ repoUrl: 'https://git.example.com/a.git', outdir: dist(), rings, argocd });
    for (const ring of ['canary', 'rest'] as const) {
      platform.addCluster(`in-${ring}`, { ring, destination: { name: ring } }, (cluster) => {
        for (const name of names) configMap(component(cluster, name), 'settings', name);
      });
    }
    platform.synth();
  };
  synthRings('a', 'b');
  commit();
  synthRings('a');
  const { stdout } = await diff('--ring', 'rest');
  expect(stdout).toContain('\nin-rest; ring rest\n');
  expect(stdout).toMatch(/Deleted by Argo CD: ConfigMap b\/settings/);
  expect(stdout).not.toMatch(/in-canary|Argo CD\n/);
  writeFiles(dist(), { [`in-rest/${INDEX_FILE}`]: '<<<<<<< HEAD' });
  expect((await diff('--ring', 'rest')).stdout).toContain('The index of the later output is damaged: it is not JSON');
});

test('diff compares by default with the merge base of the branch and its branch of origin', async () => {
  writeOutput('1');
  commit();
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '--quiet', '-b', 'mine');
  writeOutput('2');
  commit();
  const { stdout } = await diff();
  expect(stdout).toMatch(/^[0-9a-f]{10} \(where this branch left origin\/main\) → /m);
  expect(stdout).toContain('data.a: 1 → 2');
});

test('diff reports that a shallow clone may lack the commit', async () => {
  writeOutput('1');
  commit();
  writeOutput('2');
  commit();
  const clone = join(directory.path, 'clone');
  git('clone', '--quiet', '--depth', '1', `file://${repository()}`, clone);
  const { code, stderr } = await runInMemory(['diff', 'HEAD~1', '--to', join(clone, 'dist')]);
  expect(code).toBe(2);
  expect(stderr).toContain('this clone is shallow, and may lack it: git fetch --unshallow');
});

test.each([
  [['nowhere'], /nowhere is neither a folder nor a revision/],
  [['--to', 'nowhere'], /--to nowhere is not a folder; synthesize first/],
  [['--limit', '10'], /at least 1000/],
  [['--format', 'pdf'], /Allowed choices are text, markdown, json, html/],
  [['--', '--output=x'], /--output=x is neither a folder nor a revision/],
])('diff refuses the arguments %j', async (args, message) => {
  writeOutput('1');
  commit();
  const { code, stdout, stderr } = await diff(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('diff requires a folder with an output if it runs outside of a repository', async () => {
  const outside = join(directory.path, 'outside');
  writeFiles(outside, { 'a/b': '' });
  const { code, stderr } = await runInMemory(['diff', 'HEAD', '--to', outside]);
  expect(code).toBe(2);
  expect(stderr).toContain('is not in a git repository');
  expect((await runInMemory(['diff', outside, '--to', outside])).stderr).toContain('contains a cluster');
});

test('diff prints files of the user that Argo CD applies', async () => {
  writeOutput('1');
  commit();
  writeOutput('1', {
    'home/b/evil.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: evil\n  namespace: b\n',
    'home/b/note.txt': 'x',
  });
  symlinkSync('/etc/passwd', join(dist(), 'home', 'b', 'link.yaml'));
  const { stdout } = await diff('HEAD');
  expect(stdout).toContain('Not written by synth, and added; Argo CD applies such files too: b/evil.yaml, b/link.yaml');
  expect(stdout).toContain('New: ServiceAccount b/evil');
  expect(stdout).not.toContain('root:');
});

test('diff does not skip a cluster whose index is deleted', async () => {
  writeOutput('1');
  commit();
  writeOutput('2');
  rmSync(join(dist(), 'home', INDEX_FILE));
  expect((await diff('HEAD')).stdout).toContain('data.a: 1 → 2');
});

test('diff prints no content of an unreadable file, and no terminal commands', async () => {
  writeOutput('1');
  commit();
  writeOutput('"\\u001b[2Jred"');
  expect((await diff('HEAD')).stdout).toContain('\\u001b[2Jred');
  writeFileSync(join(dist(), 'home', 'b', 'configmap.a.yaml'), 'password: [hunter2\n');
  const { stdout } = await diff('HEAD', '--format', 'json');
  expect(stdout).not.toContain('hunter2');
  expect((JSON.parse(stdout) as OutputDiff).groups[0]?.consequences).toContainEqual(
    expect.objectContaining({ code: 'file-unreadable', severity: 'error', file: 'b/configmap.a.yaml' }),
  );
});

test('diff ignores the order of keys, whitespace and comments', async () => {
  writeOutput('1');
  commit();
  const file = join(dist(), 'home', 'b', 'configmap.a.yaml');
  writeFileSync(
    file,
    `# said\n${readFileSync(file, 'utf8').replace('kind: ConfigMap\n', '').trim()}\nkind: "ConfigMap"\n`,
  );
  expect((await diff('HEAD')).stdout).toContain('Only order, white space or comments differ: b/configmap.a.yaml');
});
