import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { emptyCluster, type OwnCluster } from '../support/cluster/cluster';
import { customResourceDefinition } from '../support/cluster/crds';
import { definitionsOf, manifestsIn } from '../support/cluster/dist-manifests';
import { type KubeObject, ref } from '../support/cluster/objects';
import { component, configMap } from '../support/cluster-fixture';
import { goTool } from '../support/go-tools';
import { type Outcome, runInMemory } from './fake-terminal';

const directory = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-status-'));
const dist = join(directory, 'dist');
const program = goTool('kubectl');

/** The name of a context that needs quotes. */
const STRANGE = "odd'\u001b[31m name";

let cluster: OwnCluster;
const before = process.env.KUBECONFIG;

beforeAll(async () => {
  synthesize();
  cluster = await emptyCluster();
  const kinds = [
    ['cert-manager.io', 'Certificate'],
    ['cert-manager.io', 'CertificateRequest'],
    ['argoproj.io', 'Application'],
    ['policy.linkerd.io', 'Server'],
  ] as const;
  await Promise.all([
    ...kinds.map(([group, kind]) => cluster.apply(customResourceDefinition(group, kind))),
    cluster.apply(withoutSchema(customResourceDefinition('argoproj.io', 'ApplicationSet'))),
    ...definitionsOf(manifestsIn('home').map(([, object]) => object)).map((one) => cluster.apply(one)),
  ]);
  for (const name of ['linkerd', 'shop', 'argocd', 'cert-manager']) {
    const annotations: Record<string, string> = name === 'shop' ? { 'linkerd.io/inject': 'enabled' } : {};
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations } });
  }
  await cluster.applyAll(applicationSets());
  await cluster.apply(deployment('linkerd', 'linkerd-destination', 'cr.l5d.io/linkerd/controller:edge-26.7.1'));
  await cluster.apply(deployment('shop', 'web', 'example.com/web:1'));
  await cluster.rolledOut(deployment('shop', 'web', ''));
  await cluster.rolledOut(deployment('linkerd', 'linkerd-destination', ''));
  process.env.KUBECONFIG = kubeconfig();
});

afterAll(async () => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Removes the schema of ApplicationSets, which takes the API server as long to load as all others together. */
function withoutSchema(definition: KubeObject): KubeObject {
  const versions: readonly object[] = definition.spec.versions;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return { ...definition, spec: { ...definition.spec, versions: versions.map((version) => ({ ...version, schema })) } };
}

function applicationSets(): readonly KubeObject[] {
  const folder = join(dist, 'argocd');
  const files = readdirSync(folder).filter((file) => file.startsWith('applicationset.'));
  return files.map((file) => parse(readFileSync(join(folder, file), 'utf8')));
}

function synthesize(): void {
  const platform = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    outdir: dist,
    rings: ['canary', { name: 'rest', revision: 'ring/rest' }],
  });
  for (const [name, ring] of [
    ['away', 'canary'],
    ['home', 'rest'],
  ] as const) {
    platform.addCluster(name, { ring, destination: { name } }, (of) => {
      new LinkerdMesh(of, 'mesh', { crds: { gatewayApi: 'existing' }, operator: {}, viz: false });
      configMap(component(of, 'shop'), 'settings', 'shop', { ring });
    });
  }
  platform.synth();
}

function deployment(namespace: string, name: string, image: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'destination', image }] } },
    },
  };
}

/**
 * A kubeconfig with contexts of an administrator, of users with few permissions, and of a server that does not exist.
 */
