import type { Finding } from '#base/findings/finding';
import { headline, type Problem } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { covers, type LocatedAcknowledgement } from '#lib/checks/warnings';

/** A warning in the index of the output. */
export interface RecordedWarning extends Pick<Problem, 'code' | 'what' | 'why' | 'fix'> {
  /** Path of the construct, beginning with the cluster's name. */
  readonly path: string;
  /** The reason of the acknowledgement; absent without one. */
  readonly reason?: string;
}

/**
 * Returns the warnings of a cluster, in order, with the reasons of acknowledgements.
 *
 * @param ofPlatform - reasons by code, for all clusters
 */
export function recordedWarnings(
  found: readonly Finding[],
  acknowledgements: readonly LocatedAcknowledgement[],
  ofPlatform: Readonly<Record<string, string | undefined>>,
): readonly RecordedWarning[] {
  return found
    .filter(({ severity }) => severity === 'warning')
    .map((warning) => {
      const { path, problem } = warning;
      const { code, why, fix } = problem;
      const own = acknowledgements.find((by) => covers(by, warning))?.reason;
      const reason = own ?? (Object.hasOwn(ofPlatform, code) ? ofPlatform[code] : undefined);
      return { code, path, what: headline(problem), why, fix, ...(reason !== undefined && { reason: redact(reason) }) };
    })
    .sort((a, b) => compare(a.code, b.code) || compare(a.path, b.path) || compare(a.what, b.what));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
