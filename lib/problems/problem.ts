import type { Problem } from '../../operator/api/problem';
import { redact } from './redaction';

export type { Problem };

/** The one-line form of a problem. Keys and credentials are left out of it. */
export function describeProblem({ what, why, fix }: Problem): string {
  // One by one: nobody knows where a key ends that is cut off.
  const [whatText, whyText, fixText] = [what, why, fix].map((part) => sentence(redact(part)));
  return `${whatText} ${whyText} Fix: ${fixText}`;
}

/** A text with a full stop at its end. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