function kubeconfig(): string {
  const path = cluster.kubeconfig();
  const config = JSON.parse(readFileSync(path, 'utf8'));
  const viewer = JSON.parse(readFileSync(cluster.kubeconfig({ user: 'viewer' }), 'utf8'));
  config.users.push({ ...viewer.users[0], name: 'viewer' });
  config.clusters.push({ name: 'gone', cluster: { server: 'https://127.0.0.1:1' } });
  const [own] = config.clusters;
  // Another address of the same API server, e.g. of a tunnel.
  config.clusters.push({ name: 'other', cluster: { ...own.cluster, 'tls-server-name': 'localhost' } });
  config.contexts = [
    ['home', 'test', 'test'],
    ['viewer', 'test', 'viewer'],
    ['gone', 'gone', 'test'],
    ['again', 'other', 'test'],
    ['same', 'test', 'viewer'],
    [STRANGE, 'test', 'test'],
  ].map(([name, of, user]) => ({ name, context: { cluster: of, user } }));
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function status(...args: readonly string[]): Promise<Outcome> {
  return runInMemory(['status', '--from', dist, '--kubectl', program, '--argocd-context', 'home', ...args]);
}

interface StatusData {
  readonly clusters: readonly {
    readonly cluster: string;
    readonly release?: string;
    readonly findings: readonly { readonly code: string; readonly what: string; readonly parameters: object }[];
  }[];
}

async function dataOf(...args: readonly string[]): Promise<{ readonly code: number } & StatusData> {
  const { code, stdout, stderr } = await status('--format', 'json', ...args);
  expect(stderr).toBe('');
  return { code, ...(JSON.parse(stdout) as StatusData) };
}

const codesIn = ({ clusters }: StatusData, name: string) =>
  new Set(clusters.find(({ cluster: one }) => one === name)?.findings.map(({ code }) => code));

test('status compares a cluster with the output, and sends only GET requests, none for Secrets', async () => {
  const found = await dataOf('--only', 'home');
  expect(found.code).toBe(1);
  expect(found.clusters.map(({ cluster: name, release }) => [name, release])).toEqual([['home', 'edge-26.7.1']]);
  expect([...codesIn(found, 'home')].sort()).toEqual([
    'applications-missing',
    'certificate-missing',
    'control-plane-release-differs',
    'pods-without-proxy',
    // The output is outside of a repository.
    'ring-output-unread',
    'trust-anchor-missing',
    'trust-roots-missing',
    'webhook-missing',
    'workload-missing',
  ]);
  const bare = found.clusters[0]?.findings.find(({ code }) => code === 'pods-without-proxy');
  expect(bare?.parameters).toEqual({
    pods: '1 pod',
    namespace: 'shop',
    workloads: 'Deployment/web',
    kubectl: 'kubectl --context home',
    workload: 'Deployment shop/web',
    command: '-n shop rollout restart deployment/web',
    others: 0,
  });
  const events = cluster.auditEvents().filter(({ userAgent = '' }) => userAgent.startsWith('kubectl'));
  expect(events.length).toBeGreaterThan(10);
  expect(new Set(events.map(({ verb }) => verb))).toEqual(new Set(['get', 'list']));
  expect(events.filter(({ objectRef }) => objectRef?.resource === 'secrets')).toEqual([]);
});

describe('status without an output', () => {
  async function dataIn(...args: readonly string[]): Promise<readonly string[]> {
    const given = ['status', '--kubectl', program, '--context', 'home', '--format', 'json', ...args];
    const { stdout, stderr } = await runInMemory(given);
    expect(stderr).toBe('');
    const data = JSON.parse(stdout) as StatusData;
    expect(data.clusters.map(({ cluster: name }) => name)).toEqual(['home']);
    return [...codesIn(data, 'home')].sort();
  }

  test('compares a cluster with the manifests of another program', async () => {
    const manifests = join(directory, 'manifests');
    mkdirSync(manifests);
    const objects = manifestsOf(join(dist, 'home')).map((text) => `---\n${text}`);
    writeFileSync(join(manifests, 'all.yaml'), objects.join(''));
    expect(await dataIn('--from', manifests)).toEqual([
      'certificate-missing',
      'control-plane-release-differs',
      'pods-without-proxy',
      'trust-anchor-missing',
      'trust-roots-missing',
      'webhook-missing',
      'workload-missing',
    ]);
  });

  test('reports the problems of the mesh in a cluster', async () => {
    const empty = join(directory, 'empty');
    mkdirSync(empty);
    const own = process.cwd();
    process.chdir(empty);
    try {
      expect(await dataIn()).toEqual(['pods-without-proxy']);
      await expect(runInMemory(['status', '--from', empty, '--kubectl', program])).resolves.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('no output of a Platform, and no manifests'),
      });
    } finally {
      process.chdir(own);
    }
  });
});

/** The manifests in a folder as text, without files of charts. */
function manifestsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !/(?:^|\/)(?:Chart|values|\.argocd-source)\.yaml$/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

test('status reports a cluster that does not answer, and reads the other one', async () => {
  const found = await dataOf('--context', 'away=gone');
  expect([...codesIn(found, 'away')].filter((code) => code !== 'applications-missing')).toEqual([
    'cluster-unreachable',
  ]);
  expect(codesIn(found, 'home')).toContain('pods-without-proxy');
});

test('status reports a context that the kubeconfig lacks', async () => {
  expect(codesIn(await dataOf(), 'away')).toEqual(new Set(['cluster-context-missing']));
});

