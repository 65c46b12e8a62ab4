import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from './stages';

const ROOT = join(__dirname, '..', '..');
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;

/** The `nice` value of patient steps: they get the time that other steps leave. */
export const PATIENCE = 19;

/** The time that interrupted processes have to clean up. */
const GRACE_MS = 10_000;

/** Starts steps, each in a separate process group, and ends the groups when a signal interrupts the run. */
export class Children {
  private readonly running = new Set<ChildProcess>();
  private signal: NodeJS.Signals | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.interrupt(signal));
  }

  /** The exit code of shells for a program that a signal ended; undefined if no signal arrived. */
  get interruption(): number | undefined {
    return this.signal && 128 + constants.signals[this.signal];
  }

  /** Runs a step. Returns whether it succeeded, and its output unless the output is shown. */
  run({
    command,
    args,
    env,
    results,
    isPatient = false,
  }: Step): Promise<{ readonly isFine: boolean; readonly output: string }> {
    if (this.signal !== undefined) return Promise.resolve({ isFine: false, output: '' });
    const isShown = results !== undefined;
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, PATH, ...env },
      // Jest's --json would also print the results.
      stdio: ['ignore', isShown ? 'ignore' : 'pipe', isShown ? 'inherit' : 'pipe'],
      detached: true,
    });
    this.running.add(child);
    if (child.pid !== undefined && isPatient) setPriority(child.pid, PATIENCE);
    const texts: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => texts.push(text));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        this.running.delete(child);
        resolve({ isFine: code === 0, output: texts.join('') });
      });
    });
  }

  private interrupt(signal: NodeJS.Signals): void {
    this.signal ??= signal;
    for (const child of this.running) void endGroup(child, signal);
  }
}

/** Ends a child and all processes of its group, with SIGKILL after GRACE_MS. */
async function endGroup(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  signalGroup(child, signal);
  await Promise.race([
    new Promise((resolve) => child.once('close', resolve)),
    sleep(GRACE_MS, undefined, { ref: false }),
  ]);
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}
