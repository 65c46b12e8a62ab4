/** What is wrong with a request. */
export interface RequestProblem {
  readonly what: string;
  /** What it would lead to. */
  readonly why: string;
  readonly fix: string;
}

/** All problems in one message, for whoever made the request. */
export function refusal(problems: readonly RequestProblem[]): string {
  return problems.map(({ what, why, fix }) => `${what}: ${why}; ${fix}`).join('\n');
}
