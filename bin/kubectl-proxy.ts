import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request, STATUS_CODES } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { redact } from '#base/findings/redaction';
import {
  type Answer,
  CUT,
  getRaw,
  interrupted,
  type KubectlOptions,
  lastLines,
  MAX_REASON,
  STARTING_MS,
} from './kubectl';
import { Buffered, endGroup, MAX_BYTES, MAX_ERROR_BYTES, RUNNING, startKubectl } from './run-kubectl';

/** Reads a path of an API server. */
export type GetPath = (path: string) => Promise<Answer>;

/** The API server of a context while it is being read. */
export interface ApiServer {
  /** @throws NoKubectl if kubectl cannot be run */
  readonly get: GetPath;
  /** Ends kubectl, and with it the requests that are still waiting. */
  readonly close: () => void;
}

interface ApiServerOptions extends KubectlOptions {
  readonly context: string;
  readonly signal: AbortSignal;
}

/**
 * Opens the API server of a context. One `kubectl proxy` logs in once and forwards all requests, over a socket that
 * only this user can reach. While the proxy cannot serve, each request runs `kubectl get --raw`. This happens on
 * Windows, where Node.js cannot connect to such a socket, with kubectl before 1.23, and with kubectl in a container.
 */
export function openApiServer(options: ApiServerOptions): ApiServer {
  const getAlone: GetPath = (path) => getRaw({ context: options.context, path }, options);
  const proxy = startProxy(options);
  if (proxy === undefined) return { get: getAlone, close: () => {} };
  const { socket, isServing, printed, close } = proxy;
  const agent = new Agent({ keepAlive: true });
  let isClosed = false;
  /** Returns undefined if the proxy cannot answer. */
  const getByProxy = async (path: string): Promise<Answer | undefined> => {
    const before = printed().length;
    const limit = limited(options);
    const printedSince = () => printed().slice(before);
    try {
      if (!(await Promise.race([isServing, limit.over]))) return undefined;
      const response = await askPatiently({ path, socket, agent, signal: limit.signal });
      // `kubectl get` follows redirects; this client does not.
      return isRedirect(response) ? undefined : answerOf(response, printedSince());
    } catch (error) {
      const why = limit.signal.aborted ? CUT.late : (error as Error).message;
      // Afterwards, everything that kubectl has printed so far is read.
      await nextTurn();
      // After the end of the proxy or a broken answer, `kubectl get` repeats the request.
      return why === CUT.late || why === CUT.large
        ? { ok: false, reason: interrupted(why, printedSince()) }
        : undefined;
    } finally {
      limit.clear();
    }
  };
  const get: GetPath = async (path) =>
    (await getByProxy(path)) ?? (isClosed ? { ok: false, reason: CLOSED } : getAlone(path));
  return {
    get,
    close: () => {
      isClosed = true;
      agent.destroy();
      close();
    },
  };
}

const CLOSED = 'the caller no longer waits for the answer';

interface Proxy {
  readonly socket: string;
  /** Resolves to false if the proxy ends before it serves. */
  readonly isServing: Promise<boolean>;
  readonly printed: () => string;
  readonly close: () => void;
}

/**
 * Requests that the proxy refuses, as a second safeguard: all methods except GET (Go's regular expressions cannot
 * negate a word), Secrets, and subresources of pods, because a GET of `exec` opens a shell.
 */
const REFUSED = [
  '--reject-methods=^.?.?$,^[^G],^.[^E],^..[^T],^....',
  '--reject-paths=^/api/v1/(watch/)?(namespaces/[^/]+/)?secrets(/|$),^/api/v1/namespaces/[^/]+/pods/[^/]+/.',
];

/** The longest path of a socket is 103 bytes on macOS, and 107 on Linux. */
const MAX_SOCKET_BYTES = 103;

function startProxy({ program, context }: ApiServerOptions): Proxy | undefined {
  const directory = process.platform === 'win32' ? undefined : privateDirectory();
  if (directory === undefined) return undefined;
  const socket = join(directory, 'api');
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (Buffer.byteLength(socket) > MAX_SOCKET_BYTES) {
    remove();
    return undefined;
  }
  // --append-server-path is for an API server behind a gateway, such as Rancher's: its URL has a path.
  const args = [`--context=${context}`, 'proxy', `--unix-socket=${socket}`, '--append-server-path', ...REFUSED];
  const child = startKubectl(program, args);
  const stopGuard = guard(child.pid, directory);
  let isOver = false;
  const end = () => {
    // The id of an ended group may now belong to another group.
    if (isOver) return;
    isOver = true;
    stopGuard();
    endGroup(child);
    remove();
  };
  RUNNING.endBy(child, end);
  child.stdin.on('error', () => undefined).end();
  const [output, errors] = [new Buffered(MAX_ERROR_BYTES), new Buffered(MAX_ERROR_BYTES)];
  child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
  const isServing = new Promise<boolean>((resolve) => {
    const over = () => {
      end();
      resolve(false);
    };
    child.on('error', over);
    child.on('exit', over);
    child.stdout.on('data', (chunk: Buffer) => {
      // kubectl prints the path of the socket as soon as it listens on it.
      if (output.add(chunk) && output.text().includes(socket)) resolve(true);
    });
  });
  const close = () => {
    RUNNING.delete(child);
    end();
    // A plugin that left the group would keep these streams open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return { socket, isServing, printed: () => errors.text(), close };
}

/** Returns a new folder that only this user can enter; undefined if none can be created. */
function privateDirectory(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-'));
  } catch {
    return undefined;
  }
}

