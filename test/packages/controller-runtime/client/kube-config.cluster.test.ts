import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { stringify } from 'yaml';
import { bundleProgram } from '#operator/bundle/build-bundle';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import type { KubeObject } from '#test/support/cluster/objects';
import type { Answer, Question } from './kube-config-probe';

let cluster: Cluster;
let dir: string;
let probe: ChildProcessByStdio<Writable, Readable, Readable>;
/** The standard error of the probe. */
let warnings = '';
let answers: AsyncIterator<string>;
const bindings: KubeObject[] = [];

beforeAll(async () => {
  cluster = await sharedCluster();
  dir = mkdtempSync(join(tmpdir(), 'kube-config-'));
  // Bundled like the operator, without the unused parts of client-node.
  const { code } = await bundleProgram(
    'kube-config-probe',
    'test/packages/controller-runtime/client/kube-config-probe.ts',
  );
  const program = join(dir, 'probe.cjs');
  writeFileSync(program, code);
  probe = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  probe.stderr.setEncoding('utf8').on('data', (text: string) => {
    warnings += text;
  });
  answers = createInterface(probe.stdout)[Symbol.asyncIterator]();
});

afterAll(async () => {
  for (const binding of bindings) await cluster.delete(binding);
  rmSync(dir, { recursive: true });
  const ended = once(probe, 'exit');
  probe.stdin.end();
  await ended;
});

/** Lists namespaces. Returns the answer or an error. */
async function ask(question: Question): Promise<Answer> {
  probe.stdin.write(`${JSON.stringify(question)}\n`);
  return JSON.parse((await answers.next()).value ?? '{}');
}

/** The rig's kubeconfig with a change. */
function kubeconfig(change: (config: ReturnType<typeof JSON.parse>) => void): string {
  const config = JSON.parse(readFileSync(cluster.kubeconfig(), 'utf8'));
  change(config);
  const path = join(dir, `${Math.random()}.kubeconfig`);
  writeFileSync(path, JSON.stringify(config));
  return path;
}

const viewersToken = async (): Promise<string> => {
  const namespace = await cluster.namespace('kube-config');
  const binding = await cluster.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
  });
  bindings.push(binding);
  return await cluster.serviceAccountToken(namespace, 'default');
};

const SOME = { count: expect.any(Number) };

test('the client authenticates with a client certificate', async () => {
  const kubeconfig = cluster.kubeconfig({ user: 'somebody', groups: ['system:masters'] });
  expect(readFileSync(kubeconfig, 'utf8')).toContain('client-certificate-data');
  expect(await ask({ kubeconfig })).toEqual(SOME);
});

test('the client authenticates with a token', async () => {
  const token = await viewersToken();
  await cluster.eventually(async () => expect(await ask({ kubeconfig: cluster.kubeconfig({ token }) })).toEqual(SOME));
});

test('the client reads KUBECONFIG if no file is given', async () => {
  expect(await ask({ env: { KUBECONFIG: cluster.kubeconfig() } })).toEqual(SOME);
});

/** The same kubeconfig with the address of a server that does not answer. */
const elsewhere = (): string =>
  kubeconfig((config) => {
    const name = 'elsewhere';
    config.clusters = [{ name, cluster: { server: 'https://127.0.0.1:1' } }];
    config.users = [{ name, user: { token: 'any' } }];
    config.contexts = [{ name, context: { cluster: name, user: name } }];
    config['current-context'] = name;
  });

test('the first file of KUBECONFIG with a current context decides', async () => {
  const nameless = kubeconfig((config) => {
    for (const field of ['clusters', 'users', 'contexts']) config[field] = [];
    delete config['current-context'];
  });
  const files = [nameless, cluster.kubeconfig(), elsewhere()];
  expect(await ask({ env: { KUBECONFIG: files.join(delimiter) } })).toEqual(SOME);
  expect(await ask({ env: { KUBECONFIG: files.reverse().join(delimiter) } })).toMatchObject({
    cause: expect.stringContaining('ECONNREFUSED'),
  });
});

test('the client reads YAML as kubectl writes it, with relative files', async () => {
  const config = JSON.parse(readFileSync(cluster.kubeconfig(), 'utf8'));
  const { 'certificate-authority-data': ca, ...server } = config.clusters[0].cluster;
  const folder = mkdtempSync(join(dir, 'yaml-'));
  writeFileSync(join(folder, 'ca.crt'), Buffer.from(ca ?? '', 'base64'));
  config.clusters[0].cluster = ca === undefined ? server : { ...server, 'certificate-authority': 'ca.crt' };
  const path = join(folder, 'config');
  writeFileSync(path, `# a comment\n${stringify(config)}`);
  expect(await ask({ kubeconfig: path })).toEqual(SOME);
  writeFileSync(join(folder, 'broken'), 'clusters: [');
  expect(await ask({ kubeconfig: join(folder, 'broken') })).toMatchObject({
    message: `The kubeconfig ${join(folder, 'broken')} cannot be read`,
  });
});

test('the client reads ~/.kube/config without KUBECONFIG', async () => {
  mkdirSync(join(dir, '.kube'));
  copyFileSync(cluster.kubeconfig(), join(dir, '.kube', 'config'));
  expect(await ask({ env: { HOME: dir } })).toEqual(SOME);
});

test('the client prefers the given file to all others', async () => {
  const missing = join(dir, 'missing');
  expect(await ask({ kubeconfig: cluster.kubeconfig(), env: { KUBECONFIG: missing } })).toEqual(SOME);
  expect(await ask({ kubeconfig: missing, env: { HOME: dir } })).toMatchObject({
    message: `The kubeconfig ${missing} cannot be read`,
    cause: expect.stringContaining('ENOENT'),
  });
});

