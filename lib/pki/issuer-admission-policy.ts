import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../imports/kubernetes';
import { manifest } from '../tree/manifest';

/** Props of IssuerAdmissionPolicy: which namespaces may have certificates from which of the mesh's ClusterIssuers. */
export interface IssuerAdmissionPolicyProps {
  /** Asked when the manifest is emitted, so that namespaces may still join until then. */
  readonly namespacesOf: () => Readonly<Record<string, readonly string[]>>;
}

/**
 * Keeps other namespaces from the mesh's ClusterIssuers: whoever may create Certificates anywhere could else get a CA
 * that every proxy of the mesh trusts.
 *
 * A ValidatingAdmissionPolicy (Kubernetes 1.30) on the creation of CertificateRequests, whose spec is immutable. It
 * looks at no request to another issuer, so that its failurePolicy cannot block those.
 */
export class IssuerAdmissionPolicy extends Construct {
  constructor(scope: Construct, id: string, { namespacesOf }: IssuerAdmissionPolicyProps) {
    super(scope, id);
    const name = 'linkerd-issuers';
    manifest(this, 'policy', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          resourceRules: [
            {
              apiGroups: ['cert-manager.io'],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['certificaterequests'],
              scope: 'Namespaced',
            },
          ],
        },
        matchConditions: [
          { name: 'mesh-issuer', expression: lazyText(() => usesMeshIssuer(Object.keys(namespacesOf()))) },
        ],
        validations: [
          {
            expression: lazyText(() => mayUse(namespacesOf())),
            messageExpression: MESSAGE,
            reason: 'Forbidden',
          },
        ],
      },
    } satisfies ValidatingAdmissionPolicy);
    manifest(this, 'binding', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    } satisfies ValidatingAdmissionPolicyBinding);
  }
}

const ISSUER = 'object.spec.issuerRef';
const MESSAGE = `"namespace " + request.namespace + " may not use the mesh's ClusterIssuer " + ${ISSUER}.name`;

/** Kind and group may be absent: cert-manager then takes Issuer and cert-manager.io. */
function usesMeshIssuer(issuers: readonly string[]): string {
  return [
    `has(${ISSUER}.kind) && ${ISSUER}.kind == "ClusterIssuer"`,
    `(!has(${ISSUER}.group) || ${ISSUER}.group in ["", "cert-manager.io"])`,
    `${ISSUER}.name in ${JSON.stringify(issuers)}`,
  ].join(' && ');
}

function mayUse(namespacesOf: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(namespacesOf)
    .map(
      ([issuer, namespaces]) => `(${ISSUER}.name == "${issuer}" && request.namespace in ${JSON.stringify(namespaces)})`,
    )
    .join(' || ');
}

function lazyText(produce: () => string): string {
  return Lazy.any({ produce });
}
