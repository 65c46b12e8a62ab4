import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { buildBundle } from '../operator/bundle/build-bundle';
import { buildPage } from '../page/bundle/build-page';

const ROOT = join(__dirname, '..');
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;

/** Without the tests that wait for a control plane, each processor has enough to do with one. */
const AS_MANY_AS_PROCESSORS = `--maxWorkers=${availableParallelism()}`;

/** As `nice` counts: of a processor that others want, too, they get three quarters. */
const BEHIND_OTHERS = 5;

/**
 * Runs what a change must pass: lint, the tests, and whether `dist/` is up to date. All at the same time, as the tests
 * on a control plane mostly wait: the others use the processors meanwhile, at a lower priority, so that nothing that is
 * waited for comes late, and begin before the Go tools are built. Afterwards, one by one, the tests that measure. With
 * `--quick` only the tests that start no other program and are not slow.
 */
async function main([option, ...others]: readonly string[]): Promise<number> {
  if ((option !== undefined && option !== '--quick') || others.length > 0) {
    console.error('Usage: npm test [-- --quick]. For single tests: npx jest PATH...');
    return 2;
  }
  // Each of them would build these first.
  await buildBundle();
  await buildPage();
  passSignalsOn();
  const beside = [
    printedAtEnd('npm', ['run', '-s', 'lint']),
    printedAtEnd('npm', ['run', '-s', 'synth', '--', '--check']),
  ];
  // All that tests write, with what the programs that they start leave.
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  process.env.TMPDIR = folder;
  try {
    const code = await (option === '--quick'
      ? codeOf([...beside, jest('quick', [AS_MANY_AS_PROCESSORS])])
      : runAll(beside, folder));
    return isInterrupted ? INTERRUPTED : code;
  } finally {
    removeFolder(folder);
  }
}

async function runAll(beside: readonly Promise<boolean>[], folder: string): Promise<number> {
  // Two that keep a line at the end of a terminal erase each other's.
  process.env.TERM = 'dumb';
  // What tests of both parts make once.
  process.env.SHARED_RUN_DIRECTORY = mkdtempSync(join(folder, 'shared-'));
  const code = await codeOf([
    ...beside,
    jest('part-other', [AS_MANY_AS_PROCESSORS], { niceness: BEHIND_OTHERS }),
    jest('part-go'),
  ]);
  if (isInterrupted) return code;
  return Math.max(code, await codeOf([jest('part-alone', ['--runInBand'])]));
}

/** Removes what tests left, but for clusters, which end by files of theirs, and are gone with those who started them. */
function removeFolder(folder: string): void {
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    if (basename(path).startsWith('clusters-')) removeIfEmpty(path);
    else rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
  removeIfEmpty(folder);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A cluster is still ending.
  }
}

async function codeOf(results: readonly Promise<boolean>[]): Promise<number> {
  return (await Promise.all(results)).every((isFine) => isFine) ? 0 : 1;
}

interface Priority {
  /** @default 0 */
  readonly niceness?: number;
}

/** Runs the tests that a filter chooses. */
function jest(filter: string, args: readonly string[] = [], { niceness = 0 }: Priority = {}): Promise<boolean> {
  const child = start('jest', [`--filter=<rootDir>/test/support/${filter}.js`, ...args], 'inherit');
  // Its workers, which do not run yet, inherit it.
  if (child.pid !== undefined && niceness > 0) setPriority(child.pid, Math.min(getPriority() + niceness, 19));
  return ended(child);
}

/** Runs a command beside the tests, and prints its whole output at its end. */
async function printedAtEnd(command: string, args: readonly string[]): Promise<boolean> {
  const child = start(command, args, 'pipe');
  const texts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => texts.push(text));
  }
  const isFine = await ended(child);
  console.error(`${isFine ? 'PASS' : 'FAIL'} ${[command, ...args].join(' ')}\n${texts.join('')}`);
  return isFine;
}

const running = new Set<ChildProcess>();

function start(command: string, args: readonly string[], stdio: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, PATH }, stdio });
  running.add(child);
  child.on('close', () => running.delete(child));
  return child;
}

/** As shells tell that Ctrl-C ended a command. */
const INTERRUPTED = 130;
let isInterrupted = false;

/** Ends when what runs has ended, so that nothing of it is left. */
function passSignalsOn(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isInterrupted = true;
      for (const child of running) child.kill(signal);
    });
  }
}

function ended(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