test('status reports lists that its user must not read, and reads the others', async () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'view-pods' },
    rules: [{ apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list'] }],
  };
  await cluster.applyAll([
    role,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'view-pods' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view-pods' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    },
  ]);
  const found = await dataOf('--only', 'home', '--context', 'home=viewer');
  expect([...codesIn(found, 'home')].sort()).toEqual([
    'applications-missing',
    'list-unread',
    'pods-without-proxy',
    'ring-output-unread',
    // The cluster lacks the CRD.
    'trust-anchor-missing',
  ]);
  const unread = found.clusters[0]?.findings.find(({ code }) => code === 'list-unread');
  expect(unread?.parameters).toEqual({
    resources:
      'deployments and daemonsets, certificates, certificaterequests, mutatingwebhookconfigurations and validatingwebhookconfigurations and apiservices, configmaps, services, servers',
  });
});

test('status reads lists page by page, up to --max-pages', async () => {
  const servers = Array.from({ length: 260 }, (_, index) => ({
    apiVersion: 'policy.linkerd.io/v1beta3',
    kind: 'Server',
    metadata: { namespace: 'shop', name: `server-${String(index).padStart(3, '0')}` },
    spec: { accessPolicy: 'audit', podSelector: {}, port: index + 1 },
  }));
  await cluster.applyAll(servers);
  const audits = async (...args: readonly string[]) =>
    (await dataOf('--only', 'home', ...args)).clusters[0]?.findings.filter(({ code }) =>
      ['policy-in-audit', 'list-unread'].includes(code),
    );
  expect((await audits())?.map(({ parameters }) => parameters)).toEqual([
    { namespace: 'shop', servers: expect.stringMatching(/^Server server-000, .* and 255 more$/) },
  ]);
  expect((await audits('--max-pages', '1'))?.map(({ parameters }) => parameters)).toEqual([
    { resources: 'servers', count: 250 },
    { namespace: 'shop', servers: expect.stringMatching(/ and 245 more$/) },
  ]);
});

function application(folder: string, health: string): KubeObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name: `away-${folder}` },
    spec: {
      project: 'linkerd-mesh',
      destination: { name: 'away' },
      source: { repoURL: 'https://git.example.com/platform.git', path: `dist/away/${folder}`, targetRevision: 'HEAD' },
    },
    status: { sync: { status: 'Synced', revision: 'a'.repeat(40) }, health: { status: health } },
  };
}

const FAILED = {
  type: 'ErrorOccurred',
  reason: 'ApplicationGenerationFromParamsError',
  message: 'no such revision',
  lastTransitionTime: '2026-11-26T00:00:00Z',
};

test('status --through argocd reads only Applications and ApplicationSets, and succeeds when they are healthy', async () => {
  const folders = readdirSync(join(dist, 'away'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const applications = (health: string) => folders.map(({ name }) => application(name, health));
  const gate = ['--through', 'argocd', '--ring', 'canary', '--wait', '1s', '--promote'];

  await cluster.applyAll(applications('Degraded').slice(1));
  const since = new Date().toISOString();
  const closed = await dataOf(...gate);
  expect(closed.code).toBe(1);
  expect(codesIn(closed, 'away')).toEqual(new Set(['applications-missing', 'application-unhealthy']));
  const read = cluster
    .auditEvents()
    .filter(({ userAgent = '', requestReceivedTimestamp: at }) => userAgent.startsWith('kubectl') && at >= since);
  expect(new Set(read.map(({ objectRef }) => objectRef?.resource))).toEqual(
    new Set([undefined, 'applications', 'applicationsets']),
  );

  await cluster.applyAll(applications('Healthy'), { force: true });
  const set = ref('argoproj.io/v1alpha1', 'ApplicationSet', 'linkerd-mesh-away', 'argocd');
  const conditions = (status: string) => ({ status: { conditions: [{ ...FAILED, status }] } });
  await cluster.patch(set, conditions('True'), { subresource: 'status' });
  expect(codesIn(await dataOf(...gate), 'away')).toEqual(new Set(['application-set-failed']));

  await cluster.patch(set, conditions('False'), { subresource: 'status' });
  const { code, stdout } = await status(...gate);
  expect(code).toBe(0);
  expect(stdout).toContain(`git push origin ${'a'.repeat(40)}:refs/heads/ring/rest\n`);
});

test('status quotes and escapes the name of a context in commands', async () => {
  const { stdout } = await status('--only', 'home', '--context', `home=${STRANGE}`);
  expect(stdout).toContain(`kubectl --context 'odd'\\''\\u001b[31m name' -n shop rollout restart deployment/web`);
  expect(stdout).not.toContain('\u001b');
});

test('status --drift changes nothing in the cluster, and names the objects that an apply would change', async () => {
  const drift = async (...args: readonly string[]) =>
    (await dataOf('--only', 'home', '--drift', ...args)).clusters[0]?.findings.flatMap(({ code, parameters }) =>
      code === 'objects-differ' && 'folder' in parameters && parameters.folder === 'shop' ? [parameters] : [],
    );
  const command = `kubectl --context home diff --server-side --force-conflicts --field-manager=argocd-controller -f ${dist}/home/shop`;
  const settings = 'v1.ConfigMap.shop.settings';
  expect(await drift()).toEqual([
    { folder: 'shop', objects: '2 objects', names: `${settings}, v1.Namespace..shop`, command },
  ]);
  const odd = join(directory, 'a, "b"');
  cpSync(dist, odd, { recursive: true });
  expect(await drift('--from', odd)).toEqual([
    {
      folder: 'shop',
      objects: '2 objects',
      names: `${settings}, v1.Namespace..shop`,
      command: command.replace(`${dist}/home/shop`, `'"${directory}/a, ""b""/home/shop"'`),
    },
  ]);
  const objects = ['namespace.shop', 'configmap.settings'].map(
    (name): KubeObject => parse(readFileSync(join(dist, 'home', 'shop', `${name}.yaml`), 'utf8')),
  );
  await cluster.applyAll(objects, { fieldManager: 'argocd-controller', force: true });
  expect(await drift()).toEqual([]);
  const changed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name: 'settings' } };
  const { metadata } = await cluster.apply({ ...changed, data: { ring: 'other' } }, { force: true });
  expect(await drift()).toEqual([{ folder: 'shop', objects: '1 object', names: settings, command }]);
  expect((await cluster.get(changed)).metadata.resourceVersion).toBe(metadata.resourceVersion);
  const writes = cluster
    .auditEvents()
    .filter(({ userAgent = '', verb }) => userAgent.startsWith('kubectl') && !['get', 'list'].includes(verb));
  expect(writes.length).toBeGreaterThan(0);
  expect(writes.filter(({ requestURI }) => !requestURI.includes('dryRun=All'))).toEqual([]);
});

