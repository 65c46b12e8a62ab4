import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** With a fault, a test may wait forever. Every passing test is faster than this. */
const MAX_TEST_MS = 100_000;

/** With a fault, a loop may be endless. The tests of every room are faster than this. */
const MAX_MS = 20 * 60_000;

/** The result of a run of Jest. */
export interface JestRun {
  readonly isPassed: boolean;
  /** The first test file that failed; absent if none failed or Jest did not end. */
  readonly failed?: string;
}

/** Chooses tests by patterns of their paths. */
export interface Choice {
  readonly doors: readonly ('node' | 'program' | 'go')[];
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
}

/**
 * Returns the arguments with which Jest runs the tests that import a file directly or indirectly. Other tests can run
 * code of the file only in another program.
 */
export function testsOf(file: string, chosen: Choice): readonly string[] {
  return [
    '--findRelatedTests',
    file,
    '--selectProjects',
    ...chosen.doors,
    // Jest looks for imports below the roots.
    '--roots=<rootDir>',
    ...(chosen.in === undefined ? [] : [`--testPathIgnorePatterns=^(?!.*/(?:${chosen.in.join('|')}))`]),
    ...(chosen.notIn === undefined ? [] : [`--testPathIgnorePatterns=/(?:${chosen.notIn.join('|')})`]),
  ];
}

/**
 * Runs tests in a checkout, until one fails.
 *
 * @param tests patterns of paths, or other arguments that choose tests
 * @throws Error if Jest fails without a failed test
 */
export async function runJest(checkout: string, tests: readonly string[], interrupt: AbortSignal): Promise<JestRun> {
  const bin = join(checkout, 'node_modules', '.bin');
  const options = [
    '--bail',
    '--maxWorkers=1',
    '--passWithNoTests',
    `--testTimeout=${MAX_TEST_MS}`,
    // The compiled files outlast the checkout.
    `--cacheDirectory=${join(checkout, '..', 'jest')}`,
  ];
  const child = spawn(join(bin, 'jest'), [...tests, ...options], {
    cwd: checkout,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, FORCE_COLOR: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: interrupt,
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  });
  const texts: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => texts.push(text));
  const code = await new Promise<number | null>((resolve, reject) => {
    let failure: Error | undefined;
    child.on('error', (error) => {
      failure = error;
    });
    child.on('close', (status) => (failure === undefined ? resolve(status) : reject(failure)));
  });
  return runOf(code, texts.join(''));
}

function runOf(code: number | null, output: string): JestRun {
  if (code === 0) return { isPassed: true };
  // Jest was killed after MAX_MS.
  if (code === null) return { isPassed: false };
  const failed = /^FAIL (?:\w+ )?(\S+\.ts)/m.exec(output)?.[1];
  if (failed === undefined) throw new Error(`Jest failed without a failed test:\n${output.slice(-2000)}`);
  return { isPassed: false, failed };
}
