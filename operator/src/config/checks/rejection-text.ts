import type { Problem } from '../../../api/kubernetes/problem';

/** Joins problems to one message for whoever made the request. */
export function rejectionText(problems: readonly Problem[]): string {
  return problems.map(({ what, why, fix }) => `${what}: ${uncapitalized(why)}; ${fix}`).join('\n');
}

/** The reason stands in the middle of a sentence. */
function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
