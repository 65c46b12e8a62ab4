import { describeProblem } from '../../kubernetes/findings/problem';
import { showValue } from '../../kubernetes/value-path';
import { LINKERD_FINDINGS } from '../findings';

/**
 * Returns the entry of a release in a table.
 *
 * @throws RangeError where it is none of those that are known: nothing can be built from it.
 */
export function knownRelease<R extends object>(
  product: string,
  releases: Readonly<Record<string, R>>,
  version: string,
): R {
  const release = Object.hasOwn(releases, version) ? releases[version] : undefined;
  if (release !== undefined) return release;
  throw new RangeError(
    describeProblem(
      LINKERD_FINDINGS.versionUnknown({
        product,
        version: showValue(version),
        known: Object.keys(releases)
          .map((known) => `'${known}'`)
          .join(' or '),
      }),
    ),
  );
}
