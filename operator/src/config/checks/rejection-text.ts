import type { Problem } from '#base/findings/problem';

/** Joins problems to one message for the client. */
export function rejectionText(problems: readonly Problem[]): string {
  return problems.map(({ what, why, fix }) => `${what}: ${uncapitalized(why)}; ${fix}`).join('\n');
}

/** Returns the text without a capital: it continues a sentence. */
function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
