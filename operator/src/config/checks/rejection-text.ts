import type { Problem } from '../../../api/kubernetes/problem';

/** Joins problems to one message for whoever made the request. */
export function rejectionText(problems: readonly Problem[]): string {
  return problems.map(({ what, why, fix }) => `${what}: ${why}; ${fix}`).join('\n');
}
