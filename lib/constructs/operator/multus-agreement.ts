import type { Problem } from '../../kubernetes/findings/problem';
import { OPERATOR_FINDINGS } from './findings';

/** Facts about a MultusAttach for the operator of its control plane. */
export interface MultusAttachment {
  /** The path of the MultusAttach. */
  readonly path: string;
  /** Namespace of the operator that it counts on; absent where it names none. */
  readonly operatorNamespace?: string | undefined;
}

/** The operator that it is about. */
export interface AttachingOperator {
  readonly namespace: string;
  /** Tells whether it attaches pods. */
  readonly multus: boolean;
}

/** Tells whether some other operator attaches the pods. */
export function isAttachedByAnother(namespace: string, attachments: readonly MultusAttachment[]): boolean {
  return attachments.some(({ operatorNamespace = namespace }) => operatorNamespace !== namespace);
}

/** Returns where a MultusAttach counts on another operator than the one that attaches pods. */
export function checkMultusAgreement(
  operator: AttachingOperator,
  attachments: readonly MultusAttachment[],
): readonly Problem[] {
  return attachments.flatMap(({ path, operatorNamespace }) => {
    if (operatorNamespace === undefined) return [];
    const isThisOne = operatorNamespace === operator.namespace;
    if (isThisOne === operator.multus) return [];
    return [
      isThisOne
        ? OPERATOR_FINDINGS.multusAttachMismatchMissing({ path, namespace: operator.namespace })
        : OPERATOR_FINDINGS.multusAttachMismatchTwice({
            path,
            other: operatorNamespace,
            namespace: operator.namespace,
          }),
    ];
  });
}
