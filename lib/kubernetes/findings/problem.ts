import type { Problem } from '../../../operator/api/kubernetes/problem';
import { redactTold } from './redaction';

export type { Problem };

/** The one-line form of a problem. Keys and credentials are left out of it. */
export function describeProblem({ what, why, fix }: Problem): string {
  const [whatText, whyText, fixText] = redactTold([what, why, fix]).map(sentence);
  return `${whatText} ${whyText} Fix: ${fixText}`;
}

/** A text with a full stop at its end. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
