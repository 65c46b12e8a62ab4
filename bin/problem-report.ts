import { describeProblem, type Problem } from '../lib/kubernetes/findings/problem';

/** Problems for people to read, one after the other. */
export function problemReport(problems: readonly Problem[]): string {
  const heading = problems.length === 1 ? '1 problem:' : `${problems.length} problems:`;
  return `${[heading, ...problems.map((problem) => `  - ${describeProblem(problem)}`)].join('\n')}\n`;
}
