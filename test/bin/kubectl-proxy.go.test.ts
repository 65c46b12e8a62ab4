import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiServer, openApiServer } from '#bin/kubectl-proxy';
import { issueCertificate } from '../support/cluster/certificates';
import { goTool } from '../support/go-tools';

const ROOT = join(__dirname, '..', '..');
const program = goTool('kubectl');
const directory = mkdtempSync(join(os.tmpdir(), 'linkerd-proxy-'));
/** The folder of the sockets. */
const sockets = join(directory, 'tmp');
const before = process.env.KUBECONFIG;
const place = jest.spyOn(os, 'tmpdir').mockReturnValue(sockets);

type Answer = (response: ServerResponse) => void;

const json =
  (code: number, body: object, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const failure = (code: number, reason: string, message: string, headers = {}) =>
  json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code }, headers);

const breakingOff: Answer = (response) => {
  response.writeHead(200, { 'content-length': 100 }).write('{');
  setTimeout(() => response.destroy(), 100);
};

/** The next responses of the API server, by path. */
const answers = new Map<string, Answer[]>();
/** The requests to the API server. */
const asked: { readonly method?: string; readonly url?: string; readonly authorization?: string }[] = [];

const certificate = issueCertificate({ commonName: 'api', ips: ['127.0.0.1'] });
const server = createServer(certificate, ({ method, url, headers }, response) => {
  asked.push({ method, url, authorization: headers.authorization });
  const next = answers.get(url?.split('?')[0] ?? '')?.shift() ?? json(200, { kind: 'Anything' });
  next(response);
});

beforeAll(async () => {
  mkdirSync(sockets);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config = join(directory, 'config');
  writeFileSync(config, JSON.stringify(kubeconfig(`https://127.0.0.1:${port}`)));
  process.env.KUBECONFIG = config;
});

afterAll(async () => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
  place.mockRestore();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(() => {
  answers.clear();
  asked.length = 0;
});

function kubeconfig(url: string): object {
  const login = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'IfAvailable', args: [] };
  const authority = { 'certificate-authority-data': Buffer.from(certificate.cert).toString('base64') };
  const contexts = [
    ["odd'\u001b[31m name", 'test', 'anyone'],
    ['home', 'test', 'plugin'],
    ['away', 'gateway', 'anyone'],
    ['gone', 'gone', 'anyone'],
    ['strange', 'strange', 'anyone'],
    ['waiting', 'test', 'waiting'],
    ['failing', 'test', 'failing'],
  ];
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'test', cluster: { server: url, ...authority } },
      { name: 'gateway', cluster: { server: `${url}/clusters/one`, ...authority } },
      { name: 'gone', cluster: { server: 'https://127.0.0.1:1' } },
      { name: 'strange', cluster: { server: url } },
    ],
    users: [
      { name: 'anyone', user: { token: 'y' } },
      { name: 'plugin', user: { exec: { ...login, command: plugin('plugin', loggingIn()) } } },
      { name: 'waiting', user: { exec: { ...login, command: plugin('waiting', WAITING) } } },
      { name: 'failing', user: { exec: { ...login, command: plugin('failing', 'echo "no session" >&2; exit 1') } } },
    ],
    contexts: contexts.map(([name, cluster, user]) => ({ name, context: { cluster, user } })),
  };
}

function plugin(name: string, script: string): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function loggingIn(): string {
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 'x' } };
  return `echo login >> ${join(directory, 'logins')}\necho '${JSON.stringify(credential)}'`;
}

const pidFile = join(directory, 'pid');
const WAITING = `echo 'open https://login.example.com' >&2\necho $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile}\nsleep 600`;

function opened(context: string, more: { readonly program?: string; readonly signal?: AbortSignal } = {}): ApiServer {
  const { signal } = new AbortController();
  const api = openApiServer({ program, requestTimeoutMs: 60_000, context, signal, ...more });
  open.push(api);
  return api;
}

const open: ApiServer[] = [];

afterEach(() => {
  for (const api of open.splice(0)) api.close();
});

/** Reads these paths one after another. */
async function read(context: string, ...paths: readonly string[]): Promise<readonly unknown[]> {
  const api = opened(context);
  const found: unknown[] = [];
  for (const path of paths) found.push(await api.get(path));
  return found;
}

