import {
  ANCHOR,
  anchorNames,
  IDENTITY_ISSUER,
  KEPT_ROOTS,
  TRUST_ANCHOR_LABEL,
  TRUST_ANCHOR_NAME,
} from '#anchor/trust-anchor';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '#imports/kubernetes';
import { admissionPolicy, admissionPolicyBinding } from '#kubernetes/admission-policy';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import { CONFIG_GROUP } from '#operator/api/names';
import { TRUST_ANCHOR_ROLES } from '../pki/trust-anchor';
import { OPERATOR } from './operator-names';

const NAME = 'linkerd-trust-anchor';

/** Kubernetes' own controllers that delete objects: with their namespace, or with their owner. */
const CLEANERS = ['generic-garbage-collector', 'namespace-controller'].map(
  (name) => `system:serviceaccount:kube-system:${name}`,
);

/**
 * Renders the policy (Kubernetes 1.30) that lets only the operator change the mesh's signer and trust anchors while a
 * TrustAnchor exists: if the signer used another anchor, the mesh would reject the next issuer. The policy matches only
 * these names, so it blocks nothing else.
 *
 * cert-manager writes status and metadata, which this policy ignores.
 */
export function anchorAdmissionPolicy(
  certManagerNamespace: string,
  operatorNamespace: string,
): ValidatingAdmissionPolicy {
  const users = [`system:serviceaccount:${operatorNamespace}:${OPERATOR}`, ...CLEANERS];
  const anchors = anchorNames().filter((name) => name !== ANCHOR);
  const operations: ('CREATE' | 'UPDATE' | 'DELETE')[] = ['CREATE', 'UPDATE', 'DELETE'];
  const ofCertManager = { apiGroups: ['cert-manager.io'], apiVersions: ['v1'], operations };
  const metadata = { name: NAME, annotations: keepOnPrune() };
  return admissionPolicy(metadata, {
    paramKind: { apiVersion: `${CONFIG_GROUP}/v1alpha1`, kind: 'TrustAnchor' },
    matchConstraints: {
      // Kubernetes ignores this selector for cluster-scoped objects.
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': certManagerNamespace } },
      resourceRules: [
        // Without DELETE, so that Argo CD may prune the issuer of an earlier output: the operator recreates it at once.
        {
          ...ofCertManager,
          operations: ['CREATE', 'UPDATE'],
          resources: ['clusterissuers'],
          resourceNames: [IDENTITY_ISSUER],
          scope: 'Cluster',
        },
        { ...ofCertManager, resources: ['certificates', 'issuers'], resourceNames: anchors, scope: 'Namespaced' },
        {
          apiGroups: [''],
          apiVersions: ['v1'],
          operations,
          resources: ['configmaps'],
          resourceNames: [KEPT_ROOTS],
          scope: 'Namespaced',
        },
      ],
    },
    matchConditions: [
      { name: 'by-others', expression: `!(request.userInfo.username in ${JSON.stringify(users)})` },
      { name: 'means-something', expression: `!(${METADATA_ONLY})` },
    ],
    validations: [{ expression: 'false', messageExpression: MESSAGE, reason: 'Forbidden' }],
  });
}

/**
 * An update that leaves the spec unchanged. Not of ConfigMaps: a ConfigMap joins the bundle by its label, a Secret by
 * labels in the spec of its Certificate.
 */
const METADATA_ONLY =
  'request.operation == "UPDATE" && request.kind.group == "cert-manager.io" && object.spec == oldObject.spec';

const MESSAGE = [
  'request.kind.kind + " " + request.name',
  `" belongs to the operator, which rotates the trust anchor by the TrustAnchor ${TRUST_ANCHOR_NAME}: "`,
  `"to stop the rotation, set spec.paused of the TrustAnchor; to rotate the anchor yourself, set rotation: 'manual' and the generation that kubectl get trustanchor ${TRUST_ANCHOR_NAME} shows as SIGNING, and then delete the TrustAnchor (nothing else is deleted)"`,
].join(' + ');

const ROOTS_NAME = 'linkerd-trust-roots';

/**
 * The accounts with which Argo CD applies objects: in its own cluster, in the namespace of its manifests; and in others,
 * as `argocd cluster add` creates it (argo-cd, util/clusterauth).
 */
const ARGO_CD = [
  'system:serviceaccount:argocd:argocd-application-controller',
  'system:serviceaccount:kube-system:argocd-manager',
];

/** Role of roots that users add by hand, and may remove again. */
const BY_HAND = 'previous' satisfies (typeof TRUST_ANCHOR_ROLES)[number];

