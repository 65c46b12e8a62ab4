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

function redacted({ about, what, why, fix, violates, parameters, ...others }: Problem): Problem {
  const [cleanWhat, cleanWhy, cleanFix] = redactTold([what, why, fix]);
  return {
    ...others,
    what: cleanWhat,
    why: cleanWhy,
    fix: cleanFix,
    ...(parameters !== undefined && { parameters: redactedValues(parameters, cleanWhat === what) }),
    ...(about !== undefined && { about: redact(about) }),
    ...(violates !== undefined && { violates: { ...violates, value: redact(violates.value) } }),
  };
}

/** Beside a secret, each text may be a part of it. */
function redactedValues(parameters: NonNullable<Problem['parameters']>, isClean: boolean): Problem['parameters'] {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value !== 'string' ? value : isClean ? redact(value) : '…',
    ]),
  );
}
