/**
 * Sends requests of several kinds at once and prints their counts each second as a line of JSON. Needs only Node.js.
 *
 * - keepAlive: HTTP over connections that stay open
 * - fresh: HTTP, each request over a new connection
 * - opaque: TCP of a protocol that proxies cannot detect, each exchange over a new connection, with a TLS handshake
 * - held: the same over one persistent connection
 */
const http = require('node:http');
const net = require('node:net');

const HOST = process.env.SERVER ?? 'server';
const HTTP_PORT = Number(process.env.HTTP_PORT ?? 8080);
const TCP_PORT = Number(process.env.TCP_PORT ?? 9090);
/** Requests of each kind per second. */
const RATE = Number(process.env.RATE ?? 20);
const KINDS = (process.env.KINDS ?? 'keepAlive,fresh,opaque,held').split(',');
/** Whether the server must return the client's identity, which only proxies add. */
const MESHED = process.env.MESHED !== 'false';
const TIMEOUT_MS = 10_000;

/** @type {Record<string, { ok: number, failed: Record<string, number>, reconnects: number }>} */
const counts = {};
/** @param {string} kind */
const countOf = (kind) => {
  counts[kind] ??= { ok: 0, failed: {}, reconnects: 0 };
  return counts[kind];
};
for (const kind of KINDS) countOf(kind);
/** The last failures with their times, to compare with events in the cluster. */
/** @type {string[]} */
const recent = [];
const startedAt = new Date().toISOString();

/** @param {string} kind @param {string} [failure] */
function count(kind, failure) {
  const of = countOf(kind);
  if (failure === undefined) {
    of.ok += 1;
    return;
  }
  of.failed[failure] = (of.failed[failure] ?? 0) + 1;
  recent.push(`${new Date().toISOString()} ${kind} ${failure}`);
  if (recent.length > 20) recent.shift();
}

/** @param {string} kind @param {http.Agent | false} agent */
function request(kind, agent) {
  const sent = http.get({ host: HOST, port: HTTP_PORT, path: '/', agent, timeout: TIMEOUT_MS }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    response.on('end', () => {
      const isKnown = !MESHED || text.includes('.serviceaccount.identity.');
      if (response.statusCode !== 200) count(kind, `HTTP ${response.statusCode}`);
      else count(kind, isKnown ? undefined : 'no identity');
    });
    response.on('error', (error) => count(kind, codeOf(error)));
  });
  let isLate = false;
  sent.on('timeout', () => {
    isLate = true;
    sent.destroy();
  });
  sent.on('error', (error) => count(kind, isLate ? 'timeout' : codeOf(error)));
}

function exchange() {
  const socket = net.connect({ host: HOST, port: TCP_PORT, timeout: TIMEOUT_MS }, () => socket.write('ping\n'));
  let isOver = false;
  /** @param {string} [failure] */
  const end = (failure) => {
    if (isOver) return;
    isOver = true;
    count('opaque', failure);
    socket.destroy();
  };
  socket.on('data', () => end());
  socket.on('timeout', () => end('timeout'));
  socket.on('error', (error) => end(codeOf(error)));
  socket.on('close', () => end('closed'));
}

/** @type {net.Socket | undefined} */
let held;
let waiting = 0;

function ping() {
  if (held === undefined) {
    held = net.connect({ host: HOST, port: TCP_PORT });
    held.on('data', (data) => {
      for (const _ of data.toString().matchAll(/\n/g)) count('held');
      waiting = 0;
    });
    held.on('error', () => undefined);
    held.on('close', () => {
      // The server of this connection has ended.
      held = undefined;
      waiting = 0;
      countOf('held').reconnects += 1;
    });
  }
  if (waiting > 0 && Date.now() - waiting > TIMEOUT_MS) {
    count('held', 'timeout');
    held.destroy();
    return;
  }
  if (waiting === 0) waiting = Date.now();
  held.write('ping\n');
}

/** @param {Error & { code?: string }} error */
function codeOf(error) {
  return error.code ?? error.name;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const senders = {
  keepAlive: () => request('keepAlive', agent),
  fresh: () => request('fresh', false),
  opaque: exchange,
  held: ping,
};
const timers = KINDS.map((kind) => setInterval(senders[/** @type {keyof typeof senders} */ (kind)], 1000 / RATE));
const print = () => console.log(JSON.stringify({ startedAt, counts, recent }));
timers.push(setInterval(print, 1000));

process.on('SIGTERM', () => {
  for (const timer of timers) clearInterval(timer);
  // Waits for the answers to requests in flight.
  setTimeout(() => {
    print();
    process.exit(0);
  }, 1000);
});
