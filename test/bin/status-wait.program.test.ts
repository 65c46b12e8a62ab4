import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '#lib/gitops/platform/platform';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';
import { component, configMap } from '../support/cluster-fixture';
import { runInMemory } from './fake-terminal';

// Mocks the clock: only the fifteen seconds between two reads pass, however long a read takes.
let mockNow = 0;
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockNow += milliseconds;
  },
}));
jest.spyOn(performance, 'now').mockImplementation(() => mockNow);

const directory = temporaryDirectory();

/** Writes the output of a small platform, and returns its folder. */
function writeOutput(): string {
  const outdir = join(directory.path, 'dist');
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  platform.addCluster('home', {}, (cluster) => configMap(component(cluster, 'shop'), 'settings', 'shop', {}));
  platform.synth();
  return outdir;
}

test('status --wait continues if it cannot read the kubeconfig once', async () => {
  const outdir = writeOutput();
  const config = {
    clusters: [{ name: 'home', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'home', context: { cluster: 'home' } }],
  };
  const [kubectl, reads] = [join(directory.path, 'kubectl'), join(directory.path, 'reads')];
  const script = `echo >> ${reads}; [ $(wc -l < ${reads}) = 2 ] && exec echo '{"clus'; echo '${JSON.stringify(config)}'`;
  const view = `case "$*" in *view*) ${script};; *) echo unreachable >&2; exit 1;; esac`;
  writeFileSync(kubectl, `#!/bin/sh\n${view}\n`, { mode: 0o755 });
  const options = ['--wait', '50s', '--format', 'json', '--kubectl', kubectl];
  const { code, stdout, stderr } = await runInMemory(['status', '--from', outdir, ...options]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).clusters[0].findings[0].code).toBe('cluster-unreachable');
  expect(stderr.match(/0 of 1 clusters without errors/g)).toHaveLength(3);
});

/** A kubectl with contexts that reaches no cluster. */
function kubectlWith(contexts: readonly string[], current: string | undefined): string {
  const config = {
    clusters: [{ name: 'any', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: contexts.map((name) => ({ name, context: { cluster: 'any' } })),
    ...(current !== undefined && { 'current-context': current }),
  };
  const kubectl = join(directory.path, 'kubectl-of-contexts');
  const view = `case "$*" in *view*) echo '${JSON.stringify(config)}';; *) echo unreachable >&2; exit 1;; esac`;
  writeFileSync(kubectl, `#!/bin/sh\n${view}\n`, { mode: 0o755 });
  return kubectl;
}

test.each<readonly [contexts: readonly string[], current: string | undefined, cluster: string, told: RegExp]>([
  [['home', 'eu-1'], 'home', 'eu-1', /^$/],
  [['home'], 'home', 'home', /eu-1 is compared with the cluster of the current context, home$/m],
])('status compares manifests with the context of their folder among %j, or with the current one', async (...row) => {
  const [contexts, current, cluster, told] = row;
  const folder = join(directory.path, 'manifests', 'eu-1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n');
  const kubectl = kubectlWith(contexts, current);
  const found = await runInMemory(['status', '--from', folder, '--format', 'json', '--kubectl', kubectl]);
  expect(JSON.parse(found.stdout).clusters).toEqual([expect.objectContaining({ cluster })]);
  expect(found.stderr).toMatch(told);
});

describe('without a kubeconfig,', () => {
  const { KUBECONFIG } = process.env;
  afterEach(() => {
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = KUBECONFIG;
  });

  test.each<[readonly string[], string, RegExp]>([
    [['status'], '/nonexistent', /: \/nonexistent does not exist: correct the environment variable KUBECONFIG$/m],
    [['doctor'], '/nonexistent', /: \/nonexistent does not exist: correct/],
    [['doctor', '--context', 'home'], '/nonexistent:/gone', /: \/nonexistent and \/gone do not exist: correct/],
    [['status'], __filename, /the kubeconfig selects no context: set --context/],
    [['status'], `/nonexistent:${__filename}`, /the kubeconfig selects no context: set --context/],
    [['doctor'], __filename, /the kubeconfig selects no context: set --context/],
    [['doctor', '--from', '/gone'], '/nonexistent', /--from \/gone is not a folder/],
  ])('%j reports the file of KUBECONFIG %s', async (args, file, message) => {
    process.env.KUBECONFIG = file;
    const folder = join(directory.path, 'one');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n');
    const from = args.includes('--from') ? [] : ['--from', folder];
    const { code, stderr } = await runInMemory([...args, ...from, '--kubectl', kubectlWith([], undefined)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

test.each<readonly [args: readonly string[], message: string]>([
  [['--ring', 'other'], '--ring other: the ring has no clusters'],
  [['--ring', 'other', '--only', 'home'], '--ring other: no cluster of --only is in it'],
])('status %j reports which option excludes all clusters', async (args, message) => {
  const { code, stderr } = await runInMemory(['status', '--from', writeOutput(), ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('status checks a folder before it reads the kubeconfig', async () => {
  const folder = join(directory.path, 'several');
  for (const name of ['a', 'b']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'a.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n');
  }
  const { code, stderr } = await runInMemory(['status', '--from', folder, '--kubectl', join(folder, 'none')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/for 2 clusters, .*name the folder of one cluster, \S+\/a or \S+\/b$/m);
});
