import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import type { Definition } from '#linkerd/releases/definitions';
import type { ObjectFacts, ObjectRule } from '../object-rule';

/** The CRDs that linkerd-crds of a cluster installs. */
export interface LinkerdDefinitions {
  readonly release: string;
  readonly definitions: readonly Definition[];
  /**
   * The list may be incomplete.
   *
   * @default - the list is complete
   */
  readonly isPartial?: true;
}

/** Facts about all objects of a cluster, and about its mesh, for rules of single objects. */
export interface ClusterFacts extends ObjectFacts {
  /** The CRDs of Linkerd; undefined if the cluster's output does not install them. */
  readonly linkerd?: LinkerdDefinitions | undefined;
  /** User values of a control plane's chart that Argo CD inflates. */
  readonly inflatedMesh?: Values | undefined;
}

const DEFINITION_OF: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io/GRPCRoute': 'grpcroutes.gateway.networking.k8s.io',
  'gateway.networking.k8s.io/HTTPRoute': 'httproutes.gateway.networking.k8s.io',
  'linkerd.io/ServiceProfile': 'serviceprofiles.linkerd.io',
  'policy.linkerd.io/AuthorizationPolicy': 'authorizationpolicies.policy.linkerd.io',
  'policy.linkerd.io/EgressNetwork': 'egressnetworks.policy.linkerd.io',
  'policy.linkerd.io/HTTPLocalRateLimitPolicy': 'httplocalratelimitpolicies.policy.linkerd.io',
  'policy.linkerd.io/HTTPRoute': 'httproutes.policy.linkerd.io',
  'policy.linkerd.io/MeshTLSAuthentication': 'meshtlsauthentications.policy.linkerd.io',
  'policy.linkerd.io/NetworkAuthentication': 'networkauthentications.policy.linkerd.io',
  'policy.linkerd.io/Server': 'servers.policy.linkerd.io',
  'policy.linkerd.io/ServerAuthorization': 'serverauthorizations.policy.linkerd.io',
  'workload.linkerd.io/ExternalWorkload': 'externalworkloads.workload.linkerd.io',
};

/** Checks that the CRDs of the cluster's release serve an object of Linkerd at its version. */
export function checkServed(object: KubernetesObject, linkerd: LinkerdDefinitions): readonly Problem[] {
  const [group = '', version = ''] = object.apiVersion.split('/');
  const name = DEFINITION_OF[`${group}/${object.kind}`];
  const definition = linkerd.definitions.find((one) => one.name === name);
  const served = (definition?.versions ?? []).filter((one) => one.served).map((one) => one.name);
  if (name === undefined || served.includes(version)) return [];
  // The Gateway API may be installed by another product.
  if (definition === undefined && (linkerd.isPartial || group.startsWith('gateway.'))) return [];
  const stored = definition?.versions.find((one) => one.storage)?.name;
  const found = { object: describeObject(object), release: linkerd.release };
  if (stored === undefined) return [LINKERD_FINDINGS.versionNotServedKind({ ...found, kind: object.kind })];
  return [
    LINKERD_FINDINGS.versionNotServed({
      ...found,
      apiVersion: object.apiVersion,
      served: served.join(', '),
      proposed: `${group}/${stored}`,
    }),
  ];
}

export const SERVED: ObjectRule<ClusterFacts> = {
  kinds: Object.keys(DEFINITION_OF),
  check: (object, { linkerd }) => (linkerd === undefined ? [] : checkServed(object, linkerd)),
};
