import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { errorsAt } from '../../../kubernetes/findings/finding';
import { redact } from '../../../kubernetes/findings/redaction';
import { PLATFORM_FINDINGS } from '../findings';
import { SynthError } from '../report';
import { type Done, errorOf, fingerprintOf, helperEnvironment } from './helper';
import { inThisProcess, type OnItem, processesFor, rerunArguments, type Work, type Workforce } from './workforce';

/**
 * Does work in several processes: helpers that run the same program again up to the same work. Each takes the next item
 * when it has finished one, so that none waits for another. This process works as well until all helpers have started,
 * and from then on only collects their results: its memory is that of a small fleet.
 *
 * @param asked the number of processes; undefined for a suitable number
 */
export function inProcesses(asked: number | undefined, onItem: OnItem): Workforce {
  return {
    do(work) {
      const count = processesFor(work.items.length, asked);
      const args = count > 1 ? rerunArguments(process) : undefined;
      if (args === undefined) inThisProcess(onItem).do(work);
      else workTogether(work, new Helpers(count, { args: [...MEMORY, ...args], work }), onItem);
    },
  };
}

/**
 * Node.js lets the space of young objects grow to 128 MiB on machines with much memory, of which clusters need a
 * quarter: with this option, a helper uses 100 MiB less and no more time. The user's options come after it, and
 * override it.
 */
const MEMORY = ['--max-semi-space-size=16'];

function workTogether<Result>({ items, run, take }: Work<Result>, helpers: Helpers, onItem: OnItem): void {
  const results = new Map<number, () => Result>();
  let taken = 0;
  const settle = (item: number, result: () => Result) => {
    results.set(item, result);
    for (let next = results.get(taken); next !== undefined; next = results.get(taken)) {
      results.delete(taken);
      taken += 1;
      take(next());
    }
  };
  const done = () => taken + results.size;
  const takeUp = () => helpers.takeUp((item, told) => settle(item, () => resultOf<Result>(told)));
  try {
    while (helpers.areStarting()) {
      const item = helpers.nextItem();
      if (item >= items.length) break;
      onItem(done(), items.length, items[item] ?? '');
      const result = run(item);
      settle(item, () => result);
      takeUp();
    }
    while (done() < items.length) {
      helpers.wait();
      takeUp();
      onItem(done(), items.length, items[taken] ?? '');
    }
  } catch (error) {
    helpers.stop();
    throw error;
  }
  helpers.dismiss();
}

/** Parses the result of a helper, after printing the captured output. */
function resultOf<Result>(told: string): Result {
  const { result, error, printed } = JSON.parse(told) as Done;
  for (const [stream, base64] of printed) process[stream].write(Buffer.from(base64, 'base64'));
  if (error !== undefined) throw errorOf(error);
  return result as Result;
}

/** A message of the thread that manages the helpers. */
type Message =
  | { readonly item: number; readonly told: string }
  | {
      /** How it ended, in words. */
      readonly gone: string;
      /** It exited by itself, and was not killed. */
      readonly hasExited: boolean;
      readonly item: number;
      readonly isUnused: boolean;
      readonly stderr: string;
    }
  | { readonly broken: string };

/** A killed process exits sooner, unless the kernel waits for its disk. */
const MOST_TO_STOP_MS = 5_000;

/** Indexes into the memory that this process and its thread share. */
const [NEXT_ITEM, MESSAGES, READY] = [0, 1, 2];

/**
 * The helper processes. A synthesis is one call that does not return to Node.js' event loop, which reports events of
 * children, so a thread manages them.
 */
class Helpers {
  private readonly shared = new Int32Array(new SharedArrayBuffer(12));
  private readonly port: MessagePort;
  private readonly names: readonly string[];
  private seen = 0;
  private readonly count: number;
  private running: number;
  private isNoteGiven = false;

