import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { type PeerChainLimits, readPeerChain } from '#controller-runtime/tls/peer-chain';
import { issueCertificate, type KeyPair } from '#test/support/cluster/certificates';

const NAME = 'web.shop.serviceaccount.identity.linkerd.cluster.local';
const LIMITS: PeerChainLimits = { timeoutMs: 5_000, mostBytes: 16_384 };
const never = new AbortController().signal;

const root = issueCertificate({ commonName: '1.root', ca: true });
const next = issueCertificate({ commonName: '2.root', ca: true });
const bridge = issueCertificate({ commonName: '2.root', ca: true, issuer: root, key: next.key });
const issuer = issueCertificate({ commonName: 'identity', ca: true, issuer: next });
const leaf = issueCertificate({ commonName: NAME, dnsNames: [NAME], issuer });

const open: (Server | Socket)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy();
    else await new Promise((resolve) => one.close(resolve));
  }
});

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket) => open.unshift(socket));
  server.listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server with a proxy's handshake: it requests a client certificate, but does not need one. */
const proxy = (chain: readonly KeyPair[], options: TlsOptions = {}): Promise<number> =>
  listen(
    createServer({
      cert: chain.map(({ cert }) => cert).join(''),
      key: chain[0]?.key,
      requestCert: true,
      rejectUnauthorized: false,
      ...options,
    }),
  );

const raw = (serve: (socket: Socket) => void): Promise<number> =>
  listen(createTcpServer((socket) => serve(socket.on('error', () => undefined))));

const read = (port: number, limits: Partial<PeerChainLimits> = {}, signal = never) =>
  readPeerChain({ host: '127.0.0.1', port, serverName: NAME }, { ...LIMITS, ...limits }, signal);

test("the reader of a peer's chain returns it as sent, even with unrelated certificates", async () => {
  const stray = issueCertificate({ commonName: 'stray', ca: true });
  const sent = [leaf, issuer, bridge, stray, root];
  const chain = await read(await proxy(sent));
  expect(chain.map((one) => one.toString())).toEqual(sent.map(({ cert }) => cert));
});

test('the reader gets the chain of a server that rejects clients without a certificate', async () => {
  const port = await proxy([leaf, issuer], { rejectUnauthorized: true, ca: root.cert });
  expect(await read(port)).toHaveLength(2);
});

test('the reader gets an expired certificate for another name', async () => {
  const expired = issueCertificate({ commonName: 'x', dnsNames: ['x'], issuer, notAfter: new Date(Date.now() - 1) });
  expect(await read(await proxy([expired, issuer]))).toHaveLength(2);
});

test('the reader sends the requested server name in a ClientHello of at most 512 bytes', async () => {
  const names: (string | undefined)[] = [];
  const port = await proxy([leaf, issuer], {
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  await read(port);
  expect(names).toEqual([NAME]);
  const sizes: number[] = [];
  const silent = await raw((socket) => socket.once('data', (data) => sizes.push(data.length) && socket.destroy()));
  await expect(read(silent)).rejects.toThrow();
  expect(sizes[0]).toBeLessThanOrEqual(512);
});

test('the reader fails for a server without TLS 1.3', async () => {
  await expect(read(await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))).rejects.toThrow();
  await expect(read(await raw((socket) => socket.end()))).rejects.toThrow();
  await expect(read(await proxy([leaf], { maxVersion: 'TLSv1.2' }))).rejects.toThrow();
});

test('the reader fails after its timeout for a server that hangs before or within the handshake', async () => {
  await expect(read(await raw(() => undefined), { timeoutMs: 100 })).rejects.toThrow('no answer within 100 ms');
  const slow = await raw((socket) => {
    const timer = setInterval(() => socket.write(Buffer.from([22])), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(read(slow, { timeoutMs: 300 })).rejects.toThrow();
});

test('the reader rejects a chain that is too long', async () => {
  const stray = issueCertificate({ commonName: 'x'.repeat(60), ca: true });
  const port = await proxy([leaf, issuer, ...Array.from({ length: 60 }, () => stray)]);
  await expect(read(port)).rejects.toThrow('the server sends too much');
  expect((await read(port, { mostBytes: 65_536 })).length).toBe(62);
});

test('the reader fails for an address without a listener, and for a host name', async () => {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(read(port)).rejects.toThrow();
  await expect(readPeerChain({ host: 'localhost', port, serverName: NAME }, LIMITS, never)).rejects.toThrow(
    'localhost is not an IP address',
  );
});

test('an abort ends the reader with its reason', async () => {
  const abort = new AbortController();
  const reading = read(await raw(() => abort.abort(new Error('the leader changed'))), {}, abort.signal);
  await expect(reading).rejects.toThrow('the leader changed');
});
