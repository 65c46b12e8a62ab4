import { type Release, releaseOf } from '../../linkerd/releases/release';
import type { Warning } from '../../linkerd/warnings';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** The warning that a release is rendered from the templates of another one, as the user says. */
export function takenForAnother({ version, like, unproven }: Release): Warning {
  const known = releaseOf(like).version;
  return CONTROL_PLANE_FINDINGS.releaseTakenForAnother({ version, known, unproven: unproven.join(', ') });
}