/** The folders with sockets. */
function folders(): readonly string[] {
  return readdirSync(sockets).filter((name) => name.startsWith('cdk8s-linkerd-'));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function waitingPlugin(): Promise<number> {
  await until(() => existsSync(pidFile));
  const pid = Number(readFileSync(pidFile, 'utf8'));
  rmSync(pidFile);
  return pid;
}

test('one kubectl logs in once for all requests, and its socket is private to the user', async () => {
  const api = opened('home');
  const paths = Array.from({ length: 8 }, (_, index) => `/api/v1/pods?limit=250&continue=${index}`);
  const found = await Promise.all(paths.map((path) => api.get(path)));
  expect(found.map(({ ok }) => ok)).toEqual(paths.map(() => true));
  expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(paths));
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer x']));
  expect(readFileSync(join(directory, 'logins'), 'utf8')).toBe('login\n');
  const [folder = ''] = folders();
  expect(statSync(join(sockets, folder)).mode & 0o777).toBe(0o700);
  api.close();
  expect(folders()).toEqual([]);
});

test('kubectl’s proxy refuses other methods, Secrets, and subresources that reach into a pod', async () => {
  const api = opened('home');
  expect((await api.get('/apis')).ok).toBe(true);
  const [folder = ''] = folders();
  const socketPath = join(sockets, folder, 'api');
  const code = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) =>
      request({ socketPath, method, path, headers: { host: 'localhost' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(),
    );
  const pod = '/api/v1/namespaces/secrets/pods/web-1';
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
    expect([method, await code(method, '/api/v1/pods')]).toEqual([method, 403]);
  }
  for (const path of [
    'secrets',
    'secrets/x',
    'namespaces/shop/secrets',
    'namespaces/shop/secrets/x',
    'watch/secrets',
  ]) {
    expect([path, await code('GET', `/api/v1/${path}`)]).toEqual([path, 403]);
  }
  for (const part of ['/exec', '/portforward', '/proxy/', '/log']) {
    expect([part, await code('GET', `${pod}${part}`)]).toEqual([part, 403]);
  }
  expect(asked.map(({ url }) => url)).toEqual(['/apis']);
  expect(await code('GET', pod)).toBe(200);
  expect(await code('GET', '/api/v1/namespaces/secrets/services/http:prometheus:9090/proxy/api/v1/query')).toBe(200);
});

