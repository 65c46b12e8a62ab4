import type { MeshFacts } from '../model';
import { boundedConditions, type Conditions } from './conditions';
import { periodOf } from './routine';
import type { Scenario } from './world';

/** Linkerd's own default, where the output does not have an identity issuer of its own. */
const ISSUER = { id: '', duration: 48 * 3_600_000, renewBefore: 25 * 3_600_000 };

/** The mesh of a cluster under some conditions; nothing where it has no anchor to rotate. */
export function scenarioOf({ pki, schedules }: MeshFacts, conditions: Conditions): Scenario | undefined {
  if (pki.anchor === undefined) return undefined;
  const issuer = pki.certificates.find(({ role }) => role === 'identity-issuer') ?? ISSUER;
  return {
    policy: pki.anchor.policy,
    // A job that renews it earlier has the effect of a longer renewBefore.
    issuer: { duration: issuer.duration, renewBefore: issuer.duration - periodOf(issuer, schedules) },
    identityReplicas: pki.identityReplicas,
    conditions: boundedConditions(conditions),
  };
}
