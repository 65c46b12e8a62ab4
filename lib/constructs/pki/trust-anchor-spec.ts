import type { Duration } from 'cdk8s';
import { TRUST_ANCHOR_DEFAULTS, type TrustAnchorSpec } from '../../../operator/api/trust-anchor';
import { checkGoDuration, goDuration } from '../../kubernetes/go-duration';
import { anchorCommonName, type MeshNames } from './common-names';
import type { OperatorRotation } from './operator-rotation';
import type { OwnTrustAnchor } from './trust-anchor';
import { milliseconds } from './validity';

/** The mesh that an anchor is of. */
export interface AnchoredMesh extends MeshNames {
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
}

/** Returns the spec of the TrustAnchor by which the operator rotates an anchor. */
export function trustAnchorSpec(
  mesh: AnchoredMesh,
  { duration, renewBefore, operator = {} }: OwnTrustAnchor,
  certManagerNamespace: string,
): TrustAnchorSpec {
  const { cluster, members, laggards = {}, windows, propagationDelay, rotateNow }: OperatorRotation = operator;
  const { policy, maxUnavailableWorkloads, progressDeadline } = laggards;
  return {
    ...TRUST_ANCHOR_DEFAULTS,
    ...given({
      paused: operator.paused,
      abort: operator.abort,
      acceptUnseenProxies: operator.acceptUnseenProxies,
      propagationDelay: propagationDelay && text(propagationDelay),
      rotateNow,
      cluster,
      members,
      windows: windows?.map((window) => ({ ...window, duration: text(window.duration) })),
    }),
    controlPlaneNamespace: mesh.controlPlaneNamespace,
    certManagerNamespace,
    commonName: anchorCommonName(mesh),
    duration: text(duration),
    renewBefore: text(renewBefore),
    issuanceLifetime: text(mesh.issuanceLifetime),
    clockSkewAllowance: text(mesh.clockSkewAllowance),
    laggards: {
      ...TRUST_ANCHOR_DEFAULTS.laggards,
      ...given({
        policy,
        maxUnavailableWorkloads,
        progressDeadlineSeconds: progressDeadline && wholeSeconds(progressDeadline),
      }),
    },
  };
}

function given<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

/** Empty where Go has no text for it, which rules report. */
function text(duration: Duration): string {
  return checkGoDuration('', duration).length > 0 ? '' : goDuration(duration);
}

function wholeSeconds(duration: Duration): number {
  return checkGoDuration('', duration).length > 0 ? 0 : Math.ceil(milliseconds(duration) / 1_000);
}
