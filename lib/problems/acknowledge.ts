import type { Acknowledgement, Warning, WarningCode } from './warning';

/** A warning, and the construct that it is about. */
export interface LocatedWarning {
  /** Path of the construct, beginning with the cluster's name. */
  readonly path: string;
  readonly problem: Warning;
}

/** An acknowledgement, and the construct for which it holds, with all below it. */
export interface LocatedAcknowledgement extends Acknowledgement {
  readonly path: string;
}

/** Warnings, by whether somebody has acknowledged them. */
export interface SortedWarnings {
  /** Those that nobody has; also of acknowledgements that no warning needs. */
  readonly open: readonly LocatedWarning[];
  readonly acknowledged: readonly LocatedWarning[];
}

/** Sorts the warnings of one cluster by its acknowledgements. */
export function acknowledge(
  warnings: readonly LocatedWarning[],
  acknowledgements: readonly LocatedAcknowledgement[],
): SortedWarnings {
  const covers = (by: LocatedAcknowledgement, { path, problem }: LocatedWarning) =>
    by.code === problem.code && (path === by.path || path.startsWith(`${by.path}/`));
  const isAcknowledged = (warning: LocatedWarning) => acknowledgements.some((by) => covers(by, warning));
  const idle = acknowledgements.filter((by) => !warnings.some((warning) => covers(by, warning)));
  return {
    open: [
      ...warnings.filter((warning) => !isAcknowledged(warning)),
      ...idle.map(({ path, code }) => ({ path, problem: acknowledgedNothing(code) })),
    ],
    acknowledged: warnings.filter(isAcknowledged),
  };
}

/** The warning of an acknowledgement that no warning needs. */
export function acknowledgedNothing(code: WarningCode): Warning {
  return {
    code: 'acknowledged-nothing',
    what: `The warning "${code}" is acknowledged where nobody gives it`,
    why: 'The risk is gone; when it comes back, it would be taken without a word',
    fix: 'remove the acknowledgement',
  };
}
