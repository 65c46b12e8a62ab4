import { LINKERD_NETWORK } from '../multus/network-attachment';
import type { RbacRule } from './rule';

const NETWORKS = { apiGroups: ['k8s.cni.cncf.io'], resources: ['network-attachment-definitions'] };

/** The permissions for attaching pods through Multus. */
export const MULTUS_RULES: readonly RbacRule[] = [
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['get', 'list', 'watch'],
    why: "To read which namespaces' pods attach, from their annotations; a namespace that was just created is fetched by name.",
  },
  {
    scope: 'cni',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['linkerd-cni-config'],
    verbs: ['list', 'watch'],
    why: "To copy the CNI plugin's configuration into the networks.",
  },
  {
    scope: 'cluster',
    perNamespace: true,
    ...NETWORKS,
    resourceNames: [LINKERD_NETWORK],
    verbs: ['list', 'watch', 'patch', 'delete'],
    why: "To keep each namespace's linkerd-cni network in line with its annotation and the CNI plugin's configuration.",
  },
  {
    scope: 'cluster',
    perNamespace: true,
    ...NETWORKS,
    verbs: ['create'],
    why: 'To create the network in namespaces that attach. RBAC cannot limit create requests to a name.',
  },
];
