import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundle, PROGRAM } from '#operator/bundle/build-bundle';
import { eventually } from '../cluster/eventually';
import { writePid } from '../cluster/pid-files';

/** A line of the operator's log. A line that is not JSON, such as that of a crash, is a message without a level. */
export interface LogLine {
  readonly level?: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The exit code or the signal of an ended process. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running operator. */
export interface OperatorProcess {
  readonly pid: number;
  /** The address of `/healthz` and `/readyz`. */
  readonly healthUrl: string;
  /** The address of `/metrics`. */
  readonly metricsUrl: string;
  /** The port of the webhooks, if they are served. */
  readonly webhookPort?: number;
  logs(): readonly LogLine[];
  /** The value of a series such as `name{label="value"}`, with labels in the order of the output, if it exists. */
  metric(series: string): Promise<number | undefined>;
  readonly ended: Promise<ProcessEnd>;
  kill(signal: NodeJS.Signals): Promise<ProcessEnd>;
  /** Ends the process with SIGTERM, as Kubernetes does. @throws if its exit code is not 0 */
  stop(): Promise<void>;
}

/** A command line of the operator. */
export interface OperatorCommandLine {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The state to wait for: `/readyz` succeeds, or gives any answer. Without all permissions, a replica is never ready.
 */
export type StartedWhen = 'ready' | 'alive';

/** Options of the start of the operator's program. */
interface OperatorStart extends OperatorCommandLine {
  readonly until?: StartedWhen;
  /** @default 'run' */
  readonly subcommand?: string;
  /** The command line before the operator's own arguments. @default - Node.js and the bundled program */
  readonly command?: readonly string[] | undefined;
}

const READY_TIMEOUT_MS = 30_000;

/** Runs the bundled program, and waits for its end. */
export async function runOperatorProgram({
  args,
  env = {},
}: OperatorCommandLine): Promise<ProcessEnd & { stdout: string; stderr: string }> {
  await buildBundle();
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const end = await endOf(child);
  return { ...end, stdout: stdout(), stderr: stderr() };
}

/**
 * Starts the bundled program, by default its command `run`, and waits until it is ready or, with `alive`, answers.
 * @param dir the folder whose watchdog ends the operator if the test process ends first
 */
export async function startOperatorProcess(
  dir: string,
  { args, env = {}, until = 'ready', subcommand = 'run', command = [process.execPath, PROGRAM] }: OperatorStart,
): Promise<OperatorProcess> {
  await buildBundle();
  const [file = '', ...before] = command;
  const child = spawn(file, [...before, subcommand, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const pid = child.pid ?? 0;
  const pidName = `operator-${pid}`;
  writePid(dir, pidName, pid);
  const output = collect(child.stderr);
  const logs = (): LogLine[] =>
    output()
      .split('\n')
      .filter((line) => line !== '')
      .map(logLine);
  let end: ProcessEnd | undefined;
  const ended = endOf(child).then((how) => {
    end = how;
    rmSync(join(dir, 'pids', pidName), { force: true });
    return how;
  });
  const port = (server: string): number | undefined => {
    const line = logs().find(({ msg, server: name }) => msg === 'listening' && name === server);
    return line?.port as number | undefined;
  };
  const kill = (signal: NodeJS.Signals): Promise<ProcessEnd> => {
    child.kill(signal);
    return ended;
  };

  await eventually(
    async () => {
      if (end !== undefined) return;
      const answer = await fetch(`http://127.0.0.1:${port('health') ?? 0}/readyz`);
      if (!answer.ok && until === 'ready')
        throw new Error(`The operator is not ready: ${await answer.text()}\n${output()}`);
    },
    { timeoutMs: READY_TIMEOUT_MS },
  ).catch(async (error) => {
    await kill('SIGKILL');
    throw error;
  });
  if (end !== undefined) throw new Error(`The operator ended (${end.code ?? end.signal}):\n${output()}`);

  const metricsUrl = `http://127.0.0.1:${port('metrics')}/metrics`;
  return {
    pid,
    healthUrl: `http://127.0.0.1:${port('health')}`,
    metricsUrl,
    webhookPort: port('webhook'),
    logs,
    metric: async (series) => {
      const text = await (await fetch(metricsUrl)).text();
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
    ended,
    kill,
    stop: async () => {
      const { code, signal } = await kill('SIGTERM');
      if (code !== 0) throw new Error(`The operator ended with ${code ?? signal}:\n${output()}`);
    },
  };
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // `exit` may come before the last lines have been read.
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function logLine(line: string): LogLine {
  try {
    return JSON.parse(line);
  } catch {
    return { msg: line };
  }
}
