import type { Problem } from '../../kubernetes/findings/problem';
import { type CertManagerVersion, certManagerRelease } from '../../linkerd/releases/cert-manager';
import { PKI_FINDINGS } from './findings';

/**
 * The one who renews a trust anchor that cert-manager made.
 *
 * - `operator`: the operator, in time and without a restart; needs a ReconcilerOperator in the same cluster.
 * - `manual`: nobody but an administrator, whom alerts remind in time; cert-manager 1.21 or later.
 * - `automatic-unsafe`: cert-manager, when it is due. Whoever does not restart all proxies by the time at which the
 *   identity issuer is renewed has no working mesh any more.
 */
export type AnchorRotation = 'operator' | 'manual' | 'automatic-unsafe';

const ROTATIONS: readonly AnchorRotation[] = ['operator', 'manual', 'automatic-unsafe'];

/**
 * Returns the rotation of an anchor of which nobody says it, and which no operator rotates; undefined where cert-manager
 * cannot be kept from renewing it.
 */
export function usualRotation(version: CertManagerVersion): 'manual' | undefined {
  return certManagerRelease(version).renewalPolicy ? 'manual' : undefined;
}

/** Refuses an anchor that cert-manager would renew without the user's decision, or could not be kept from renewing. */
export function checkRotation(rotation: AnchorRotation | undefined, version: CertManagerVersion): readonly Problem[] {
  const canDisable = certManagerRelease(version).renewalPolicy;
  if (rotation === undefined) return [PKI_FINDINGS.anchorRotationRefusedUndecided({ version })];
  if (!ROTATIONS.includes(rotation)) {
    const known = ROTATIONS.map((one) => `'${one}'`).join(', ');
    return [PKI_FINDINGS.anchorRotationRefusedUnknown({ rotation: JSON.stringify(rotation), known })];
  }
  return rotation === 'manual' && !canDisable ? [PKI_FINDINGS.anchorRotationRefusedUnsupported({ version })] : [];
}
