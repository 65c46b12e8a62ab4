import { LINKERD_NETWORK } from '../multus/network-attachment';
import type { RbacRule } from './rule';

const NETWORKS = { apiGroups: ['k8s.cni.cncf.io'], resources: ['network-attachment-definitions'] };

/** The permissions for attaching pods by Multus. */
export const MULTUS_RULES: readonly RbacRule[] = [
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['get', 'list', 'watch'],
    why: 'Annotations of namespaces say whose pods attach; a namespace that was created a moment ago is asked for by name.',
  },
  {
    scope: 'cni',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['linkerd-cni-config'],
    verbs: ['list', 'watch'],
    why: "The networks say what the CNI plugin's ConfigMap says.",
  },
  {
    scope: 'cluster',
    perNamespace: true,
    ...NETWORKS,
    resourceNames: [LINKERD_NETWORK],
    verbs: ['list', 'watch', 'patch', 'delete'],
    why: "The linkerd-cni network of each namespace follows its annotation and the CNI plugin's configuration.",
  },
  {
    scope: 'cluster',
    perNamespace: true,
    ...NETWORKS,
    verbs: ['create'],
    why: 'Namespaces that attach get the network. A request that creates names nothing, so that no name limits it.',
  },
];
