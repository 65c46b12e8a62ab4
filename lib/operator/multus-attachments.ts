import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { LINKERD_NETWORK } from '../../operator/api/multus/network-attachment';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { MULTUS_NETWORKS } from '../kubernetes/annotations';
import { MultusAttach } from '../multus/multus-attach';
import { valueAt } from '../releases/values';
import type { MultusAttachment } from './multus-agreement';

/** Returns what the chart of `scope` has had attached by Multus so far. */
export function multusAttachments(scope: IConstruct): readonly MultusAttachment[] {
  return Chart.of(scope)
    .node.findAll()
    .filter((construct) => construct instanceof MultusAttach)
    .map(({ node: { path }, operatorNamespace }) => ({ path, operatorNamespace }));
}

/** Namespaces whose pods a MultusAttach of the chart of `scope` wants attached. */
export function attachedNamespaces(scope: IConstruct): readonly string[] {
  return Chart.of(scope)
    .node.findAll()
    .flatMap((construct) => (construct instanceof MultusAttach ? construct.namespaces.map(({ name }) => name) : []));
}

/** Tells whether a MultusAttach has had the control plane's pods annotated. */
export function attachesByMultus({ effectiveValues }: Pick<LinkerdControlPlane, 'effectiveValues'>): boolean {
  const annotations = valueAt(effectiveValues, 'podAnnotations') as Readonly<Record<string, unknown>> | undefined;
  return annotations?.[MULTUS_NETWORKS] === LINKERD_NETWORK;
}
