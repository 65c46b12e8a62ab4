import type { AnchorMemory, RememberedIssuer, Rotation } from './memory';
import type { ObservedTrust } from './observed';
import type { AnchorPlan } from './plan';

/**
 * Prepares an observation that may be older than `lag`: no fact counts as observed for long enough. So the operator
 * retires no anchor, and does not sign with one that pods may not trust.
 */
export function asLate(seen: ObservedTrust): ObservedTrust {
  const { rotation } = seen.memory;
  return rotation === undefined ? seen : { ...seen, memory: { ...seen.memory, rotation: unsettled(rotation) } };
}

/** Returns the plan of a late observation, which records nothing new as proven. */
export function decidedLate(plan: AnchorPlan, { memory: before }: ObservedTrust): AnchorPlan {
  const { rotation, issuer, ...rest } = plan.memory;
  const unproven = issuer && issuerBefore(issuer, before);
  // A rotation that has ended according to the late observation may still continue.
  const going = rotation ?? before.rotation;
  const { report: _, ...unreported } = plan;
  return {
    ...unreported,
    memory: {
      ...rest,
      ...(unproven !== undefined && { issuer: unproven }),
      ...(going && { rotation: lateRotation(going, before.rotation) }),
      ...(rest.certification && { certification: lateCertification(rest.certification, before.certification) }),
    } as AnchorMemory,
  };
}

function unsettled({ adopted: _, dropped: __, returned: ___, ...rotation }: Rotation): Rotation {
  return rotation;
}

/** Records nothing as proven, and starts nothing irreversible. */
function lateRotation(rotation: Rotation, before: Rotation | undefined): Rotation {
  const { signing, aborting, ...rest } = unsettled(rotation);
  const facts = Object.entries(rest).filter(
    ([name, value]) => value !== true || before?.[name as keyof Rotation] === true,
  );
  return {
    ...(Object.fromEntries(facts) as unknown as typeof rest),
    ...(aborting && { aborting }),
    ...(signing !== undefined && before?.signing !== undefined && { signing }),
  };
}

function lateCertification(
  { by }: NonNullable<AnchorMemory['certification']>,
  before: AnchorMemory['certification'],
): AnchorMemory['certification'] {
  const known = new Set(before?.by.map(({ key }) => key));
  const fresh = by.filter(({ key }) => !known.has(key)).map(({ key }) => ({ key }));
  return { ...before, by: [...(before?.by ?? []), ...fresh] };
}

function issuerBefore(issuer: RememberedIssuer, { issuer: before }: AnchorMemory): RememberedIssuer {
  const { takenUp, steady, ...rest } = issuer;
  const isSame = before?.revision === issuer.revision && before.signer === issuer.signer;
  return {
    ...rest,
    ...(isSame && takenUp !== undefined && before.takenUp !== undefined && { takenUp }),
    ...(steady !== undefined && before?.steady !== undefined && { steady }),
  };
}
