import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { anchorNames, certificationName } from '#anchor/trust-anchor';
import { admissionPolicy, admissionPolicyBinding } from '#kubernetes/admission-policy';
import { manifest } from '../../gitops/tree/manifest';

/** Props of IssuerAdmissionPolicy: which namespaces may use which of the mesh's ClusterIssuers. */
export interface IssuerAdmissionPolicyProps {
  /** Called when the manifest is emitted, so that namespaces may be added until then. */
  readonly namespacesOf: () => Readonly<Record<string, readonly string[]>>;
  /**
   * Returns the namespace of the Issuers with which an operator cross-signs anchors; undefined without an operator.
   * Called when the manifest is emitted.
   */
  readonly anchorNamespace: () => string | undefined;
  /** Returns the operator's user, and the clusters whose anchors it certifies, if any. Called as `namespacesOf` is. */
  readonly certified?: () => CertifiedClusters | undefined;
}

interface CertifiedClusters {
  readonly clusters: readonly string[];
  readonly by: string;
}

/**
 * Lets only the mesh's namespaces use its ClusterIssuers: otherwise any user who may create Certificates in some
 * namespace could get a CA that every proxy of the mesh trusts.
 *
 * A ValidatingAdmissionPolicy (Kubernetes 1.30) on the creation of CertificateRequests, whose spec is immutable. It
 * ignores requests to other issuers, so that its failurePolicy cannot block them.
 */
export class IssuerAdmissionPolicy extends Construct {
  constructor(scope: Construct, id: string, { namespacesOf, anchorNamespace, certified }: IssuerAdmissionPolicyProps) {
    super(scope, id);
    const metadata = { name: 'linkerd-issuers' };
    const policy = admissionPolicy(metadata, {
      matchConstraints: {
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
        {
          name: 'mesh-issuer',
          expression: lazyText(() => anyOf(usesMeshIssuer(Object.keys(namespacesOf())), usesAnchor(anchorNamespace()))),
        },
      ],
      validations: [
        {
          expression: lazyText(() => anyOf(mayUse(namespacesOf()), mayUseAnchor(anchorNamespace(), certified?.()))),
          messageExpression: lazyText(() => (anchorNamespace() === undefined ? MESSAGE : MESSAGE_WITH_ANCHORS)),
          reason: 'Forbidden',
        },
      ],
    });
    manifest(this, 'policy', policy);
    manifest(this, 'binding', admissionPolicyBinding(metadata));
  }
}

const ISSUER = 'object.spec.issuerRef';
const MESSAGE = `"namespace " + request.namespace + " may not use the mesh's ClusterIssuer " + ${ISSUER}.name`;
const IS_CLUSTER_ISSUER = `has(${ISSUER}.kind) && ${ISSUER}.kind == "ClusterIssuer"`;
const OF_CERT_MANAGER = `(!has(${ISSUER}.group) || ${ISSUER}.group in ["", "cert-manager.io"])`;
const MESSAGE_WITH_ANCHORS = `(${IS_CLUSTER_ISSUER}) ? ${MESSAGE} : "only trust anchors may be certified by the Issuer " + ${ISSUER}.name`;

/** Kind and group may be absent: cert-manager then uses Issuer and cert-manager.io. */
function usesMeshIssuer(issuers: readonly string[]): string {
  return [IS_CLUSTER_ISSUER, OF_CERT_MANAGER, `${ISSUER}.name in ${JSON.stringify(issuers)}`].join(' && ');
}

function mayUse(namespacesOf: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(namespacesOf)
    .map(
      ([issuer, namespaces]) => `(${ISSUER}.name == "${issuer}" && request.namespace in ${JSON.stringify(namespaces)})`,
    )
    .join(' || ');
}

function usesAnchor(namespace: string | undefined): string | undefined {
  if (namespace === undefined) return undefined;
  return [
    `request.namespace == "${namespace}"`,
    `!(${IS_CLUSTER_ISSUER})`,
    OF_CERT_MANAGER,
    `${ISSUER}.name in ${JSON.stringify(anchorNames())}`,
  ].join(' && ');
}

/** cert-manager annotates its requests with their Certificate. The operator creates requests for other clusters. */
function mayUseAnchor(namespace: string | undefined, certified: CertifiedClusters | undefined): string | undefined {
  if (namespace === undefined) return undefined;
  const certificate = 'object.metadata.?annotations[?"cert-manager.io/certificate-name"].orValue("")';
  const isAnchor = `${certificate} in ${JSON.stringify(anchorNames())}`;
  if (certified === undefined) return `${usesAnchor(namespace)} && ${isAnchor}`;
  const names = JSON.stringify(certified.clusters.map(certificationName));
  const isOperators = `request.userInfo.username == "${certified.by}" && object.metadata.name in ${names}`;
  return `${usesAnchor(namespace)} && (${isAnchor} || (${isOperators}))`;
}

function anyOf(first: string, second: string | undefined): string {
  return second === undefined ? first : `(${first}) || (${second})`;
}

function lazyText(produce: () => string): string {
  return Lazy.any({ produce });
}
