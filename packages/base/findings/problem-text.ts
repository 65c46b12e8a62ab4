import type { Problem } from './problem';
import { redactTold } from './redaction';

export type { Problem };

/** Formats a problem on one line, without keys and credentials. */
export function describeProblem(problem: Problem): string {
  const [whatText, whyText, fixText] = redactTold([headline(problem), problem.why, problem.fix]).map(sentence);
  return `${whatText} ${whyText} Fix: ${fixText}`;
}

/** Returns the mistake, after its place in the construct. */
export function headline({ place, what }: Pick<Problem, 'place' | 'what'>): string {
  return place === undefined ? what : `${place}: ${what}`;
}

/** Returns a string with a full stop at its end. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
