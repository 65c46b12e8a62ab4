/**
 * Load for a webhook server, in a separate process. Each connection sends a review as soon as the one before is
 * answered. Prints `measuring` after the warm-up, and then the result as JSON.
 *
 *   npx tsx bench/webhook-load.ts \
 *     '{"port":…,"ca":…,"path":…,"body":…,"connections":…,"warmUp":{"ms":…},"measure":{"requests":…}}'
 *
 * Writes and counts bytes directly: a client of the standard library would need as much time as the server.
 */
import { connect, type TLSSocket } from 'node:tls';

/** A load: the request, the number of connections, and the duration. */
export interface Load {
  readonly port: number;
  /** PEM of the CA of the server's certificate. */
  readonly ca: string;
  readonly path: string;
  readonly body: string;
  readonly connections: number;
  /** The first answers, which are not measured. */
  readonly warmUp: Span;
  readonly measure: Span;
}

/** A part of the load, by time or by answers. */
export type Span = { readonly ms: number } | { readonly requests: number };

/** The result of a load. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';

/** Sends one request after the other over one connection until `isOver` returns true. */
async function send(
  { port, ca, path, body }: Load,
  onAnswer: (ms: number) => void,
  isOver: () => boolean,
): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  socket.setNoDelay(true);
  const headers = ['host: webhook', 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  const request = Buffer.from([`POST ${path}?timeout=3s HTTP/1.1`, ...headers, '', body].join('\r\n'));
  while (!isOver()) {
    const start = performance.now();
    socket.write(request);
    await answer(socket);
    onAnswer(performance.now() - start);
  }
  socket.destroy();
}

/** Resolves when a whole answer has arrived. */
function answer(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (data: Buffer): void => {
      text += data.toString('latin1');
      const end = text.indexOf(HEAD_END);
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
      if (text.length < end + HEAD_END.length + length) return;
      socket.off('data', onData).off('error', reject).off('end', onEnd);
      if (text.startsWith('HTTP/1.1 200 ') && text.includes('"patch":')) resolve();
      else reject(new Error(`unexpected answer: ${text}`));
    };
    const onEnd = (): void => reject(new Error('the server closed the connection'));
    socket.on('data', onData).on('error', reject).on('end', onEnd);
  });
}

async function run(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let onLatency = (_ms: number): void => undefined;
  let isOver = false;
  const connection = () =>
    send(
      load,
      (ms) => onLatency(ms),
      () => isOver,
    );
  const all = Promise.all(Array.from({ length: load.connections }, connection));
  const last = async (span: Span, count: (ms: number) => void): Promise<void> => {
    if ('ms' in span) {
      onLatency = count;
      return Promise.race([all.then(() => undefined), pause(span.ms)]);
    }
    let left = span.requests;
    const done = new Promise<void>((resolve) => {
      onLatency = (ms) => {
        count(ms);
        left -= 1;
        if (left === 0) resolve();
      };
    });
    return Promise.race([all.then(() => undefined), done]);
  };
  await last(load.warmUp, () => undefined);
  process.stdout.write('measuring\n');
  const start = performance.now();
  await last(load.measure, (ms) => latencies.push(ms));
  const seconds = (performance.now() - start) / 1_000;
  onLatency = () => undefined;
  isOver = true;
  await all;
  latencies.sort((a, b) => a - b);
  const percentile = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { requests: latencies.length, seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const [argument] = process.argv.slice(2);
if (require.main === module && argument !== undefined) {
  run(JSON.parse(argument)).then(
    (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
    (error) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
