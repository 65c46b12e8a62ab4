import { describeProblem, type Problem } from '#base/findings/problem';

/** Returns the comment of a program about what it leaves out. */
export function leftOutRemark(problem: Problem): string {
  return `Left out: ${describeProblem(problem)}`;
}
