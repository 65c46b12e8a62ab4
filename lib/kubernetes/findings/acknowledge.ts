import { type Finding, warningsAt } from './finding';
import { KUBERNETES_FINDINGS } from './findings';
import { type Acknowledgement, LIFTED_ERRORS, type Warning, type WarningCode } from './warning';

/** An acknowledgement, and the construct for which it holds, with all below it. */
export interface LocatedAcknowledgement extends Acknowledgement {
  readonly path: string;
}

/** Warnings, by whether somebody has acknowledged them. */
export interface SortedWarnings {
  /** Those that nobody has; also of acknowledgements that no warning needs. */
  readonly open: readonly Finding[];
  readonly acknowledged: readonly Finding[];
}

/** Sorts the warnings of one cluster by its acknowledgements. */
export function acknowledge(
  warnings: readonly Finding[],
  acknowledgements: readonly LocatedAcknowledgement[],
): SortedWarnings {
  const isAcknowledged = (warning: Finding) => acknowledgements.some((by) => covers(by, warning));
  const idle = acknowledgements.filter((by) => !warnings.some((warning) => covers(by, warning)));
  return {
    open: [
      ...warnings.filter((warning) => !isAcknowledged(warning)),
      ...idle.flatMap(({ path, code }) => warningsAt(path, [acknowledgedNothing(code)])),
    ],
    acknowledged: warnings.filter(isAcknowledged),
  };
}

/** Tells whether an acknowledgement is about a warning. */
export function covers(by: LocatedAcknowledgement, { path, problem }: Finding): boolean {
  return by.code === problem.code && (path === by.path || path.startsWith(`${by.path}/`));
}

/** Tells findings that an acknowledgement lifts: warnings, and errors of which somebody says that they are meant. */
export function isLifted({ severity, problem: { code } }: Finding): boolean {
  return severity === 'warning' || LIFTED_ERRORS.has(code);
}

/** The warning of an acknowledgement that no warning needs. */
export function acknowledgedNothing(code: WarningCode): Warning {
  return KUBERNETES_FINDINGS.acknowledgedNothing({ code });
}
