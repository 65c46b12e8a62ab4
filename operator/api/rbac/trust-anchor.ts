import {
  anchorNames,
  certificationName,
  IDENTITY_ISSUER,
  KEPT_ROOTS,
  MEMBER_CONFIG_MAP,
  TRUST_ROOTS,
} from '#anchor/trust-anchor';
import { CONFIG_GROUP } from '../names';
import type { RbacRule } from './rule';

const CERT_MANAGER = ['cert-manager.io'];

/**
 * The permissions for bridges that are signed by request. In cert-manager's namespace, an admission policy limits them
 * to requests whose issuer is the TrustAnchor.
 */
export const BRIDGE_REQUEST_RULES: readonly RbacRule[] = [
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificaterequests/status'],
    verbs: ['patch'],
    why: 'To answer a request for a bridge with the signed certificate. Names of requests end in a number.',
  },
];

/** Returns the permissions for certifying the anchors of these clusters: one request by name for each. */
export function certifyingRules(clusters: readonly string[]): readonly RbacRule[] {
  if (clusters.length === 0) return [];
  return [
    {
      scope: 'cert-manager',
      apiGroups: CERT_MANAGER,
      resources: ['certificaterequests'],
      resourceNames: clusters.map(certificationName),
      verbs: ['create', 'patch', 'delete'],
      why: 'To certify the anchors of other clusters with the anchor of this one. A request cannot be changed, so it is replaced.',
    },
  ];
}

/**
 * The permissions for managing the trust anchor. None reads a Secret: the public part of a key comes from certificate
 * requests and from ConfigMaps.
 *
 * Objects are created with server-side apply, whose requests contain a name.
 */
export const TRUST_ANCHOR_RULES: readonly RbacRule[] = [
  {
    scope: 'cluster',
    apiGroups: [CONFIG_GROUP],
    resources: ['trustanchors'],
    verbs: ['get', 'list', 'watch'],
    why: 'To read the desired state.',
  },
  {
    scope: 'cluster',
    apiGroups: [CONFIG_GROUP],
    resources: ['trustanchors/status'],
    verbs: ['patch'],
    why: 'To report the actual state in the status, and to store what later steps need.',
  },
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['get'],
    why: 'To reject a TrustAnchor whose namespaces do not exist, because they cannot be changed afterwards.',
  },
  {
    scope: 'cluster',
    apiGroups: CERT_MANAGER,
    resources: ['clusterissuers'],
    resourceNames: [IDENTITY_ISSUER],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: 'To set which anchor signs the identity issuer; while none may sign, it does not exist.',
  },
  {
    scope: 'cluster',
    apiGroups: ['workload.linkerd.io'],
    resources: ['externalworkloads'],
    verbs: ['list'],
    why: 'To keep the old anchor for proxies on other machines. Read only while an anchor rotates.',
  },
  {
    scope: 'cluster',
    apiGroups: ['multicluster.linkerd.io'],
    resources: ['links'],
    verbs: ['list'],
    why: 'To keep the old anchor for linked clusters that are not members. Read only while an anchor rotates.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates', 'issuers'],
    verbs: ['list', 'watch'],
    why: 'To see the anchors and the Issuers that sign with them, including those that it did not create.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates', 'issuers'],
    resourceNames: anchorNames(),
    verbs: ['create', 'patch', 'delete'],
    why: 'To manage a Certificate for each generation of the anchor, and an Issuer while it signs the next one.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates'],
    resourceNames: anchorNames(),
    verbs: ['get'],
    why: 'To verify, before it makes a new anchor, that none has the same name.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates/status'],
    resourceNames: anchorNames(),
    verbs: ['patch'],
    why: 'To renew an anchor with the same key when it is about to expire, by the condition Issuing.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificaterequests'],
    verbs: ['list', 'watch'],
    why: 'To read the public part of the anchors without reading the Secrets.',
  },
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: anchorNames(),
    verbs: ['delete'],
    why: 'To delete the key of a retired anchor, which has no legitimate use.',
  },
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['list', 'watch'],
    why: 'To read the progress of clusters that share the anchor, from ConfigMaps with a label, and signed bridges.',
  },
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [KEPT_ROOTS, MEMBER_CONFIG_MAP],
    verbs: ['create', 'patch'],
    why: "To keep anchors whose Secrets are lost in the bundle, and to publish this cluster's progress to other clusters.",
  },
  {
    scope: 'control-plane',
    apiGroups: CERT_MANAGER,
    resources: ['certificates'],
    resourceNames: [IDENTITY_ISSUER],
    verbs: ['get', 'list', 'watch'],
    why: 'To see whether the identity issuer is issued.',
  },
  {
    scope: 'control-plane',
    apiGroups: CERT_MANAGER,
    resources: ['certificates/status'],
    resourceNames: [IDENTITY_ISSUER],
    verbs: ['patch'],
    why: 'To have the identity issuer signed by another anchor, by the condition Issuing.',
  },
  {
    scope: 'control-plane',
    apiGroups: CERT_MANAGER,
    resources: ['certificaterequests'],
    verbs: ['list', 'watch'],
    why: 'To read the certificate of the identity issuer and the bridges that come with it.',
  },
  {
    scope: 'control-plane',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [TRUST_ROOTS],
    verbs: ['get', 'list', 'watch'],
    why: 'To read the anchors that new pods get.',
  },
  {
    scope: 'control-plane',
    apiGroups: [''],
    resources: ['events'],
    verbs: ['list', 'watch'],
    why: 'To read the Event by which identity reports that it uses a new issuer.',
  },
];
