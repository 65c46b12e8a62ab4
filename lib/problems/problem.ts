import type { IConstruct } from 'constructs';
import type { Problem } from '../../operator/api/problem';
import { redact } from './redaction';

export type { Problem };

/**
 * The one-line form of a problem, as it stands in a cdk8s validation report. Keys and credentials are left out of
 * it.
 */
export function describeProblem({ what, why, fix }: Problem): string {
  // One by one: nobody knows where a key ends that is cut off.
  const [whatText, whyText, fixText] = [what, why, fix].map((part) => sentence(redact(part)));
  return `${whatText} ${whyText} Fix: ${fixText}`;
}

/**
 * Registers a rule that is checked at synth, by Platform and by a plain cdk8s App alike.
 * A rule reports all that it finds; it never throws.
 */
export function addRule(scope: IConstruct, rule: () => readonly Problem[]): void {
  scope.node.addValidation({ validate: () => rule().map(describeProblem) });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
