import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../imports/kubernetes';
import { CONFIG_GROUP } from '../../operator/api/names';
import { ANCHOR, anchorNames, IDENTITY_ISSUER, KEPT_ROOTS, TRUST_ANCHOR_NAME } from '../../operator/api/trust-anchor';
import { keepOnPrune } from '../kubernetes/sync-options';
import { OPERATOR } from './operator-names';

const NAME = 'linkerd-trust-anchor';

/** Controllers of Kubernetes that delete what nobody is to keep: with a namespace, or with an owner. */
const CLEANERS = ['generic-garbage-collector', 'namespace-controller'].map(
  (name) => `system:serviceaccount:kube-system:${name}`,
);

/**
 * The policy (Kubernetes 1.30) that leaves the mesh's signer and anchors to the operator as long as there is a
 * TrustAnchor: whoever points the signer to another anchor has the mesh reject the next issuer. It is asked about these
 * names only, so that it can hold up nothing else.
 *
 * cert-manager writes status and metadata, which are nobody's here.
 */
export function anchorAdmissionPolicy(
  certManagerNamespace: string,
  operatorNamespace: string,
): ValidatingAdmissionPolicy {
  const users = [`system:serviceaccount:${operatorNamespace}:${OPERATOR}`, ...CLEANERS];
  const anchors = anchorNames().filter((name) => name !== ANCHOR);
  const operations: ('CREATE' | 'UPDATE' | 'DELETE')[] = ['CREATE', 'UPDATE', 'DELETE'];
  const ofCertManager = { apiGroups: ['cert-manager.io'], apiVersions: ['v1'], operations };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: NAME, annotations: keepOnPrune() },
    spec: {
      failurePolicy: 'Fail',
      paramKind: { apiVersion: `${CONFIG_GROUP}/v1alpha1`, kind: 'TrustAnchor' },
      matchConstraints: {
        matchPolicy: 'Equivalent',
        // Not asked of objects without a namespace.
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': certManagerNamespace } },
        resourceRules: [
          // Argo CD may prune what an earlier output had: the operator makes it again at once.
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
    },
  };
}

/** The anchors' Secrets have the labels of their Certificates' specs; a ConfigMap is in the bundle by its own. */
const METADATA_ONLY =
  'request.operation == "UPDATE" && request.kind.group == "cert-manager.io" && object.spec == oldObject.spec';

const MESSAGE = [
  'request.kind.kind + " " + request.name',
  `" is the operator's, which rotates the trust anchor by the TrustAnchor ${TRUST_ANCHOR_NAME}: "`,
  `"set spec.paused there to hold it; to rotate the anchor yourself, set rotation: 'manual' and the generation that kubectl get trustanchor ${TRUST_ANCHOR_NAME} shows as SIGNING, and only then delete the TrustAnchor (nothing else goes with it)"`,
].join(' + ');

/** The binding of the policy to the TrustAnchor: without one, it refuses nothing. */
export function anchorAdmissionPolicyBinding(): ValidatingAdmissionPolicyBinding {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: NAME, annotations: keepOnPrune() },
    spec: {
      policyName: NAME,
      paramRef: { name: TRUST_ANCHOR_NAME, parameterNotFoundAction: 'Allow' },
      validationActions: ['Deny'],
    },
  };
}
