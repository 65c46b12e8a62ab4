import type { ValueProblem } from '../../../api/injection/value-problem';

/** What is wrong with a request. */
export type RequestProblem = ValueProblem;

/** All problems in one message, for whoever made the request. */
export function refusal(problems: readonly RequestProblem[]): string {
  return problems.map(({ what, why, fix }) => `${what}: ${why}; ${fix}`).join('\n');
}
