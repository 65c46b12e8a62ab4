import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { redact } from '#base/findings/redaction';
import { type Ended, runKubectl } from './run-kubectl';

/** How to run kubectl. */
export interface KubectlOptions {
  /** Name or path of the program. */
  readonly program: string;
  /** Maximum duration of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** The text that a run of kubectl printed, or the reason of its failure. */
export type Answer =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      /** The reason in the API server's answer (metav1.StatusReason), such as `Forbidden`; absent without an answer. */
      readonly status?: string;
      readonly reason: string;
    };

/** kubectl cannot be run. */
export class NoKubectl extends Error {}

/** kubectl cannot read its kubeconfig. */
export class NoKubeconfig extends Error {}

/** Time that kubectl may take to start and to log in, in addition to the timeout of a request. */
export const STARTING_MS = 5_000;

/** The contexts in a kubeconfig. */
export interface Kubeconfig {
  /** The entry of each context's API server, as JSON; undefined if the kubeconfig lacks it. */
  readonly contexts: ReadonlyMap<string, string | undefined>;
  /** The context that the kubeconfig selects. */
  readonly current?: string;
}

/**
 * Returns the contexts of the kubeconfig. kubectl omits keys and tokens.
 *
 * @throws NoKubectl if kubectl cannot be run, NoKubeconfig if it cannot read the kubeconfig
 */
export async function readKubeconfig(options: KubectlOptions): Promise<Kubeconfig> {
  const answer = await run(['config', 'view', '--output=json'], options);
  if (!answer.ok) throw new NoKubeconfig(answer.reason);
  let found: Kubeconfig;
  try {
    found = kubeconfigIn(JSON.parse(answer.text));
  } catch {
    throw new NoKubeconfig('the program does not print a kubeconfig as kubectl does');
  }
  const missing = found.contexts.size === 0 ? missingKubeconfig() : undefined;
  if (missing !== undefined) throw new NoKubeconfig(missing);
  return found;
}

/** Returns the reason why there is no kubeconfig; undefined if one of its files exists. */
export function missingKubeconfig(): string | undefined {
  const { KUBECONFIG: given = '' } = process.env;
  const named = given.split(delimiter).filter((file) => file !== '');
  const files = named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
  if (files.some((file) => existsSync(file))) return undefined;
  const exist = files.length === 1 ? 'does not exist' : 'do not exist';
  return `${files.join(' and ')} ${exist}: ${named.length > 0 ? 'correct' : 'set'} the environment variable KUBECONFIG`;
}

function kubeconfigIn(view: KubeconfigView): Kubeconfig {
  const servers = new Map((view.clusters ?? []).map(({ name, cluster }) => [name, JSON.stringify(cluster)]));
  const contexts = (view.contexts ?? []).map(({ name, context }) => [name, servers.get(context.cluster)] as const);
  const current = view['current-context'];
  return { contexts: new Map(contexts), ...(current && { current }) };
}

interface KubeconfigView {
  readonly clusters?: readonly { readonly name: string; readonly cluster: object }[] | null;
  readonly contexts?: readonly { readonly name: string; readonly context: { readonly cluster: string } }[] | null;
  readonly 'current-context'?: string;
}

/**
 * Reads a path of the API server of a context.
 *
 * @throws NoKubectl if kubectl cannot be run
 */
export function getRaw(
  { context, path }: { readonly context: string; readonly path: string },
  options: KubectlOptions & { readonly signal: AbortSignal },
): Promise<Answer> {
  const timeout = `--request-timeout=${Math.ceil(options.requestTimeoutMs / 1000)}s`;
  return run([`--context=${context}`, timeout, 'get', '--raw', path], options);
}

/** Reads an object by its name, in the selected context if the caller names none. */
export function getObject(
  { context, resource, name }: { readonly context?: string; readonly resource: string; readonly name: string },
  options: KubectlOptions,
): Promise<Answer> {
  const timeout = `--request-timeout=${Math.ceil(options.requestTimeoutMs / 1000)}s`;
  const of = context === undefined ? [] : [`--context=${context}`];
  return run(['get', resource, '--output=json', timeout, ...of, '--', name], options);
}

/**
 * Returns the lines of `diff -q -r` for files of the output. They name the objects that a server-side apply of Argo CD
 * would change. The API server runs it as a dry run, and stores nothing.
 */
export function diffFiles(
  { context, files }: { readonly context: string; readonly files: readonly string[] },
  options: KubectlOptions,
): Promise<Answer> {
  const args = [`--context=${context}`, ...DIFF, ...files.map((file) => `--filename=${filenameOf(file)}`)];
  return run(args, { ...options, env: { KUBECTL_EXTERNAL_DIFF: 'diff -q -r', LC_ALL: 'C' }, differing: 1 });
}

/** Returns a path as kubectl's `--filename` reads it: a line of CSV, where a comma separates two paths. */
export function filenameOf(path: string): string {
  return /[",\r\n]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path;
}

/** The arguments of the comparison; the manager of the fields is that of Argo CD. */
export const DIFF = ['diff', '--server-side', '--force-conflicts', '--field-manager=argocd-controller'];

interface RunOptions extends KubectlOptions {
  readonly signal?: AbortSignal;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly differing?: number;
}

async function run(
  args: readonly string[],
  { program, requestTimeoutMs, differing = 0, ...options }: RunOptions,
): Promise<Answer> {
  try {
    const timeoutMs = requestTimeoutMs + STARTING_MS;
    const { code, stdout, stderr, cut } = await runKubectl(args, { program, timeoutMs, ...options });
    if (cut !== undefined) return { ok: false, reason: interrupted(CUT[cut], stderr) };
    return code === 0 || code === differing ? { ok: true, text: stdout } : failure(stderr, code);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') throw new NoKubectl(`${program}: ${code}`);
    return { ok: false, reason: message };
  }
}

/** Why kubectl was ended early. */
export const CUT: Readonly<Record<NonNullable<Ended['cut']>, string>> = {
  late: 'there was no answer in time',
  large: 'the answer is too large',
};

/** Adds the last lines of kubectl, because a login plugin prints there what it waits for. */
export function interrupted(why: string, errors: string): string {
  const printed = lastLines(errors);
  return printed === '' ? why : `${why}; kubectl printed: ${printed}`;
}

/** Parses kubectl's message about an error of the API server: `Error from server (Forbidden): …`. */
function failure(errors: string, code: number | null): Answer {
  const [, status, message] = /^Error from server \((\w+)\): (.*)$/m.exec(errors) ?? [];
  const ended = code === null ? 'a signal ended kubectl' : `kubectl exited with ${code}`;
  const reason = message === undefined ? lastLines(errors) || ended : redact(message);
  return { ok: false, reason: reason.slice(0, MAX_REASON), ...(status !== undefined && { status }) };
}

export const MAX_REASON = 300;

/** Returns the last two lines of kubectl: in the first, a plugin often explains the second. */
export function lastLines(errors: string): string {
  const lines = redact(errors)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-2).join(' ').slice(-MAX_REASON);
}
