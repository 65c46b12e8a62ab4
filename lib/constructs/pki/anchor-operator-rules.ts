import type { Problem } from '../../kubernetes/findings/problem';
import type { AnchorOperator } from './anchor-operator';
import { PKI_FINDINGS } from './findings';
import { isGeneration, isOwnAnchor, type TrustAnchorSource } from './trust-anchor';
import type { AnchorRotation } from './trust-anchor-rotation';

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
