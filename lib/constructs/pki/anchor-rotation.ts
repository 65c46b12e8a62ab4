import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { type CertManagerVersion, certManagerRelease } from '#linkerd/releases/cert-manager';
import { PKI_FINDINGS } from './findings';
import { isGeneration, isOwnAnchor, type TrustAnchorSource } from './trust-anchor';

/**
 * How a trust anchor that cert-manager issued is renewed.
 *
 * - `operator`: the operator renews it in time and without a restart; requires a ReconcilerOperator in the same
 *   cluster.
 * - `manual`: an administrator renews it, reminded by alerts; requires cert-manager 1.21 or later.
 * - `automatic-unsafe`: cert-manager renews it when it is due. If any proxy is not restarted before the identity issuer
 *   is renewed, the mesh stops working.
 */
export type AnchorRotation = 'operator' | 'manual' | 'automatic-unsafe';

const ROTATIONS: readonly AnchorRotation[] = ['operator', 'manual', 'automatic-unsafe'];

/**
 * Returns the default rotation of an anchor without an operator; undefined if this cert-manager always renews it
 * automatically.
 */
export function usualRotation(version: CertManagerVersion): 'manual' | undefined {
  return certManagerRelease(version).renewalPolicy ? 'manual' : undefined;
}

/**
 * Refuses a missing or unknown rotation, with which cert-manager would renew the anchor automatically, and a manual one
 * that this version of cert-manager does not support.
 */
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
  /** Whether it watches all namespaces. Otherwise it cannot know whether a pod still needs the old anchor. */
  readonly seesAllPods: boolean;
  /** Namespace of the operator. */
  readonly namespace: string;
  /**
   * The objects that make it issue and rotate the anchor, if it does. All certificates of the anchor depend on them.
   */
  readonly anchor?: IConstruct;
}

/** Checks that an anchor has the operator that it requires. */
export function checkOperated(anchor: TrustAnchorSource, operator: AnchorOperator | undefined): readonly Problem[] {
  if (!isOwnAnchor(anchor)) return [];
  const { rotation } = anchor;
  if (rotation === 'operator' && operator === undefined) return [PKI_FINDINGS.anchorRotationRefusedOperatorMissing()];
  if (rotation === 'operator' && operator?.seesAllPods === false)
    return [PKI_FINDINGS.anchorRotationRefusedOperatorNamespaces()];
  if (rotation !== 'operator' && anchor.operator !== undefined) {
    return [PKI_FINDINGS.anchorRotationRefusedOperatorUnused({ rotation: String(JSON.stringify(rotation)) })];
  }
  return rotation === 'manual' ? checkGeneration(anchor.generation) : [];
}

/** The type of `generation` accepts any number. */
function checkGeneration(generation = 0): readonly Problem[] {
  return isGeneration(generation) ? [] : [PKI_FINDINGS.trustAnchorRefusedGeneration({ generation })];
}

/** Checks that the operator existed before the objects that depend on the anchor's rotation were built. */
export function checkOperatedLate(builtFor: TrustAnchorSource | undefined, now: TrustAnchorSource): readonly Problem[] {
  if (builtFor === undefined || rotationOf(builtFor) === rotationOf(now)) return [];
  return [PKI_FINDINGS.anchorRotationRefusedOperatorLate()];
}

function rotationOf(anchor: TrustAnchorSource): AnchorRotation | undefined {
  return isOwnAnchor(anchor) ? anchor.rotation : undefined;
}
