import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { valueAt } from '#base/values';
import { MULTUS_NETWORKS } from '#linkerd/annotations';
import { LINKERD_NETWORK } from '#operator/api/multus/network-attachment';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import type { ILinkerdControlPlane } from '../control-plane/existing-control-plane';
import { MultusAttach } from '../multus/multus-attach';
import { OPERATOR_FINDINGS } from './findings';

/** Facts about a MultusAttach for the operator of its control plane. */
export interface MultusAttachment {
  /** The path of the MultusAttach. */
  readonly path: string;
  /** Namespace of the operator that the MultusAttach expects; absent if it names none. */
  readonly operatorNamespace?: string | undefined;
}

/** Whether another operator attaches the pods. */
export function isAttachedByAnother(namespace: string, attachments: readonly MultusAttachment[]): boolean {
  return attachments.some(({ operatorNamespace = namespace }) => operatorNamespace !== namespace);
}

/** Reports MultusAttach constructs that expect another operator than the one that attaches pods. */
export function checkMultusAgreement(
  operator: { readonly namespace: string; readonly multus: boolean },
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

/** Returns the MultusAttach constructs of a mesh. Call it at synth. */
export function multusAttachments(scope: IConstruct): readonly MultusAttachment[] {
  return meshScopeOf(scope)
    .node.findAll()
    .filter((construct) => construct instanceof MultusAttach)
    .map(({ node: { path }, operatorNamespace }) => ({ path, operatorNamespace }));
}

/** Returns the namespaces whose pods a MultusAttach in the chart of `scope` attaches. */
export function attachedNamespaces(scope: IConstruct): readonly string[] {
  return meshScopeOf(scope)
    .node.findAll()
    .flatMap((construct) => (construct instanceof MultusAttach ? construct.namespaces.map(({ name }) => name) : []));
}

/** Whether the control plane's pods attach to the CNI plugin through Multus. Call it at synth. */
export function attachesByMultus({ effectiveValues }: Pick<ILinkerdControlPlane, 'effectiveValues'>): boolean {
  const annotations = valueAt(effectiveValues, 'podAnnotations') as Readonly<Record<string, unknown>> | undefined;
  return annotations?.[MULTUS_NETWORKS] === LINKERD_NETWORK;
}
