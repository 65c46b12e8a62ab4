import type { Problem } from './problem';
import { redact, redactTold } from './redaction';

/** Something to say about a construct: an error, which stops the synthesis, or a warning of a risk. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Path of the construct, beginning with the cluster's name. */
  readonly path: string;
  readonly problem: Problem;
}

/** Problems that were found at one construct, without keys and credentials: findings end up in logs. */
export function errorsAt(path: string, problems: readonly Problem[]): readonly Finding[] {
  return problems.map((problem) => ({ severity: 'error', path, problem: redacted(problem) }));
}

/** The same of risks that may be taken. */
export function warningsAt(path: string, problems: readonly Problem[]): readonly Finding[] {
  return problems.map((problem) => ({ severity: 'warning', path, problem: redacted(problem) }));
}

function redacted<P extends Problem>({ about, what, why, fix, violates, ...others }: P): Problem {
  const [cleanWhat, cleanWhy, cleanFix] = redactTold([what, why, fix]);
  const place = about === undefined ? {} : { about: redact(about) };
  const clean = { ...others, ...place, what: cleanWhat, why: cleanWhy, fix: cleanFix };
  return violates === undefined ? clean : { ...clean, violates: { ...violates, value: redact(violates.value) } };
}