/**
 * Renders the policy (Kubernetes 1.30) that lets only cert-manager, the operator and Argo CD change the mesh's roots
 * while a TrustAnchor exists: every proxy trusts each Secret or ConfigMap in cert-manager's namespace with the label.
 * All service accounts of this namespace are allowed, because cert-manager's account can have any name.
 *
 * Roots added as `previous` may be removed: the operator keeps the roots in use.
 */
export function rootsAdmissionPolicy(
  certManagerNamespace: string,
  operatorNamespace: string,
): ValidatingAdmissionPolicy {
  const users = [`system:serviceaccount:${operatorNamespace}:${OPERATOR}`, ...ARGO_CD, ...CLEANERS];
  const group = `system:serviceaccounts:${certManagerNamespace}`;
  const labelOf = (object: string): string =>
    `${object} == null ? "" : ${object}.metadata.?labels[?"${TRUST_ANCHOR_LABEL}"].orValue("")`;
  const metadata = { name: ROOTS_NAME, annotations: keepOnPrune() };
  return admissionPolicy(metadata, {
    paramKind: { apiVersion: `${CONFIG_GROUP}/v1alpha1`, kind: 'TrustAnchor' },
    matchConstraints: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': certManagerNamespace } },
      // Kubernetes matches the selector with the old and the new object.
      objectSelector: {
        matchExpressions: [{ key: TRUST_ANCHOR_LABEL, operator: 'In', values: [...TRUST_ANCHOR_ROLES] }],
      },
      resourceRules: [
        {
          apiGroups: [''],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE', 'DELETE'],
          resources: ['configmaps', 'secrets'],
          scope: 'Namespaced',
        },
      ],
    },
    matchConditions: [
      { name: 'by-others', expression: `!(request.userInfo.username in ${JSON.stringify(users)})` },
      {
        name: 'from-elsewhere',
        expression: `!has(request.userInfo.groups) || !("${group}" in request.userInfo.groups)`,
      },
    ],
    variables: [
      { name: 'was', expression: labelOf('oldObject') },
      { name: 'becomes', expression: labelOf('object') },
    ],
    validations: [
      {
        expression: [
          'request.operation == "UPDATE" && variables.was == variables.becomes && object.?data.orValue({}) == oldObject.?data.orValue({})',
          `(variables.becomes == "" && variables.was == "${BY_HAND}")`,
        ].join(' || '),
        messageExpression: ROOTS_MESSAGE,
        reason: 'Forbidden',
      },
    ],
  });
}

const ROOTS_MESSAGE = [
  'request.kind.kind + " " + request.name',
  `" has the label ${TRUST_ANCHOR_LABEL} of trust roots, which every proxy trusts: while a TrustAnchor exists, only cert-manager, the operator and Argo CD may add, change or remove them. "`,
  `"To add a root, set previous of the trust anchor in Git"`,
].join(' + ');

/** The bindings of the policies to the TrustAnchor: without one, the policies refuse nothing. */
export function anchorAdmissionPolicyBindings() {
  return [bindingOf(NAME), bindingOf(ROOTS_NAME)] as const;
}

function bindingOf(name: string): ValidatingAdmissionPolicyBinding {
  const paramRef = { name: TRUST_ANCHOR_NAME, parameterNotFoundAction: 'Allow' };
  return admissionPolicyBinding({ name, annotations: keepOnPrune() }, { paramRef });
}

const REQUESTS_NAME = 'linkerd-trust-anchor-requests';

/**
 * Renders the policy (Kubernetes 1.30) that lets the operator answer only requests for certificates to the TrustAnchor.
 * RBAC cannot select these requests, because their names vary.
 */
export function requestsAdmissionPolicy(
  certManagerNamespace: string,
  operatorNamespace: string,
): readonly [ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding] {
  const user = `system:serviceaccount:${operatorNamespace}:${OPERATOR}`;
  const metadata = { name: REQUESTS_NAME, annotations: keepOnPrune() };
  return [
    admissionPolicy(metadata, {
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': certManagerNamespace } },
        resourceRules: [
          {
            apiGroups: ['cert-manager.io'],
            apiVersions: ['v1'],
            operations: ['UPDATE'],
            resources: ['certificaterequests/status'],
            scope: 'Namespaced',
          },
        ],
      },
      matchConditions: [{ name: 'by-the-operator', expression: `request.userInfo.username == "${user}"` }],
      validations: [
        {
          expression: `object.spec.issuerRef.?group.orValue("") == "${CONFIG_GROUP}"`,
          message: 'the operator may only answer requests to the TrustAnchor',
          reason: 'Forbidden',
        },
      ],
    }),
    admissionPolicyBinding(metadata),
  ];
}