test('get reports the HTTP status as its failure, with the message of the API server', async () => {
  const cases: readonly (readonly [Answer, object])[] = [
    [
      failure(401, 'Unauthorized', 'Unauthorized'),
      { status: 'Unauthorized', reason: expect.stringContaining('logged in') },
    ],
    [failure(403, 'Forbidden', 'pods is forbidden'), { status: 'Forbidden', reason: 'pods is forbidden' }],
    [failure(410, 'Expired', 'too old'), { status: 'Expired', reason: 'too old' }],
    [
      (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n'),
      { status: 'NotFound', reason: '404 page not found' },
    ],
    [
      failure(500, 'InternalError', 'etcd: password="abc" x'),
      { status: 'InternalError', reason: 'etcd: password=<hidden> x' },
    ],
    [
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
      { reason: 'HTTP 502 Bad Gateway' },
    ],
    [breakingOff, { reason: expect.stringContaining('unexpected EOF') }],
  ];
  // The client repeats a request whose response is cut off.
  answers.set('/apis', [...cases.map(([answer]) => answer), breakingOff]);
  const found = await read("odd'\u001b[31m name", ...cases.map(() => '/apis'));
  expect(found).toEqual(cases.map(([, answer]) => ({ ok: false, ...answer })));
});

test('get repeats a request after Retry-After, and follows a redirect', async () => {
  const busy = failure(429, 'TooManyRequests', 'try again', { 'retry-after': '1' });
  answers.set('/apis', [busy, busy]);
  answers.set('/busy', [failure(429, 'TooManyRequests', 'try again')]);
  expect(await read('home', '/apis', '/busy')).toEqual([
    { ok: true, text: '{"kind":"Anything"}' },
    { ok: false, status: 'TooManyRequests', reason: 'try again' },
  ]);
  const moved: Answer = (response) => response.writeHead(302, { location: '/here' }).end();
  answers.set('/moved', [moved, moved]);
  answers.set('/here', [json(200, { here: true })]);
  expect(await read('home', '/moved')).toEqual([{ ok: true, text: '{"here":true}' }]);
});

test('get prepends the path of the context’s server behind a gateway', async () => {
  await read('away', '/apis');
  expect(asked.map(({ url }) => url)).toEqual(['/clusters/one/apis']);
});

test.each([
  ['refuses connections', 'gone', /127\.0\.0\.1:1: connect: connection refused/],
  ['does not trust the certificate', 'strange', /x509: certificate signed by unknown authority/],
  ['has a plugin that fails', 'failing', /getting credentials: exec: executable .*failing failed with exit code 1/],
  ['is unknown', 'unknown', /context "unknown" does not exist/],
])('if a context %s, get returns this as the reason', async (_when, context, reason) => {
  expect(await read(context, '/apis')).toEqual([{ ok: false, reason: expect.stringMatching(reason) }]);
});

test('a time limit ends kubectl and a plugin that never finishes the login, and get returns what it printed', async () => {
  const late = new AbortController();
  const api = opened('waiting', { signal: late.signal });
  const answer = api.get('/apis');
  const pid = await waitingPlugin();
  late.abort();
  expect(await answer).toEqual({
    ok: false,
    reason: 'there was no answer in time; kubectl printed: open https://login.example.com',
  });
  api.close();
  await until(() => !isRunning(pid));
  expect(folders()).toEqual([]);
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s of the command ends kubectl and its plugin, and removes the socket',
  async (signal) => {
    const script = `require('./bin/kubectl-proxy').openApiServer({ program: ${JSON.stringify(program)}, requestTimeoutMs: 60000, context: 'waiting', signal: new AbortController().signal }).get('/apis')`;
    const child = spawn(process.execPath, ['--require', 'tsx/cjs', '--eval', script], {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: sockets },
    });
    const pid = await waitingPlugin();
    expect(folders()).toHaveLength(1);
    child.kill(signal);
    await until(() => !isRunning(pid) && folders().length === 0);
  },
);

test('get starts one kubectl for each request if kubectl has no proxy', async () => {
  const old = plugin(
    'old-kubectl',
    `case "$*" in *proxy*) echo 'unknown flag' >&2; exit 1;; esac\nexec ${program} "$@"`,
  );
  const api = opened('home', { program: old });
  answers.set('/none', [failure(404, 'NotFound', 'none')]);
  expect(await api.get('/apis')).toEqual({ ok: true, text: '{"kind":"Anything"}' });
  expect(await api.get('/none')).toMatchObject({ ok: false, status: 'NotFound' });
  await expect(opened('home', { program: '/nowhere/kubectl' }).get('/apis')).rejects.toThrow('ENOENT');
});

test('get starts one kubectl for each further request if the proxy is killed', async () => {
  const file = join(directory, 'proxy');
  const noted = plugin('noted-kubectl', `case "$*" in *proxy*) echo $$ > ${file};; esac\nexec ${program} "$@"`);
  const api = opened('home', { program: noted });
  expect((await api.get('/apis')).ok).toBe(true);
  const kill = () => process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  answers.set('/slow', [kill]);
  expect(await api.get('/slow')).toEqual({ ok: true, text: '{"kind":"Anything"}' });
  expect(await api.get('/apis')).toEqual({ ok: true, text: '{"kind":"Anything"}' });
  expect(folders()).toEqual([]);
});

test('get repeats a request whose answer broke off', async () => {
  answers.set('/apis', [breakingOff]);
  expect(await read('home', '/apis')).toEqual([{ ok: true, text: '{"kind":"Anything"}' }]);
});

test('close starts no other kubectl for requests in progress', async () => {
  const runs = join(directory, 'runs');
  const noted = plugin('counted-kubectl', `echo "$*" >> ${runs}\nexec ${program} "$@"`);
  const api = opened('home', { program: noted });
  answers.set('/slow', [() => setImmediate(api.close)]);
  expect(await api.get('/slow')).toMatchObject({ ok: false });
  const early = opened('home', { program: noted });
  const answer = early.get('/apis');
  early.close();
  expect(await answer).toMatchObject({ ok: false });
  expect(readFileSync(runs, 'utf8')).not.toContain('--raw');
});

test('openApiServer starts no proxy if the path of its socket would be too long', async () => {
  const long = join(directory, 'x'.repeat(100));
  mkdirSync(long);
  place.mockReturnValueOnce(long);
  expect((await opened('home').get('/apis')).ok).toBe(true);
  expect(readdirSync(long)).toEqual([]);
});
