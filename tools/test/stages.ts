import { join } from 'node:path';
import { CACHES } from '#test/support/caches.js';

/** One command of a run. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Whether the step has a lower priority than other steps, which mostly wait.
   *
   * @default false
   */
  readonly isPatient?: boolean;
  /** Environment variables in addition to those of the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** The file into which Jest writes its results. */
  readonly results?: string;
}

/** A run of tests: its stages run one after the other, the steps of a stage at the same time. */
export interface Run {
  readonly stages: readonly (readonly Step[])[];
  /** Whether it builds tools in Go. */
  readonly needsGo: boolean;
  /** The last line of the summary, about other runs. */
  readonly rest: string;
}

/** The parameters of the commands of a run. */
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

/** `npm test`: the steps that need only Node.js. */
export function quickRun(environment: Environment): Run {
  return {
    stages: [[LINT, SYNTH, computing(environment, 'node')]],
    needsGo: false,
    rest: 'npm run test:all also runs programs, comparisons with tools in Go, and control planes.',
  };
}

/** `npm run test:all`: the steps that each change must pass. @param isRest - whether `npm test` has passed */
export function wholeRun(environment: Environment, isRest: boolean): Run {
  const quick = isRest ? [computing(environment, 'program')] : [LINT, SYNTH, computing(environment, 'node', 'program')];
  const clusters = jest(environment, ['go', 'cluster']);
  return {
    stages: [[GO_TOOLS, ...quick, clusters], [jest(environment, ['alone'], '--runInBand')]],
    needsGo: true,
    rest: 'npm run test:nightly runs the slow tests.',
  };
}

/** `npm run test:nightly`: slow steps that rarely fail when all others pass. Random tests try more cases. */
export function nightlyRun(environment: Environment): Run {
  return {
    stages: [[CHECKER, deep(computing(environment, 'node')), deep(jest(environment, ['slow']))]],
    needsGo: true,
    rest: 'npm run test:all runs all other tests.',
  };
}

function deep(step: Step): Step {
  return { ...step, env: { TEST_DEPTH: 'full' } };
}

/** Suites that do not wait for control planes, with one worker for each processor. */
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
