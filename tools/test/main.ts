import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildBundle } from '#operator/bundle/build-bundle';
import { buildPage } from '#page/bundle/build-page';
import { Children } from './children';
import { type Environment, nightlyRun, quickRun, type Run, type Step, wholeRun } from './stages';
import { type Outcome, outcomeOf, summary } from './summary';

const ROOT = join(__dirname, '..', '..');

const USAGE = `Usage:
  npm test                        lint, types, dist/, and all tests that need only Node.js
  npm run test:all                also programs, comparisons with tools in Go, and control planes
  npm run test:all -- --rest      only the steps that npm test does not run
  npm run test:nightly            slow tests
  npx jest PATH...                single tests
`;

const NO_GO =
  'The tests build tools with Go: install Go 1.21 or newer from https://go.dev/dl. npm test does not need Go.\n';

const RUNS = new Map<string, (environment: Environment) => Run>([
  ['', quickRun],
  ['all', (environment) => wholeRun(environment, false)],
  ['all --rest', (environment) => wholeRun(environment, true)],
  ['nightly', nightlyRun],
]);

async function main(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const makeRun = RUNS.get(args.join(' '));
  if (makeRun === undefined) return refuse(USAGE);
  // Tests and the programs that they start write all their files here.
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  try {
    const { stages, needsGo, rest } = makeRun({ folder, processors: availableParallelism() });
    if (needsGo && !hasGo()) return refuse(NO_GO);
    process.env.TMPDIR = folder;
    const children = new Children();
    // Otherwise each step would build these first.
    await buildBundle();
    await buildPage();
    const outcomes: Outcome[] = [];
    for (const stage of stages) outcomes.push(...(await Promise.all(stage.map((step) => outcome(children, step)))));
    if (children.interruption !== undefined) return children.interruption;
    process.stderr.write(summary(outcomes, (performance.now() - start) / 1000, rest));
    return outcomes.every(({ isFine }) => isFine) ? 0 : 1;
  } finally {
    removeFolder(folder);
  }
}

function refuse(text: string): number {
  process.stderr.write(text);
  return 2;
}

/** Since 1.21, Go downloads the version that a module requires. */
function hasGo(): boolean {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [, minor] = /^go1\.(\d+)/.exec(version) ?? [];
    return Number(minor) >= 21;
  } catch {
    return false;
  }
}

async function outcome(children: Children, step: Step): Promise<Outcome> {
  const { isFine, output } = await children.run(step);
  // Jest has already printed its failures.
  if (!isFine && output !== '') process.stderr.write(`FAIL ${step.name}\n${output}`);
  return outcomeOf(step.name, isFine, step.results, ROOT);
}

/** Removes the files of tests, except the files of clusters, which their watchdogs still read and remove later. */
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
    // A cluster is still shutting down.
  }
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
