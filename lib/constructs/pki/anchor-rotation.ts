import type { IConstruct } from 'constructs';
import type { Problem } from '../../kubernetes/findings/problem';
import { type CertManagerVersion, certManagerRelease } from '../../linkerd/releases/cert-manager';
import { PKI_FINDINGS } from './findings';
import { isGeneration, isOwnAnchor, type TrustAnchorSource } from './trust-anchor';

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

/** An operator that can rotate the anchor of a PKI. */
export interface AnchorOperator {
  /** Tells whether it looks at all namespaces: who does not cannot tell whether a pod still needs the old anchor. */
  readonly seesAllPods: boolean;
  /** The objects that have it make and rotate the anchor, where it does: all that the anchor signs waits for them. */
  readonly anchor?: IConstruct;
}

/** Checks that an anchor has the operator that it asks for. */
export function checkOperated(anchor: TrustAnchorSource, operator: AnchorOperator | undefined): readonly Problem[] {
  if (!isOwnAnchor(anchor)) return [];
  const { rotation } = anchor;
  if (rotation === 'operator' && operator === undefined) return [PKI_FINDINGS.anchorOperatorMismatchMissing()];
  if (rotation === 'operator' && operator?.seesAllPods === false)
    return [PKI_FINDINGS.anchorOperatorMismatchNamespaces()];
  if (rotation !== 'operator' && anchor.operator !== undefined) {
    return [PKI_FINDINGS.anchorOperatorMismatchUnused({ rotation: String(JSON.stringify(rotation)) })];
  }
  return rotation === 'manual' ? checkGeneration(anchor.generation) : [];
}

/** The compiler lets any number pass. */
function checkGeneration(generation = 0): readonly Problem[] {
  return isGeneration(generation) ? [] : [PKI_FINDINGS.trustAnchorRefusedGeneration({ generation })];
}

/** Checks that the operator was there before objects that follow from the anchor's rotation were read. */
export function checkOperatedLate(
  read: { readonly rotation: AnchorRotation | undefined } | undefined,
  rotation: AnchorRotation | undefined,
): readonly Problem[] {
  return read === undefined || read.rotation === rotation ? [] : [PKI_FINDINGS.anchorOperatorMismatchLate()];
}
