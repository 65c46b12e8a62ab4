import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Choice, type Outcome, type Task, tasksOf } from './tasks';

const USAGE = `Explores everything that may happen to a mesh while its trust anchor is rotated.

node tools/start/start.cjs packages/anchor/check/main.ts [--small] [--only TEXT] [--verbose] [--jobs N]

Worlds of one and two clusters are explored completely. Worlds of a hub and the clusters that it certifies are tested
by random walks, one for each seed. The line below each world describes its contents.

  --small    only the small worlds, and few walks, as the tests do
  --only     only the worlds whose names contain this text
  --verbose  prints the counterexamples of bad orders and of missing guards
  --jobs     the number of processes; by default one for each processor
`;

/** What a process reports of a task. */
interface Report extends Outcome {
  readonly index: number;
  /** CPU time of the process so far, in seconds. Wall-clock time depends on the load of the machine. */
  readonly cpu: number;
  /** Peak memory of the process so far, in MiB. */
  readonly memory: number;
}

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
    help: { type: 'boolean', default: false },
  },
});
const jobs = Number(values.jobs);
if (values.help) {
  console.log(USAGE);
} else if (!Number.isInteger(jobs) || jobs < 1) {
  console.error(`--jobs must be a positive whole number: ${values.jobs}`);
  process.exitCode = 2;
} else if (process.send === undefined) {
  void checkAll(tasksOf(values), jobs);
} else {
  serve(values);
}

/** In a child process: runs the tasks that `checkAll` sends. */
function serve(choice: Choice): void {
  const tasks = tasksOf(choice);
  process.on('message', async (index: number) => {
    const outcome = await (tasks[index] as Task).run();
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpu = (userCPUTime + systemCPUTime) / 1_000_000;
    process.send?.({ ...outcome, index, cpu, memory: Math.round(maxRSS / 1024) } satisfies Report);
  });
}

async function checkAll(tasks: readonly Task[], jobs: number): Promise<void> {
  const began = performance.now();
  const reports: Report[] = [];
  // Tasks are taken from the end: the largest worlds are last in the list, and would otherwise run alone at the end.
  const open = tasks.map((_, index) => index).sort((a, b) => Number(tasks[b]?.mustBreak) - Number(tasks[a]?.mustBreak));
  const workers = await Promise.all(
    Array.from({ length: Math.min(jobs, tasks.length) }, () =>
      work(
        () => open.pop(),
        (report) => {
          reports[report.index] = report;
          if (!tasks[report.index]?.mustBreak) console.log(report.text);
        },
      ),
    ),
  );
  console.log('\nMust break:');
  for (const { index, text } of reports) if (tasks[index]?.mustBreak) console.log(text);
  const sum = (of: (one: Report) => number): string =>
    reports.reduce((total, one) => total + of(one), 0).toLocaleString('en');
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const cpu = workers.reduce((total, last) => total + (last?.cpu ?? 0), 0).toFixed(0);
  const memory = Math.max(0, ...workers.map((last) => last?.memory ?? 0));
  const explored = `${sum(({ states }) => states)} states, ${sum(({ transitions }) => transitions)} steps`;
  console.log(
    `\n${explored}, ${sum(({ walks }) => walks)} walks, ${seconds} s (${cpu} s CPU), ${memory} MiB a process`,
  );
  process.exitCode = reports.length === tasks.length && reports.every(({ isGood }) => isGood) ? 0 : 1;
}

/** Runs one task after another in a process. Returns its last report. */
function work(nextTask: () => number | undefined, done: (report: Report) => void): Promise<Report | undefined> {
  return new Promise((resolve, reject) => {
    const [, program = '', ...args] = process.argv;
    const child = fork(program, args);
    let last: Report | undefined;
    const go = (): void => {
      const index = nextTask();
      if (index === undefined) child.disconnect();
      else child.send(index);
    };
    child.on('message', (report: Report) => {
      last = report;
      done(report);
      go();
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve(last);
      else reject(new Error(`a process of the checker ended with ${signal ?? code}`));
    });
    go();
  });
}
