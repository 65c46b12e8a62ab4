import type { Problem } from '../../../api/problem';

/** All problems in one message, for whoever made the request. */
export function rejectionText(problems: readonly Problem[]): string {
  return problems.map(({ what, why, fix }) => `${what}: ${why}; ${fix}`).join('\n');
}
