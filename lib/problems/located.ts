import { describeProblem, type Problem } from './problem';

/** A problem's text, and the construct that it is about. */
export interface LocatedProblem {
  /** Path of the construct, beginning with the cluster's name. */
  readonly path: string;
  readonly message: string;
}

/** Problems that were found at one construct. */
export function locate(path: string, problems: readonly Problem[]): readonly LocatedProblem[] {
  return problems.map((problem) => ({ path, message: describeProblem(problem) }));
}
