import { join } from 'node:path';
import { CACHES } from '#test/support/caches.js';

/** One command of a run. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Gives way to other steps, which wait more than they compute.
   *
   * @default false
   */
  readonly isPatient?: boolean;
  /** Variables of its environment, beside those of the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** The file into which Jest writes its results. */
  readonly results?: string;
}

/** A run of tests: its stages follow each other, the steps of a stage run at the same time. */
export interface Run {
  readonly stages: readonly (readonly Step[])[];
  /** Whether it builds tools in Go. */
  readonly needsGo: boolean;
  /** What else there is, for the last line. */
  readonly rest: string;
}

/** What the commands of a run depend on. */
export interface Environment {
  /** A folder for results. */
  readonly folder: string;
  readonly processors: number;
}

const LINT: Step = { name: 'lint', command: 'npm', args: ['run', '-s', 'lint'] };
const SYNTH: Step = { name: 'synth --check', command: 'npm', args: ['run', '-s', 'synth', '--', '--check'] };
/** Suites build what they need at first use; this builds it in a better order. */
const GO_TOOLS: Step = { name: 'tools in Go', command: 'tsx', args: ['tools/test/go-tools.ts'], env: CACHES };
const CHECKER: Step = {
  name: 'checker of the anchor',
  command: 'node',
  args: ['--max-old-space-size=4096', 'tools/start/start.cjs', 'packages/anchor/check/main.ts'],
  isPatient: true,
};

/** `npm test`: what Node alone can decide. */
export function quickRun(environment: Environment): Run {
  return {
    stages: [[LINT, SYNTH, computing(environment, 'node')]],
    needsGo: false,
    rest: 'npm run test:all also runs programs, comparisons with tools in Go, and control planes.',
  };
}

/** `npm run test:all`: what each change must pass. @param isRest - whether `npm test` has passed */
export function wholeRun(environment: Environment, isRest: boolean): Run {
  const quick = isRest ? [computing(environment, 'program')] : [LINT, SYNTH, computing(environment, 'node', 'program')];
  const clusters = jest(environment, ['go', 'cluster']);
  return {
    stages: [[GO_TOOLS, ...quick, clusters], [jest(environment, ['alone'], '--runInBand')]],
    needsGo: true,
    rest: 'npm run test:nightly runs what is slow.',
  };
}

/** `npm run test:nightly`: what takes long, and rarely fails when all else passes; random tests try more. */
export function nightlyRun(environment: Environment): Run {
  return {
    stages: [[CHECKER, deep(computing(environment, 'node')), deep(jest(environment, ['slow']))]],
    needsGo: true,
    rest: 'npm run test:all runs all that is not slow.',
  };
}

function deep(step: Step): Step {
  return { ...step, env: { TEST_DEPTH: 'full' } };
}

/** Suites that do not wait for control planes: one for each processor. */
function computing(environment: Environment, ...doors: readonly string[]): Step {
  return { ...jest(environment, doors, `--maxWorkers=${environment.processors}`), isPatient: true };
}

function jest({ folder }: Environment, doors: readonly string[], ...more: readonly string[]): Step {
  const name = `tests (${doors.join(', ')})`;
  const results = join(folder, `${doors.join('-')}.json`);
  return {
    name,
    command: 'jest',
    args: [...['--selectProjects', ...doors], ...['--json', `--outputFile=${results}`, ...more]],
    results,
  };
}
