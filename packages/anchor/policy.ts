import { goDurationMs } from '#base/go-duration';
import type { AnchorKey } from './chain';
import type { AnchorPolicy, ObservedMember, ObservedTrust } from './observed';
import type { TrustAnchorSpec } from './trust-anchor';

/** Propagation delays that cert-manager and identity may take: they see a change early, but may have to retry. */
const PATIENCE_DELAYS = 2;

/**
 * Returns the policy of a TrustAnchor, in milliseconds. Invalid and negative durations count as zero: the API server
 * refuses them.
 */
export function anchorPolicy(
  spec: TrustAnchorSpec,
  rotateNow: string | undefined,
  compromised: readonly string[] = spec.compromised ?? [],
): AnchorPolicy {
  const ms = (text: string): number => Math.max(0, goDurationMs(text) ?? 0);
  const [lag, skew] = [ms(spec.propagationDelay), ms(spec.clockSkewAllowance)];
  return {
    duration: ms(spec.duration),
    renewBefore: ms(spec.renewBefore),
    leafReach: ms(spec.issuanceLifetime) + skew,
    skew,
    lag,
    // Kubernetes reports times in whole seconds.
    grain: 1_000,
    patience: PATIENCE_DELAYS * lag,
    restartTime: spec.laggards.progressDeadlineSeconds * 1_000,
    parallelRestarts: spec.laggards.maxUnavailableWorkloads,
    laggards: spec.laggards.policy,
    paused: spec.paused,
    abort: spec.abort,
    ...(rotateNow !== undefined && { rotateNow }),
    members: spec.members ?? [],
    ...(compromised.length > 0 && { compromised }),
    ...bridgePolicy(spec.bridge),
    ...((spec.certifies ?? []).length > 0 && { certifies: spec.certifies }),
  };
}

/** Whether this key has leaked. */
export function isCompromised({ policy }: Pick<ObservedTrust, 'policy'>, key: AnchorKey | undefined): boolean {
  return key !== undefined && policy.compromised?.includes(key) === true;
}

/** Returns the reports of the clusters that the policy names. */
export function namedMembers({
  members,
  policy,
}: Pick<ObservedTrust, 'members' | 'policy'>): readonly ObservedMember[] {
  return members.filter(({ name }) => policy.members.includes(name));
}

/** Returns the anchors of another cluster: those that sign or may sign, and those to which certificates may chain. */
export function anchorsAt({ signing, roots = [] }: Pick<ObservedMember, 'signing' | 'roots'>): readonly AnchorKey[] {
  return [...new Set([...signing, ...roots])];
}

function bridgePolicy(
  bridge: TrustAnchorSpec['bridge'],
): Pick<AnchorPolicy, 'bridgeSigner' | 'awaitsBridge' | 'certifiedBy' | 'trustDomain'> {
  const bridgeSigner = bridgeSignerOf(bridge);
  if (bridgeSigner === undefined) return {};
  const { signedBy, member, trustDomain } = bridge ?? {};
  return {
    bridgeSigner,
    ...(bridge?.ifUnsigned === 'Wait' && { awaitsBridge: true }),
    ...(signedBy === 'Member' && { certifiedBy: member }),
    ...(trustDomain !== undefined && { trustDomain }),
  };
}

/** A member without a name signs nothing. A named member gets the same request as a user. */
function bridgeSignerOf(bridge: TrustAnchorSpec['bridge']): AnchorPolicy['bridgeSigner'] {
  if (bridge?.signedBy === 'Request') return 'request';
  return bridge?.signedBy === 'Member' && bridge.member !== undefined ? 'request' : undefined;
}
