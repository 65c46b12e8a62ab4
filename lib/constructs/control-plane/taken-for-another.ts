import type { Warning } from '../../kubernetes/findings/warning';
import { type Release, releaseOf } from '../../linkerd/releases/release';

/** Says that a release is rendered from the templates of another one, on somebody's word. */
export function takenForAnother({ version, like, unproven }: Release): Warning {
  const known = releaseOf(like).version;
  return {
    code: 'release-taken-for-another',
    what: `${version} is not known here, and is rendered from the templates and values of ${known}`,
    why: `What its own charts would render is nobody's knowledge: ${unproven.join(', ')} may have changed`,
    fix: `run "npm run conformance -- --chart DIR --release ${known} --record FILE" with the charts of ${version} in the library's repository, and give the record to Release.like as conformance; or update the library`,
  };
}
