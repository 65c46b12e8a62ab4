import type { IConstruct } from 'constructs';
import type { Problem } from '../../operator/api/problem';

export type { Problem };

/** A key in PEM, also where line ends are escaped, or one that is cut off. */
const PRIVATE_KEY = /-----BEGIN[A-Z ]* PRIVATE KEY-----[\s\S]*?(?:-----END[A-Z ]* PRIVATE KEY-----|$)/g;

/**
 * The one-line form of a problem, as it stands in a cdk8s validation report. Private keys are left out of it: reports
 * end up in the logs of CI.
 */
export function describeProblem({ what, why, fix }: Problem): string {
  return `${sentence(what)} ${sentence(why)} Fix: ${sentence(fix)}`.replace(PRIVATE_KEY, '<private key>');
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
