import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** With a fault, a test may wait forever. None that passes takes this long. */
const MAX_TEST_MS = 100_000;

/** With a fault, a loop may be endless. No tests of a room take this long. */
const MAX_MS = 20 * 60_000;

/** How Jest ended. */
export interface JestRun {
  readonly isPassed: boolean;
  /** The first test file that failed; absent if none did, also if Jest did not end. */
  readonly failed?: string;
}

/** Chooses tests by patterns of their paths. */
export interface Choice {
  readonly doors: readonly ('node' | 'program' | 'go')[];
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
}

/**
 * Returns the arguments by which Jest runs tests that import a file, directly or through others: no other test runs what
 * the file contains without starting another program.
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
 * @throws Error if Jest fails without a test that does
 */
export async function runJest(checkout: string, tests: readonly string[], interrupt: AbortSignal): Promise<JestRun> {
  const bin = join(checkout, 'node_modules', '.bin');
  const options = [
    '--bail',
    '--maxWorkers=1',
    '--passWithNoTests',
    `--testTimeout=${MAX_TEST_MS}`,
    // What Jest has compiled outlasts the checkout.
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
  // It was ended, as it took too long.
  if (code === null) return { isPassed: false };
  const failed = /^FAIL (?:\w+ )?(\S+\.ts)/m.exec(output)?.[1];
  if (failed === undefined) throw new Error(`Jest failed without a test that does:\n${output.slice(-2000)}`);
  return { isPassed: false, failed };
}
