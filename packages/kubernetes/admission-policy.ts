import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '#imports/kubernetes';

type Metadata = ValidatingAdmissionPolicy['metadata'] & { readonly name: string };
type PolicySpec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type BindingSpec = NonNullable<ValidatingAdmissionPolicyBinding['spec']>;

const API_VERSION = 'admissionregistration.k8s.io/v1';

/** Renders a ValidatingAdmissionPolicy (Kubernetes 1.30) that fails closed. */
export function admissionPolicy(metadata: Metadata, { matchConstraints, ...spec }: PolicySpec) {
  return {
    apiVersion: API_VERSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec: { failurePolicy: 'Fail', matchConstraints: { matchPolicy: 'Equivalent', ...matchConstraints }, ...spec },
  } satisfies ValidatingAdmissionPolicy;
}

/** Renders the binding of the policy of this name. It denies refused requests, unless the spec has other actions. */
export function admissionPolicyBinding(metadata: Metadata, spec: Omit<BindingSpec, 'policyName'> = {}) {
  return {
    apiVersion: API_VERSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: metadata.name, validationActions: ['Deny'], ...spec },
  } satisfies ValidatingAdmissionPolicyBinding;
}