  constructor(count: number, { args, work }: { readonly args: readonly string[]; readonly work: Work<unknown> }) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.names = work.items;
    this.count = count;
    this.running = count;
    const { shared } = this;
    const env = helperEnvironment({ pid: process.pid, staging: work.staging }, process.env);
    const task = { count, args, env, shared, port: port2, items: work.items.length, fingerprint: fingerprintOf(work) };
    // Without the loaders of the program, which are only for its own files.
    new Worker(THREAD, { eval: true, execArgv: [], env: {}, workerData: task, transferList: [port2] });
  }

  /** Whether some have not reached the work yet, including those that never will. */
  areStarting(): boolean {
    return Atomics.load(this.shared, READY) < this.count;
  }

  /** Returns the number of the next free item; the number of all items if there is none. */
  nextItem(): number {
    return Atomics.add(this.shared, NEXT_ITEM, 1);
  }

  /** Collects results of helpers. */
  takeUp(settle: (item: number, told: string) => void): void {
    for (const message of this.messages()) {
      if ('broken' in message) {
        this.running = 0;
        throw new Error(message.broken);
      }
      if ('told' in message) settle(message.item, message.told);
      else this.notice(message);
    }
  }

  /** Waits for a result. */
  wait(): void {
    Atomics.wait(this.shared, MESSAGES, this.seen);
  }

  /** Lets idle helpers exit, and ends those that have not reached the work yet. */
  dismiss(): void {
    this.port.postMessage('dismiss');
  }

  /** Ends all helpers, and waits until they are gone, so that none of them writes any more. */
  stop(): void {
    this.port.postMessage('stop');
    for (let heard = ''; this.running > 0 && heard !== 'timed-out'; ) {
      for (const message of this.messages()) if ('gone' in message) this.running -= 1;
      if (this.running > 0) heard = Atomics.wait(this.shared, MESSAGES, this.seen, MOST_TO_STOP_MS);
    }
    this.dismiss();
  }

  /** Returns the new messages. */
  private *messages(): Generator<Message> {
    this.seen = Atomics.load(this.shared, MESSAGES);
    for (let next = receiveMessageOnPort(this.port); next !== undefined; next = receiveMessageOnPort(this.port)) {
      yield next.message as Message;
    }
  }

  private notice({ gone, hasExited, item, isUnused, stderr }: Extract<Message, { readonly gone: string }>): void {
    this.running -= 1;
    const name = this.names[item];
    if (name !== undefined) {
      process.stderr.write(redact(stderr));
      const { helperProcessDiedExited, helperProcessDiedKilled } = PLATFORM_FINDINGS;
      const died = hasExited ? helperProcessDiedExited : helperProcessDiedKilled;
      throw new SynthError(errorsAt('platform', [died({ cluster: name, end: gone })]));
    }
    if (!isUnused || this.isNoteGiven) return;
    this.isNoteGiven = true;
    process.stderr.write(
      `note: the program cannot run in a second process (it ${gone}); this process does all the work.\n` +
        '  Use --jobs 1 to start no other processes.\n',
    );
  }
}

/**
 * The thread that starts and manages the helpers. Plain JavaScript as a string, so that it works when the library is
 * bundled.
 */
const THREAD = `
const { spawn } = require('node:child_process');
const { workerData } = require('node:worker_threads');
const { port, shared, items, fingerprint, count, args, env } = workerData;

const tell = (message) => {
  port.postMessage(message);
  Atomics.add(shared, ${MESSAGES}, 1);
  Atomics.notify(shared, ${MESSAGES});
};
process.on('uncaughtException', (error) => {
  tell({ broken: String(error.stack) });
  for (const { child } of helpers) child.kill('SIGKILL');
  port.close();
});

const helpers = new Set();
const start = () => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'], windowsHide: true });
  const [, , errors, channel] = child.stdio;
  const helper = { child, isReady: false };
  helpers.add(helper);
  let item = -1;
  let received = Buffer.alloc(0);
  let stderr = '';
  errors.on('data', (data) => { stderr = (stderr + data).slice(-4096); });

  const hear = (text) => {
    if (helper.isReady) tell({ item, told: text });
    else if (text !== fingerprint) return end('has other clusters or another outdir');
    else Atomics.add(shared, ${READY}, 1);
    helper.isReady = true;
    const next = Atomics.add(shared, ${NEXT_ITEM}, 1);
    item = next < items ? next : -1;
    const answer = Buffer.alloc(4);
    answer.writeInt32LE(item);
    channel.write(answer);
  };
  channel.on('error', () => {});
  channel.on('data', (data) => {
    received = Buffer.concat([received, data]);
    while (received.length >= 4 && received.length >= 4 + received.readUInt32LE(0)) {
      const message = received.subarray(4, 4 + received.readUInt32LE(0));
      received = received.subarray(4 + message.length);
      hear(message.toString());
    }
  });

  const end = (gone, hasExited = false) => {
    if (!helpers.delete(helper)) return;
    child.kill('SIGKILL');
    tell({ gone, hasExited, item, isUnused: !helper.isReady, stderr });
  };
  child.on('error', (error) => end(\`was not started: \${error.message}\`));
  const ended = () => {
    const { exitCode, signalCode } = child;
    if (signalCode === null) end(\`ended with code \${exitCode}\`, true);
    else end(\`was killed by \${signalCode}\`);
  };
  // What it wrote comes before that, unless another process has its streams.
  child.on('close', ended);
  child.on('exit', () => setTimeout(ended, 1000).unref());
};

port.on('message', (message) => {
  for (const { child, isReady } of helpers) if (message === 'stop' || !isReady) child.kill('SIGKILL');
  if (message === 'stop') return;
  port.close();
  // The process ends when its helpers have.
  setTimeout(() => { for (const { child } of helpers) child.kill('SIGKILL'); }, 5000).unref();
});
for (let number = 0; number < count; number += 1) start();
`;
