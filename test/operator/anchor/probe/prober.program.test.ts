import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { MeshedPod } from '#operator/src/anchor/objects/meshed-pod';
import { createProber, type ProbeRequest, type Prober } from '#operator/src/anchor/probe/prober';
import { issueCertificate } from '#test/support/cluster/certificates';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

const root = issueCertificate({ commonName: 'root', ca: true });
const issuer = issueCertificate({ commonName: 'identity', ca: true, issuer: root });
const identityOf = (name: string): string => `${name}.shop.serviceaccount.identity.linkerd.cluster.local`;

const open: (Server | Socket)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy();
    else await new Promise((resolve) => one.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket) => open.unshift(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const proxy = (name: string, more: readonly string[] = []): Promise<number> => {
  const leaf = issueCertificate({ commonName: name, dnsNames: [identityOf(name)], issuer });
  return listen(createServer({ cert: [leaf.cert, issuer.cert, ...more].join(''), key: leaf.key }));
};

const startedAt = '2026-11-23T10:00:00Z';
const pod = (name: string, port: number): MeshedPod => ({
  metadata: { name, namespace: 'shop', uid: name },
  spec: { containers: [{ name: 'linkerd-proxy' }] },
  proxy: { identity: identityOf(name), port },
  status: { podIP: '127.0.0.1', containerStatuses: [{ name: 'linkerd-proxy', state: { running: { startedAt } } }] },
});

const EVERY_MS = 60_000;
const never = new AbortController().signal;

/** A prober with a clock that the test controls, and its rounds. */
function proberOf(): {
  readonly prober: Prober;
  readonly round: (pods: readonly MeshedPod[]) => ReturnType<Prober['probe']> extends infer R ? Promise<R> : never;
  readonly pass: (ms: number) => void;
  readonly look: (pods: readonly MeshedPod[], signal?: AbortSignal) => ReturnType<Prober['probe']>;
} {
  let now = 1_000_000;
  let done: () => void = () => undefined;
  const prober = createProber({ clock: () => now, log: memoryLog().log, onRound: () => done() });
  const request = (pods: readonly MeshedPod[]): ProbeRequest => ({
    pods,
    controlPlaneNamespace: 'linkerd',
    everyMs: EVERY_MS,
    bundles: [],
    found: [],
    suspects: [],
  });
  const look = (pods: readonly MeshedPod[], signal = never) => prober.probe(request(pods), signal);
  return {
    prober,
    look,
    pass: (ms) => {
      now += ms;
    },
    round: async (pods) => {
      const ended = new Promise<void>((resolve) => {
        done = resolve;
      });
      look(pods);
      await ended;
      return look(pods);
    },
  };
}

test('a round of probes reports the chain of each proxy, although others fail', async () => {
  const stray = issueCertificate({ commonName: 'x'.repeat(60), ca: true }).cert;
  const garbage = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  const silent = await listen(createTcpServer(() => undefined));
  const closed = createTcpServer();
  const gone = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  const web = await proxy('web');
  const pods = [
    pod('web', web),
    // This server has a certificate for another name.
    pod('other', web),
    pod('garbage', garbage),
    pod('silent', silent),
    pod('gone', gone),
    pod(
      'endless',
      await proxy(
        'endless',
        Array.from({ length: 60 }, () => stray),
      ),
    ),
  ];
  const { round } = proberOf();
  expect(await round(pods)).toEqual({
    since: 1_000_000,
    presented: [
      { pod: 'shop/other', isTrusted: false },
      { pod: 'shop/web', isTrusted: false, leaf: expect.objectContaining({ above: issuer.cert }) },
    ],
    unreached: ['shop/endless', 'shop/garbage', 'shop/gone', 'shop/silent'],
  });
});

test('rounds of probes keep their interval, even if the clock is set back', async () => {
  const { prober, round, look, pass } = proberOf();
  expect(prober.dueInMs(EVERY_MS)).toBe(0);
  expect(await round([])).toEqual({ since: 1_000_000, presented: [], unreached: [] });
  pass(EVERY_MS - 1);
  expect(prober.dueInMs(EVERY_MS)).toBe(1);
  expect(look([])?.since).toBe(1_000_000);
  pass(1);
  expect((await round([]))?.since).toBe(1_000_000 + EVERY_MS);
  pass(-10 * EVERY_MS);
  expect((await round([]))?.since).toBe(1_000_000 - 9 * EVERY_MS);
});

test('no round of probes starts while another is in progress', async () => {
  const connections: Socket[] = [];
  const silent = await listen(createTcpServer((socket) => connections.push(socket)));
  const { prober, look, pass } = proberOf();
  look([pod('silent', silent)]);
  pass(EVERY_MS);
  expect(prober.dueInMs(EVERY_MS)).toBeUndefined();
  expect(look([pod('silent', silent)])).toBeUndefined();
  while (connections.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(connections).toHaveLength(1);
});

test('an aborted round of probes reports nothing, and another may follow', async () => {
  const { prober, look, round, pass } = proberOf();
  const silent = await listen(createTcpServer(() => abort.abort()));
  const abort = new AbortController();
  look([pod('silent', silent)], abort.signal);
  while (prober.dueInMs(EVERY_MS) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  pass(EVERY_MS);
  expect(look([], AbortSignal.abort())).toBeUndefined();
  await new Promise((resolve) => setImmediate(resolve));
  pass(EVERY_MS);
  expect(await round([])).toMatchObject({ presented: [] });
});
