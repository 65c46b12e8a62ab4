import type { Pairs, RefusedChain } from '#anchor/pairs';
import { conditionOf } from '#base/conditions';
import { listed } from '#base/findings/listed';
import type { ConditionState } from '../../config/reconcile/config-status';
import type { StatusInput } from './status-input';

/** Type of the condition that every sampled pair verifies. */
export const PAIRS_VERIFIED = 'PairsVerified';

const MAX_NAMED = 3;

/** Returns the condition about probed pairs; none if no proxy is probed. */
export function pairsCondition({ anchor, observation, pairs }: StatusInput): readonly ConditionState[] {
  const { probes } = observation.trust;
  if (probes === undefined) return [];
  const last = conditionOf(anchor.status, PAIRS_VERIFIED);
  if (probes.since === undefined) {
    // Until its first round, a new leader keeps the condition.
    if (last !== undefined)
      return [{ type: PAIRS_VERIFIED, status: last.status, reason: last.reason, message: last.message }];
    return [unknown('Probing', 'The operator is about to ask proxies for their certificates.')];
  }
  const { presented, unreached } = probes;
  if (presented.length + unreached.length === 0) {
    return [unknown('NoProxies', 'No running pod has a proxy whose address and identity are known.')];
  }
  if (presented.length === 0) {
    const message = `No sampled proxy presents a certificate (${listed(unreached, MAX_NAMED)}): a NetworkPolicy may keep the operator from the inbound port of proxies. Rotations continue without probes.`;
    return [unknown('Unreachable', message)];
  }
  if (pairs.refused > 0) return [{ type: PAIRS_VERIFIED, status: 'False', ...refusal(pairs) }];
  const silent =
    unreached.length === 0 ? '' : ` Proxies without an answer (${unreached.length}): ${listed(unreached, MAX_NAMED)}.`;
  const message = `The trust bundles of pods (${pairs.bundles}) verify the certificates of all sampled proxies (${presented.length}).${silent}`;
  return [{ type: PAIRS_VERIFIED, status: 'True', reason: 'AllVerify', message }];
}

function unknown(reason: string, message: string): ConditionState {
  return { type: PAIRS_VERIFIED, status: 'Unknown', reason, message };
}

/** The reasons, the worst first, and what they mean for the other proxies. */
const REASONS: readonly (readonly [RefusedChain['reason'], string])[] = [
  ['Refused', 'present certificates that some pods refuse'],
  ['Expired', 'present expired certificates: they do not get new ones from identity'],
  ['Foreign', 'present certificates that no anchor of this mesh signed'],
  ['Invalid', 'present no valid certificate for their identity'],
];

function refusal({ proxies }: Pairs): Pick<ConditionState, 'reason' | 'message'> {
  const found = REASONS.flatMap(([reason, meaning]) => {
    const all = proxies.filter((one) => one.reason === reason);
    if (all.length === 0) return [];
    const by = reason === 'Refused' ? ` (${listed([...new Set(all.flatMap(({ by: one }) => one ?? []))], 1)})` : '';
    const names = listed(
      all.map(({ pod }) => pod),
      MAX_NAMED,
    );
    return [{ reason, text: `${names} ${meaning}${by}` }];
  });
  return { reason: found[0]?.reason ?? 'Refused', message: `${found.map(({ text }) => text).join('; ')}.` };
}
