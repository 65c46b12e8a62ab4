import type { Problem } from '../../kubernetes/findings/problem';

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
      isThisOne ? nobodyAttaches(path, operator.namespace) : bothAttach(path, operatorNamespace, operator.namespace),
    ];
  });
}

function nobodyAttaches(path: string, namespace: string): Problem {
  return {
    code: 'nobody-attaches-pods',
    what: `${path} counts on the operator in ${namespace} to attach pods, but its multus is false`,
    why: 'Pods would not attach: their linkerd-network-validator fails, and they do not start',
    fix: `set multus to true; or leave operatorNamespace of MultusAttach out and give pod templates MultusAttach.podAnnotations`,
  };
}

function bothAttach(path: string, other: string, namespace: string): Problem {
  return {
    code: 'pods-attached-twice',
    what: `${path} counts on an operator in ${other} to attach pods, but multus of the one in ${namespace} is true`,
    why: 'Two operators would attach the same pods and make the same networks; if there is only one, MultusAttach is checked against the wrong namespace',
    fix: `set operatorNamespace of MultusAttach to ${namespace}; or multus to false, if the operator in ${other} is to attach pods`,
  };
}
