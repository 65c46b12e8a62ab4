import type { InformerOptions } from '../../../packages/controller-runtime/cache/informer';
import type { KubeObject } from '../../../packages/controller-runtime/objects/kube-object';
import type { Resource } from '../../../packages/controller-runtime/objects/resource';
import { EMITTED_NETWORK, LINKERD_NETWORK } from '../../api/multus/network-attachment';
import { FIELD_MANAGER, MANAGED_BY_LABEL } from '../../api/names';

/** Multus' kind of networks. */
export const NETWORK_ATTACHMENTS: Resource = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  plural: 'network-attachment-definitions',
  namespaced: true,
};

/** The fields that are read or written. */
export interface NetworkAttachment extends KubeObject {
  readonly spec?: { readonly config?: string };
}

/** The linkerd-cni networks of all namespaces, including foreign ones. */
export const NETWORK_CACHE: InformerOptions<NetworkAttachment> = {
  resource: NETWORK_ATTACHMENTS,
  fieldSelector: `metadata.name=${LINKERD_NETWORK}`,
  transform: ({ apiVersion, kind, metadata, spec }) => {
    const { name, namespace, uid, resourceVersion, deletionTimestamp, labels } = metadata;
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion, deletionTimestamp, labels },
      spec: { config: spec?.config },
    };
  },
};

/** Whether the operator created a network, and may change and delete it. */
export function isOurs({ metadata }: NetworkAttachment): boolean {
  return metadata.labels?.[MANAGED_BY_LABEL] === FIELD_MANAGER;
}

/** Whether MultusAttach emitted it: Git decides its content, and the namespace's annotation whether it should exist. */
export function isEmitted({ metadata }: NetworkAttachment): boolean {
  return metadata.labels?.[MANAGED_BY_LABEL] === EMITTED_NETWORK;
}

/** Returns the operator's network for a namespace. */
export function newNetwork(namespace: string, config: string): NetworkAttachment {
  return {
    metadata: { name: LINKERD_NETWORK, namespace, labels: { [MANAGED_BY_LABEL]: FIELD_MANAGER } },
    spec: { config },
  };
}

/** Returns the key of a network in the cache and for the API. */
export function networkKey(namespace: string): string {
  return `${namespace}/${LINKERD_NETWORK}`;
}
