import type { Problem } from '../../kubernetes/findings/problem';
import type { AnchorOperator } from './anchor-operator';
import { isGeneration, isOwnAnchor, type TrustAnchorSource } from './trust-anchor';
import type { AnchorRotation } from './trust-anchor-rotation';

/** Checks that whoever is to rotate an anchor is there. */
export function checkOperated(anchor: TrustAnchorSource, operator: AnchorOperator | undefined): readonly Problem[] {
  if (!isOwnAnchor(anchor)) return [];
  const { rotation } = anchor;
  if (rotation === 'operator' && operator === undefined) return [OPERATOR_MISSING];
  if (rotation === 'operator' && operator?.seesAllPods === false) return [PODS_UNSEEN];
  if (rotation !== 'operator' && anchor.operator !== undefined) return [optionsIdle(rotation)];
  return rotation === 'manual' ? checkGeneration(anchor.generation) : [];
}

const OPERATOR_MISSING: Problem = {
  code: 'anchor-operator-missing',
  what: "trustAnchor.rotation is 'operator', and the control plane has no ReconcilerOperator",
  why: 'Nobody would make the trust anchor, nor the ClusterIssuer linkerd-identity-issuer: proxies would get no certificates',
  fix: "add a ReconcilerOperator for the control plane (of a LinkerdMesh: set its prop operator, to {} for instance), or set trustAnchor.rotation to 'manual'",
};

const PODS_UNSEEN: Problem = {
  code: 'anchor-pods-unseen',
  what: "trustAnchor.rotation is 'operator', and the ReconcilerOperator is bound to some namespaces",
  why: 'It retires an anchor when all pods know the next one, and sees only some: meshed pods elsewhere would be cut off. It refuses to start',
  fix: "leave out namespaces of ReconcilerOperator, or set trustAnchor.rotation to 'manual'",
};

function optionsIdle(rotation: string | undefined): Problem {
  return {
    code: 'anchor-operator-idle',
    what: `trustAnchor.operator is given, while trustAnchor.rotation is ${JSON.stringify(rotation)}`,
    why: 'It says how the operator rotates the anchor, which it then does not',
    fix: "remove it, or set trustAnchor.rotation to 'operator'",
  };
}

/** The compiler lets any number pass. */
function checkGeneration(generation = 0): readonly Problem[] {
  if (isGeneration(generation)) return [];
  return [
    {
      code: 'anchor-generation-refused',
      what: `trustAnchor.generation is ${generation}`,
      why: 'There is no such generation: cert-manager would make another anchor, which no proxy trusts',
      fix: 'give the number in the label config.linkerd.io/generation of the Secret by which the ClusterIssuer linkerd-identity-issuer signs; none for linkerd-trust-anchor',
    },
  ];
}

/** Checks that nobody came to rotate the anchor after somebody read objects that follow from it. */
export function checkOperatedLate(
  read: { readonly rotation: AnchorRotation | undefined } | undefined,
  rotation: AnchorRotation | undefined,
): readonly Problem[] {
  if (read === undefined || read.rotation === rotation) return [];
  return [
    {
      code: 'anchor-operated-late',
      what: 'Objects of the PKI were read before there was the ReconcilerOperator that rotates its anchor',
      why: 'They are those of an anchor that nobody rotates, and others follow from it already',
      fix: 'construct ReconcilerOperator before the code that reads objects of the PKI (node.findAll(), node.children), or set trustAnchor.rotation',
    },
  ];
}
