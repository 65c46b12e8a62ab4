import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

interface JestResults {
  readonly numTotalTestSuites: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The outcome of one step. */
export interface Outcome {
  readonly name: string;
  readonly isFine: boolean;
  /** The number of suites and tests, if the step ran any. */
  readonly counted?: string;
  /** The failed tests, each with its file. */
  readonly failures: readonly string[];
}

/** Reads the results of a step. @param folder - the folder to which the names of files are relative */
export function outcomeOf(name: string, isFine: boolean, results: string | undefined, folder: string): Outcome {
  if (results === undefined || !existsSync(results)) return { name, isFine, failures: [] };
  const { numTotalTestSuites, numTotalTests, testResults }: JestResults = JSON.parse(readFileSync(results, 'utf8'));
  const failures = testResults.flatMap(({ name: file, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => ` › ${fullName}`);
    return (status === 'failed' && tests.length === 0 ? [''] : tests).map((test) => relative(folder, file) + test);
  });
  return { name, isFine, counted: `${numTotalTestSuites} suites, ${numTotalTests} tests`, failures };
}

/** The number of names of failed tests that fit on a screen. */
const SHOWN = 40;

/** The last lines of a run. */
export function summary(outcomes: readonly Outcome[], seconds: number, rest: string): string {
  const time = `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  const ran = outcomes.map(({ name, counted }) => (counted === undefined ? name : `${name}: ${counted}`)).join('; ');
  const failed = outcomes.filter(({ isFine }) => !isFine);
  if (failed.length === 0) return `\nPassed in ${time}: ${ran}.\n${rest}\n`;
  const names = failed.flatMap(({ name, failures }) => (failures.length === 0 ? [name] : failures));
  const hidden = names.length > SHOWN ? [`and ${names.length - SHOWN} more`] : [];
  return `\nFailed after ${time}:\n${[...names.slice(0, SHOWN), ...hidden].map((name) => `  ${name}\n`).join('')}`;
}
