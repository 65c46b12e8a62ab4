import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCheckouts, isDirty } from './checkouts';
import { type Fault, lineOf, misfitsOf, plant } from './fault';
import { type JestRun, runJest, testsOf } from './jest';
import { type Result, resultLine, resultTable } from './report';
import { ROOMS, type Room, testsFor } from './rooms';

const USAGE = `Makes mistakes in copies of the last commit, one at a time, and shows whether a test detects each.

npx tsx test/mutations/main.ts [-- --jobs N] [--json FILE] [--check] [ROOM...]

  --jobs N     tries N mistakes at a time, each with one Jest process
  --json FILE  writes the outcome of each mistake
  --check      checks only that each mistake fits the code

Rooms: ${ROOMS.map(({ name }) => name).join(', ')}. The default is all. Exits with 1 if no test detects a mistake.
`;

const ROOT = join(__dirname, '..', '..');

/** The exit code with which shells report that Ctrl-C ended a command. */
const INTERRUPTED = 130;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      jobs: { type: 'string', default: '1' },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => ROOMS.every((room) => room.name !== name));
  const jobs = Number(values.jobs);
  if (values.help || unknown.length > 0 || !Number.isInteger(jobs) || jobs < 1) return refuse(USAGE, 2);
  const rooms = ROOMS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const misfits = rooms.flatMap(({ faults }) => faults.flatMap((fault) => misfitsOf(fault, ROOT)));
  if (misfits.length > 0) return refuse(misfits.join('\n'));
  if (values.check) return 0;
  if (isDirty(ROOT)) return refuse('Commit your changes first: the mistakes are made in copies of the last commit.');
  const results = await resultsOf(rooms, jobs);
  console.log(`\n${resultTable(results)}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
  return results.every(({ isKilled }) => isKilled) ? 0 : 1;
}

function refuse(message: string, code = 1): number {
  console.error(message);
  return code;
}

async function resultsOf(rooms: readonly Room[], jobs: number): Promise<readonly Result[]> {
  // Interrupted tests leave temporary files, which are removed with this folder.
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  process.env.TMPDIR = folder;
  const checkouts = createCheckouts(ROOT, jobs);
  const results: Result[] = [];
  try {
    for (const room of rooms) results.push(...(await tryRoom(room, checkouts.paths)));
  } finally {
    checkouts.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return results;
}

const interruption = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interruption.abort());
}

async function tryRoom(room: Room, checkouts: readonly string[]): Promise<readonly Result[]> {
  const [first] = checkouts;
  if (first !== undefined) await requirePass([...room.tests, '--selectProjects=node'], room.name, first);
  const left = [...room.faults];
  const results = new Map<Fault, Result>();
  const work = async (checkout: string): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const result = await tryFault(fault, room, checkout);
      console.log(resultLine(result));
      results.set(fault, result);
    }
  };
  const ended = await Promise.allSettled(checkouts.map(work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return room.faults.flatMap((fault) => results.get(fault) ?? []);
}

/** Runs the nearest tests first and stops at the first failure. */
async function tryFault(fault: Fault, room: Room, checkout: string): Promise<Result> {
  const began = performance.now();
  const known = { room: room.name, ...fault, line: lineOf(fault, checkout) };
  const seconds = (): number => Math.round((performance.now() - began) / 1000);
  for (const chosen of testsFor(fault, room, checkout)) {
    const { isPassed, failed } = await runWith(fault, testsOf(fault.file, chosen), checkout);
    if (isPassed) continue;
    // The room's tests in the project `node` have already passed without the fault.
    if (failed !== undefined && (!chosen.doors.includes('node') || chosen.in === undefined))
      await requirePass([failed], failed, checkout);
    return { ...known, isKilled: true, by: failed ?? 'a test that does not end', seconds: seconds() };
  }
  return { ...known, isKilled: false, seconds: seconds() };
}

async function runWith(fault: Fault, tests: readonly string[], checkout: string): Promise<JestRun> {
  const takeBack = plant(fault, checkout);
  try {
    return await runJest(checkout, tests, interruption.signal);
  } finally {
    takeBack();
  }
}

/** @throws Error if tests fail without a fault, because their failure with a fault would then prove nothing */
async function requirePass(tests: readonly string[], name: string, checkout: string): Promise<void> {
  const { isPassed, failed } = await runJest(checkout, tests, interruption.signal);
  if (!isPassed)
    throw new Error(`The tests of ${name} fail without a mistake in the code: ${failed ?? 'they do not end'}`);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const isInterrupted = interruption.signal.aborted;
    console.error(isInterrupted ? 'Interrupted.' : error instanceof Error ? error.message : error);
    process.exitCode = isInterrupted ? INTERRUPTED : 1;
  },
);
