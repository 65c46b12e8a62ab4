import { spawn } from 'node:child_process';
import { redact } from '../lib/kubernetes/findings/redaction';

/** How to run kubectl. */
export interface KubectlOptions {
  /** Name or path of the program. */
  readonly program: string;
  /** The longest time of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** What a run of kubectl printed, or why it failed. */
export type Answer =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      /** The reason in the API server's answer (metav1.StatusReason), such as `Forbidden`; absent without an answer. */
      readonly status?: string;
      readonly reason: string;
    };

/** kubectl is not installed, or cannot read its kubeconfig. */
export class NoKubectl extends Error {}

/** The most that one answer may have: a page of 250 large objects has a tenth of it. */
const MOST_BYTES = 128 * 2 ** 20;

/** The most of the error messages that is kept. */
const MOST_ERROR_BYTES = 64 * 2 ** 10;

/** The time beyond the timeout of a request that kubectl may take to start and to log in. */
const STARTING_MS = 5_000;

/**
 * Returns the contexts of the kubeconfig.
 *
 * @throws NoKubectl if kubectl is not installed, or cannot read its kubeconfig
 */
export async function kubeContexts(options: KubectlOptions): Promise<ReadonlySet<string>> {
  const answer = await run(['config', 'get-contexts', '--output=name'], options);
  if (!answer.ok) throw new NoKubectl(answer.reason);
  return new Set(answer.text.split('\n').filter((name) => name !== ''));
}

/**
 * Returns the context that the kubeconfig selects; undefined if it selects none.
 *
 * @throws NoKubectl if kubectl is not installed
 */
export async function currentContext(options: KubectlOptions): Promise<string | undefined> {
  const answer = await run(['config', 'current-context'], options);
  return answer.ok ? answer.text.trim() : undefined;
}

/**
 * Reads a path of the API server of a context. A status sends only these requests, unless it compares objects.
 *
 * @throws NoKubectl if kubectl is not installed
 */
export function getRaw(
  { context, path }: { readonly context: string; readonly path: string },
  options: KubectlOptions & { readonly signal: AbortSignal },
): Promise<Answer> {
  const timeout = `--request-timeout=${Math.ceil(options.requestTimeoutMs / 1000)}s`;
  return run([`--context=${context}`, timeout, 'get', '--raw', path], options);
}

/**
 * Returns the lines of `diff -q -r` about files of the output: what a server-side apply of Argo CD would change. The
 * API server tries it out, and writes nothing.
 */
export function diffFiles(
  { context, files }: { readonly context: string; readonly files: readonly string[] },
  options: KubectlOptions,
): Promise<Answer> {
  const args = [`--context=${context}`, ...DIFF, ...files.map((file) => `--filename=${file}`)];
  return run(args, { ...options, env: { KUBECTL_EXTERNAL_DIFF: 'diff -q -r', LC_ALL: 'C' }, differing: 1 });
}

/** The arguments of the comparison; the manager of the fields is that of Argo CD. */
export const DIFF = ['diff', '--server-side', '--force-conflicts', '--field-manager=argocd-controller'];

interface RunOptions extends KubectlOptions {
  readonly signal?: AbortSignal;
  /** Variables besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The exit code of a program that found differences. */
  readonly differing?: number;
}

function run(
  args: readonly string[],
  { program, requestTimeoutMs, signal, env = {}, differing = 0 }: RunOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      resolve({ ok: false, reason: LATE });
      return;
    }
    // Without a shell, and without a terminal to ask for a password.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    const output = new Buffered(MOST_BYTES);
    const errors = new Buffered(MOST_ERROR_BYTES);
    let ended: string | undefined;
    const end = (why: string) => {
      ended ??= why;
      child.kill('SIGKILL');
      // A plugin that logs in keeps them open, and may wait for ever.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => end(LATE), requestTimeoutMs + STARTING_MS);
    const abort = () => end(LATE);
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!output.add(chunk)) end('the answer is too large');
    });
    child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      if (error.code === 'ENOENT' || error.code === 'EACCES') reject(new NoKubectl(`${program}: ${error.code}`));
      else resolve({ ok: false, reason: error.message });
    });
    child.on('close', (code) => {
      settle();
      if (ended !== undefined) resolve({ ok: false, reason: ended });
      else if (code === 0 || code === differing) resolve({ ok: true, text: output.text() });
      else resolve(failure(errors.text(), code));
    });
  });
}

const LATE = 'there was no answer in time';

/** Parses what kubectl prints for an answer of the API server: `Error from server (Forbidden): …`. */
function failure(errors: string, code: number | null): Answer {
  const [, status, message] = /^Error from server \((\w+)\): (.*)$/m.exec(errors) ?? [];
  const last = errors.trim().split('\n').at(-1);
  const reason = redact(message ?? (last || `kubectl exited with ${code}`)).slice(0, 300);
  return { ok: false, reason, ...(status !== undefined && { status }) };
}

/** Collects bytes up to a limit. */
class Buffered {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly most: number) {}

  /** Returns false, and keeps nothing more, beyond the limit. */
  add(chunk: Buffer): boolean {
    this.size += chunk.length;
    if (this.size > this.most) return false;
    this.chunks.push(chunk);
    return true;
  }

  text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}
