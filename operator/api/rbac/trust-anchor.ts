import { CONFIG_GROUP } from '../names';
import { anchorNames, IDENTITY_ISSUER, KEPT_ROOTS, MEMBER_CONFIG_MAP, TRUST_ROOTS } from '../trust-anchor';
import type { RbacRule } from './rule';

const CERT_MANAGER = ['cert-manager.io'];

/**
 * The permissions for keeping the trust anchor. None reads a Secret: what is public of a key comes from requests for
 * certificates and from ConfigMaps.
 *
 * What is created is created by server-side apply, whose requests have a name.
 */
export const TRUST_ANCHOR_RULES: readonly RbacRule[] = [
  {
    scope: 'cluster',
    apiGroups: [CONFIG_GROUP],
    resources: ['trustanchors'],
    verbs: ['get', 'list', 'watch'],
    why: 'A TrustAnchor says what is to be.',
  },
  {
    scope: 'cluster',
    apiGroups: [CONFIG_GROUP],
    resources: ['trustanchors/status'],
    verbs: ['patch'],
    why: 'The status of a TrustAnchor says what came of it, and holds what a later look needs.',
  },
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['get'],
    why: 'A TrustAnchor for namespaces that are not there is refused: they cannot be changed afterwards.',
  },
  {
    scope: 'cluster',
    apiGroups: CERT_MANAGER,
    resources: ['clusterissuers'],
    resourceNames: [IDENTITY_ISSUER],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: 'It says which anchor signs the identity issuer; while none may, it is away.',
  },
  {
    scope: 'cluster',
    apiGroups: ['workload.linkerd.io'],
    resources: ['externalworkloads'],
    verbs: ['list'],
    why: 'To keep the old anchor for proxies of other machines. They are asked for only while an anchor rotates.',
  },
  {
    scope: 'cluster',
    apiGroups: ['multicluster.linkerd.io'],
    resources: ['links'],
    verbs: ['list'],
    why: 'To keep the old anchor for clusters that are no members, as they are linked. Asked for only while one rotates.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates', 'issuers'],
    verbs: ['list', 'watch'],
    why: 'To see the anchors, and who signs with them, also under names that it did not give.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates', 'issuers'],
    resourceNames: anchorNames(),
    verbs: ['create', 'patch', 'delete'],
    why: 'Each generation of the anchor has a Certificate, and an Issuer while it signs the next one.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates'],
    resourceNames: anchorNames(),
    verbs: ['get'],
    why: 'To make sure, before a new anchor is made, that there is none of its name.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificates/status'],
    resourceNames: anchorNames(),
    verbs: ['patch'],
    why: 'To have an anchor that is about to end certified anew with its own key, by the condition Issuing.',
  },
  {
    scope: 'cert-manager',
    apiGroups: CERT_MANAGER,
    resources: ['certificaterequests'],
    verbs: ['list', 'watch'],
    why: 'They hold what is public of the anchors, so that nobody needs to read the Secrets.',
  },
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: anchorNames(),
    verbs: ['delete'],
    why: 'The key of an anchor that is retired is of use to nobody who should have it.',
  },
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['list', 'watch'],
    why: 'Clusters that share the anchor tell in ConfigMaps with a label how far they are.',
  },
  {
    scope: 'cert-manager',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [KEPT_ROOTS, MEMBER_CONFIG_MAP],
    verbs: ['create', 'patch'],
    why: 'One keeps the anchors in the bundle whose Secrets are lost, the other tells other clusters how far this one is.',
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
    why: 'They hold the certificate of the identity issuer and the bridges that come along with it.',
  },
  {
    scope: 'control-plane',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [TRUST_ROOTS],
    verbs: ['get', 'list', 'watch'],
    why: 'The anchors that new pods are given.',
  },
  {
    scope: 'control-plane',
    apiGroups: [''],
    resources: ['events'],
    verbs: ['list', 'watch'],
    why: 'Identity tells by an Event that it works with a new issuer.',
  },
];
