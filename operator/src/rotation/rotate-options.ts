import { RENEWAL_TIMEOUT_SECONDS, ROLLOUT_TIMEOUT_SECONDS, readRotationUnits } from '../../api/rotation';
import { COMMON_FLAGS } from '../flags/common-flags';
import { flag } from '../flags/flag';
import type { FlagValues } from '../flags/read-flags';

/** Flags of `rotate`. Durations are in milliseconds here. */
export const ROTATE_FLAGS = {
  ...COMMON_FLAGS,
  unit: flag.words({
    description:
      'Certificates to renew, and the Deployment of their namespace to restart afterwards; once per Deployment, in order',
    placeholder: 'namespace/deployment=certificate[,certificate…]',
    default: [],
  }),
  trustRoots: flag.words({
    description:
      'ConfigMap with the anchors to which the certificates of that Deployment must chain before it restarts',
    placeholder: 'namespace/deployment=configmap',
    default: [],
  }),
  runId: flag.text({
    description: 'id of all attempts of one run: later attempts skip completed steps',
    default: undefined,
  }),
  renewalTimeout: flag.durationMs({
    description: 'how long the renewal of a certificate may take',
    default: RENEWAL_TIMEOUT_SECONDS * 1000,
  }),
  rolloutTimeout: flag.durationMs({
    description: 'how long the rollout of a Deployment may take',
    default: ROLLOUT_TIMEOUT_SECONDS * 1000,
  }),
};

/** The values of {@link ROTATE_FLAGS}. */
export type RotateOptions = FlagValues<typeof ROTATE_FLAGS>;

/** Checks options that are valid individually. */
export function checkRotateOptions({ unit, trustRoots }: RotateOptions): readonly string[] {
  return readRotationUnits({ units: unit, trustRoots }).problems;
}