/**
 * Ends a group of processes and removes a folder when this process ends, even if it was killed: `kubectl proxy` would
 * otherwise continue to run. Returns a function that cancels the guard.
 */
function guard(pid: number | undefined, directory: string): () => void {
  if (pid === undefined) return () => {};
  const script = 'read -r _; kill -s KILL -- "-$1"; rm -rf -- "$2"';
  const shell = spawn('/bin/sh', ['-c', script, 'sh', `${pid}`, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  return () => shell.kill('SIGKILL');
}

interface Limit {
  readonly signal: AbortSignal;
  readonly over: Promise<never>;
  readonly clear: () => void;
}

function limited({ requestTimeoutMs, signal }: ApiServerOptions): Limit {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, requestTimeoutMs + STARTING_MS);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const over = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(CUT.late));
    if (controller.signal.aborted) late();
    else controller.signal.addEventListener('abort', late, { once: true });
  });
  // Once the proxy serves, nothing awaits this promise.
  over.catch(() => undefined);
  const clear = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, over, clear };
}

interface Response {
  readonly code: number;
  readonly type: string;
  /** Seconds until the next attempt. */
  readonly retryAfter?: number;
  readonly text: string;
}

interface Question {
  readonly path: string;
  readonly socket: string;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** kubectl's own limit of retries. */
const MAX_RETRIES = 10;

/** Repeats a request after a broken connection, or if the API server asks for it, as kubectl does. */
async function askPatiently(question: Question): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await ask(question);
    const seconds = retries < MAX_RETRIES ? secondsToWait(response) : undefined;
    if (seconds === undefined) return response;
    await sleep(seconds * 1000, undefined, { signal: question.signal });
  }
}

/** The errors of IsConnectionReset and IsHTTP2ConnectionLost of k8s.io/apimachinery: the proxy reports them as text. */
const BROKEN = /connection reset by peer|http2: client connection lost/;

function secondsToWait({ code, type, retryAfter, text }: Response): number | undefined {
  if (code !== 429 && code < 500) return undefined;
  return retryAfter ?? (type.startsWith('text/plain') && BROKEN.test(text) ? 1 : undefined);
}

async function ask({ path, socket: socketPath, agent, signal }: Question): Promise<Response> {
  const headers = { host: 'localhost', accept: 'application/json' };
  const asked = request({ socketPath, agent, path, headers, signal });
  // An error may come after the answer has begun: reading the body then fails.
  asked.on('error', () => undefined);
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = new Buffered(MAX_BYTES);
  for await (const chunk of response) if (!body.add(chunk)) throw new Error(CUT.large);
  const { 'content-type': type = '', 'retry-after': after = '' } = response.headers;
  return {
    code: response.statusCode ?? 0,
    type,
    ...(/^\d{1,5}$/.test(after) && { retryAfter: Number(after) }),
    text: body.text(),
  };
}

function isRedirect({ code }: Response): boolean {
  return code >= 300 && code < 400;
}

/** The API server's reasons (metav1.StatusReason) by HTTP status, also for gateways in front of it. */
const STATUS_REASONS: ReadonlyMap<number, string> = new Map([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [410, 'Expired'],
]);

function answerOf({ code, type, text }: Response, printed: string): Answer {
  if (code >= 200 && code < 300) return { ok: true, text };
  const { reason: ofServer, message } = statusIn(text);
  const status = STATUS_REASONS.get(code) ?? ofServer;
  // Only the proxy and some handlers of the API server answer in plain text; other answers may be HTML pages.
  const words = message ?? (type.startsWith('text/plain') ? text : '');
  const explanation = redact(words).replace(/\s+/g, ' ').trim().slice(0, MAX_REASON);
  const reason = explanation || lastLines(printed) || `HTTP ${code} ${STATUS_CODES[code] ?? ''}`.trim();
  return {
    ok: false,
    reason: code === 401 ? `you must be logged in to the server (${reason})` : reason,
    ...(status !== undefined && { status }),
  };
}

function statusIn(text: string): { readonly reason?: string; readonly message?: string } {
  try {
    const { kind, reason, message } = JSON.parse(text);
    if (kind !== 'Status') return {};
    return { ...(typeof reason === 'string' && { reason }), ...(typeof message === 'string' && { message }) };
  } catch {
    return {};
  }
}