test('the client authenticates with a token from an exec plugin', async () => {
  const token = await viewersToken();
  const plugin = join(dir, 'plugin.sh');
  const status = { token };
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
  writeFileSync(plugin, `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`);
  chmodSync(plugin, 0o700);
  const exec = { apiVersion: credential.apiVersion, command: plugin, interactiveMode: 'Never' };
  const path = kubeconfig((config) => {
    config.users[0].user = { exec };
  });
  await cluster.eventually(async () => expect(await ask({ kubeconfig: path })).toEqual(SOME));
});

test('the client rereads a token file that the kubelet replaces while the process runs', async () => {
  const tokenFile = join(dir, 'token');
  writeFileSync(tokenFile, 'expired\n');
  const path = kubeconfig((config) => {
    config.users[0].user = { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } };
  });
  expect(await ask({ kubeconfig: path })).toMatchObject({ status: 401 });
  writeFileSync(tokenFile, `${await viewersToken()}\n`);
  await cluster.eventually(async () => expect(await ask({ kubeconfig: path })).toEqual(SOME));
});

test("the client refuses an API server's certificate that the CA did not issue", async () => {
  const path = kubeconfig((config) => {
    delete config.clusters[0].cluster['certificate-authority-data'];
  });
  expect(await ask({ kubeconfig: path })).toMatchObject({ cause: expect.stringMatching(/certificate/) });
});

test.each([
  ['http', 'server', 'http://127.0.0.1:1', "No API server with TLS is configured ('http://127.0.0.1:1')"],
  ['a proxy', 'proxy-url', 'http://127.0.0.1:1', "proxy-url (of cluster 'test' in the kubeconfig) is not supported"],
])('the client refuses %s before it sends a request', async (_name, field, value, message) => {
  const path = kubeconfig((config) => {
    config.clusters[0].cluster[field] = value;
  });
  expect(await ask({ kubeconfig: path })).toEqual({ message: expect.stringContaining(message) });
});

test.each([
  ['an empty user', {}],
  ['a file that client-node does not read', { tokenFile: '/var/run/secrets/token' }],
  ['a password, which API servers no longer accept', { username: 'admin', password: 'secret' }],
])(
  'the client refuses %s as credentials, with which the API server would see an anonymous user',
  async (_name, user) => {
    const path = kubeconfig((config) => {
      config.users[0].user = user;
    });
    const { message } = await ask({ kubeconfig: path });
    expect(message).toMatch(/^No credentials are configured \(user 'test' in the kubeconfig\)/);
  },
);

test('the error for a missing context contains a fix', async () => {
  const path = kubeconfig((config) => {
    config['current-context'] = 'missing';
  });
  expect(await ask({ kubeconfig: path })).toEqual({
    message:
      'No API server with TLS is configured (no current context): set --kubeconfig or KUBECONFIG, or run in a pod',
  });
});

test('the error for a file that is not YAML has the line number, but not the content', async () => {
  const path = join(dir, 'broken.kubeconfig');
  writeFileSync(path, 'users:\n- name: a\n  user: {token: a-token-of-somebody\nx: [\n');
  expect(await ask({ kubeconfig: path })).toEqual({
    message: `The kubeconfig ${path} cannot be read`,
    cause: 'it is not YAML: BAD_INDENT in line 4',
  });
});

test('no warning of the process quotes a kubeconfig', async () => {
  const path = join(dir, 'tagged.kubeconfig');
  writeFileSync(path, 'users:\n- name: a\n  user: {token: !a-token-of-somebody x}\n');
  await ask({ kubeconfig: path });
  // The probe writes its warnings before its answer.
  await ask({ kubeconfig: path });
  expect(warnings).toBe('');
});

/** A kubeconfig with an `auth-provider` of this name as the source of the token. */
const fromProvider = (name: string, config: Readonly<Record<string, string>>): string =>
  kubeconfig((whole) => {
    whole.users[0].user = { 'auth-provider': { name, config } };
  });

const PAST = '2020-01-01T00:00:00Z';
const commands = { 'cmd-path': 'echo', 'cmd-args': '{}', 'token-key': '{.token}', 'expiry-key': '{.expiry}' };

test.each(['azure', 'gcp', 'oidc'])('the client uses the cached token of %s until it expires', async (name) => {
  const token = await viewersToken();
  const path = fromProvider(name, name === 'oidc' ? { 'id-token': token } : { 'access-token': token });
  await cluster.eventually(async () => expect(await ask({ kubeconfig: path })).toEqual(SOME));
});

test.each([
  ['azure', { 'access-token': 'old', expiry: PAST, ...commands }],
  ['gcp', { 'access-token': 'old', expiry: PAST, ...commands }],
  [
    'oidc',
    {
      // Expired in 1970.
      'id-token': ['{}', '{"exp":1}', ''].map((part) => Buffer.from(part).toString('base64url')).join('.'),
      ...{ 'client-id': 'any', 'refresh-token': 'any', 'idp-issuer-url': 'https://127.0.0.1:1' },
    },
  ],
])('the client does not renew an expired token of %s, and the error contains a fix', async (name, config) => {
  expect(await ask({ kubeconfig: fromProvider(name, config) })).toMatchObject({
    cause: 'The bundled operator cannot renew the token of an auth-provider: use exec in the kubeconfig',
  });
});