test('status reads contexts from a fleet file, and --context overrides them', async () => {
  const file = join(directory, 'fleet.yaml');
  const text = 'clusters:\n  - { name: home, context: nowhere }\n  - { name: away, context: again }\n';
  writeFileSync(file, text);
  const outcome = await runInMemory(
    ['status', '--from', dist, '--kubectl', program, '--format', 'json', '--fleet', file, '--context', 'home=home'],
    { files: { [file]: text } },
  );
  const found: StatusData = JSON.parse(outcome.stdout);
  expect(codesIn(found, 'home')).toContain('pods-without-proxy');
  expect(codesIn(found, 'away')).toContain('pods-without-proxy');
});

test.each([
  ['there is no output', ['--from', 'nowhere'], 'is not a folder'],
  ['a cluster is unknown', ['--only', 'hom'], 'did you mean "home"?'],
  ['the ring has no clusters', ['--ring', 'other'], 'the ring has no clusters'],
  ['a context has no cluster', ['--context', 'x=y'], 'there is no cluster x'],
  ['a context is not a pair', ['--context', 'home'], 'write CLUSTER=CONTEXT'],
  ['the fleet file is missing', ['--fleet', 'nowhere.yaml'], 'cannot be read'],
  ['a duration is invalid', ['--timeout', 'soon'], 'is not a duration'],
  ['a promotion names no ring', ['--promote'], '--promote needs --ring'],
  ['a promotion has no gate', ['--promote', '--ring', 'canary'], '--promote needs --wait'],
  ['a partial promotion', ['--promote', '--ring', 'canary', '--wait', '1h', '--only', 'away'], 'leave out --only'],
  ['a soak has no end', ['--soak', '1h'], '--soak needs --wait'],
  ['a soak is longer than the wait', ['--wait', '30m', '--soak', '30m'], 'too short for --soak 30m'],
  ['a commit is empty', ['--commit', ''], 'It must be a commit'],
  ['two clusters have one context', ['--context', 'home=gone', 'away=gone'], 'away and home have the same context'],
  ['two contexts lead to one cluster', ['--context', 'away=same'], 'away and home have the same API server'],
  ['kubectl is missing', ['--kubectl', '/nowhere/kubectl'], 'kubectl cannot be run'],
  ['the page cannot be written', ['--through', 'argocd', '--out', '/dev/null/x'], 'cannot be written'],
])('status reports the problem and exits with 2: %s', async (_when, args, message) => {
  const { code, stdout, stderr } = await status(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
