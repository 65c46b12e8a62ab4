import type { IConstruct } from 'constructs';
import { LINKERD_NETWORK } from '../../../operator/api/multus/network-attachment';
import { meshScopeOf } from '../../gitops/tree/mesh-scope';
import { valueAt } from '../../kubernetes/values';
import { MULTUS_NETWORKS } from '../../linkerd/annotations';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { MultusAttach } from '../multus/multus-attach';
import type { MultusAttachment } from './multus-agreement';

/** Returns what a mesh has attached by Multus. To be asked at synth. */
export function multusAttachments(scope: IConstruct): readonly MultusAttachment[] {
  return meshScopeOf(scope)
    .node.findAll()
    .filter((construct) => construct instanceof MultusAttach)
    .map(({ node: { path }, operatorNamespace }) => ({ path, operatorNamespace }));
}

/** Namespaces whose pods a MultusAttach of the chart of `scope` wants attached. */
export function attachedNamespaces(scope: IConstruct): readonly string[] {
  return meshScopeOf(scope)
    .node.findAll()
    .flatMap((construct) => (construct instanceof MultusAttach ? construct.namespaces.map(({ name }) => name) : []));
}

/** Tells whether the control plane's pods attach to the CNI plugin by Multus. To be asked at synth. */
export function attachesByMultus({ effectiveValues }: Pick<LinkerdControlPlane, 'effectiveValues'>): boolean {
  const annotations = valueAt(effectiveValues, 'podAnnotations') as Readonly<Record<string, unknown>> | undefined;
  return annotations?.[MULTUS_NETWORKS] === LINKERD_NETWORK;
}
