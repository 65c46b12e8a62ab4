import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Called with the next item, and the number of finished ones. */
export type OnItem = (done: number, total: number, name: string) => void;

/** Work on each of many items, such as the clusters of a platform. */
export interface Work<Result> {
  /** Names of the items. */
  readonly items: readonly string[];
  /** The output that the items are for, which may follow from the working directory, or be a temporary folder. */
  readonly output: string;
  /** The staging area of the process that commits the output. */
  readonly staging: string;
  /** Does the work for one item. The result is plain data, and depends only on the item. */
  readonly run: (item: number) => Result;
  /** Receives the results, in the order of the items. */
  take(result: Result): void;
}

/** A way to do work: in this process, in several, or for another one. */
export interface Workforce {
  /** The staging area of the main process; absent in the main process. */
  readonly staging?: string;
  do<Result>(work: Work<Result>): void;
}

/** Does all work in this process, one item after the other. */
export function inThisProcess(onItem: OnItem = () => {}): Workforce {
  return {
    do({ items, run, take }) {
      for (const [item, name] of items.entries()) {
        onItem(item, items.length, name);
        take(run(item));
      }
    },
  };
}

/**
 * Minimum number of clusters for each process. Warming up a process takes as much CPU time as 45 further clusters (300
 * of `home`: 8.1 s in one process, 10.3 s with two helpers), and all processes warm up at once: on two cores, two are
 * as fast as one from 50 to 70 clusters, and faster with more.
 */
const FEWEST_CLUSTERS = 25;

/**
 * Returns the number of processes for a number of clusters.
 *
 * @param asked the number that the user asks for
 */
export function processesFor(clusters: number, asked: number | undefined): number {
  const wanted = asked ?? Math.min(availableParallelism(), Math.floor(clusters / FEWEST_CLUSTERS));
  return Math.max(1, Math.min(wanted, clusters));
}

/**
 * The arguments and the environment of a process. Declared here, because users compile this with any types of Node.js,
 * or none.
 */
interface Start {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly env: Environment;
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the arguments with which Node.js runs this program again; undefined if that would be another program, or if a
 * debugger or a test runner waits for this process.
 */
export function rerunArguments({ argv, execArgv, env }: Start): readonly string[] | undefined {
  const [, program, ...args] = argv;
  const file = program === undefined ? undefined : realPath(program);
  // Neither a session (`node`) nor standard input (`node -`) is a file. A file in a package is a tool that runs others,
  // such as Jest, and not the user's program; a hidden folder there is a cache.
  if (file === undefined || /[\\/]node_modules[\\/][^.]/.test(file)) return undefined;
  const isHeld = execArgv.some((option) => /^(?:--(?:eval|print|inspect|test)|-[ep])/.test(option));
  if (isHeld || env.NODE_TEST_CONTEXT !== undefined) return undefined;
  return [...execArgv, program ?? '', ...args];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether any platform was synthesized in this process. */
let isAnySynthesized = false;

/**
 * Records a synthesis; returns whether it is the first one of this process: a program that runs again repeats all of
 * them.
 */
export function noteSynthesis(): boolean {
  const isFirst = !isAnySynthesized;
  isAnySynthesized = true;
  return isFirst;
}
