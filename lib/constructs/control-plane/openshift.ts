import { type ApiObject, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { RoleBinding } from '../../../imports/kubernetes';
import { Cluster } from '../../gitops/tree/cluster';
import { manifest } from '../../gitops/tree/manifest';
import type { Values } from '../../kubernetes/values';
import type { Release } from '../../linkerd/releases/release';

/** Service accounts that may use one of OpenShift's SecurityContextConstraints. */
interface SccGrant {
  readonly scc: 'privileged' | 'anyuid' | 'nonroot-v2';
  readonly namespace: string;
  /** Their names, or all of the namespace. */
  readonly serviceAccounts: readonly string[] | 'all';
}

/** The account of the job that labels the namespace of an extension: there with the job only. */
export const NAMESPACE_METADATA = 'namespace-metadata';

/** The mesh's parts, by namespace. */
interface MeshParts {
  readonly controlPlane: string;
  /** Tells whether the control plane reports its version: its CronJob has a service account of its own. */
  readonly heartbeat: boolean;
  readonly cni: string;
  /** Absent where the Viz extension is not attached. */
  readonly viz?: string;
}

/** Returns which service accounts of the mesh OpenShift must let run as they do. */
export function sccGrants({ controlPlane, heartbeat, cni, viz }: MeshParts): readonly SccGrant[] {
  return [...controlPlaneGrants(controlPlane, heartbeat), cniGrant(cni), ...(viz === undefined ? [] : vizGrants(viz))];
}

/** The grants of the service accounts of the control plane. */
export function controlPlaneGrants(namespace: string, heartbeat: boolean): readonly SccGrant[] {
  return [
    {
      scc: 'privileged',
      namespace,
      serviceAccounts: ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'],
    },
    ...(heartbeat ? [{ scc: 'nonroot-v2', namespace, serviceAccounts: ['linkerd-heartbeat'] } as const] : []),
  ];
}

/** Returns the grant of the CNI plugin, whose installer writes to directories of the host. */
export function cniGrant(namespace: string): SccGrant {
  return { scc: 'privileged', namespace, serviceAccounts: ['linkerd-cni'] };
}

/** The parts of the Viz extension that it may lack. */
interface VizParts {
  /** Tells whether it has a Prometheus of its own. */
  readonly prometheus: boolean;
  /** Tells whether a job labels its namespace. */
  readonly metadataJob: boolean;
}

/** Those of the Viz extension. */
export function vizGrants(
  namespace: string,
  parts: VizParts = { prometheus: true, metadataJob: false },
): readonly SccGrant[] {
  return [vizGrant('anyuid', namespace, parts), vizGrant('nonroot-v2', namespace, parts)];
}

/** Returns the grant of the Jaeger extension, whose containers run as users that are not of the namespace's range. */
export function jaegerGrant(namespace: string): SccGrant {
  return { scc: 'nonroot-v2', namespace, serviceAccounts: ['jaeger-injector', NAMESPACE_METADATA] };
}

/**
 * Viz' containers run as users that are not of the namespace's range, with the seccomp profile RuntimeDefault: which
 * `anyuid`, that Linkerd's guide names, refuses, as do all of OpenShift's own but `privileged` and those of version 2
 * (https://docs.openshift.com/container-platform/latest/authentication/managing-security-context-constraints.html).
 */
function vizGrant(scc: 'anyuid' | 'nonroot-v2', namespace: string, { prometheus, metadataJob }: VizParts): SccGrant {
  return {
    scc,
    namespace,
    serviceAccounts: [
      'default',
      'metrics-api',
      ...(metadataJob ? [NAMESPACE_METADATA] : []),
      ...(prometheus ? ['prometheus'] : []),
      'tap',
      'tap-injector',
      'web',
    ],
  };
}

/**
 * The grant of the multi-cluster extension, whose containers run as users that are not of the namespace's range. Service
 * mirrors have an account for each link, so that all accounts of the namespace have it.
 */
export function multiclusterGrants(namespace: string): readonly SccGrant[] {
  return [{ scc: 'nonroot-v2', namespace, serviceAccounts: 'all' }];
}

/** Returns what `oc adm policy add-scc-to-user <scc> -z <service account>` makes, for all accounts of a grant. */
export function sccRoleBinding({ scc, namespace, serviceAccounts }: SccGrant): RoleBinding {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: `linkerd-scc-${scc}`, namespace },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: `system:openshift:scc:${scc}`,
    },
    subjects:
      serviceAccounts === 'all'
        ? [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `system:serviceaccounts:${namespace}` }]
        : serviceAccounts.map((name) => ({ kind: 'ServiceAccount', name, namespace })),
  };
}

/**
 * Binds service accounts to SecurityContextConstraints, in the cluster (or plain cdk8s chart) of `scope`, once for all
 * who ask: each part of the mesh does so for its own, and MultusAttach for parts that may come from elsewhere. Returns
 * the bindings.
 */
export function bindSccs(scope: Construct, grants: readonly SccGrant[]): readonly ApiObject[] {
  return grants.map(
    (grant) => boundSoFar(scope, grant) ?? manifest(chartOf(scope), idOf(grant), sccRoleBinding(grant)),
  );
}

/** Binds the service accounts of a part of the mesh that knows its own better than others who bind them. */
export function bindOwnSccs(scope: Construct, grants: readonly SccGrant[]): readonly ApiObject[] {
  for (const grant of grants) {
    boundSoFar(scope, grant)?.addJsonPatch(JsonPatch.replace('/subjects', sccRoleBinding(grant).subjects));
  }
  return bindSccs(scope, grants);
}

function boundSoFar(scope: Construct, grant: SccGrant): ApiObject | undefined {
  return chartOf(scope).node.tryFindChild(idOf(grant)) as ApiObject | undefined;
}

function chartOf(scope: Construct): Chart {
  return Cluster.find(scope) ?? Chart.of(scope);
}

function idOf({ scc, namespace }: SccGrant): string {
  return `scc-${scc}-${namespace}`;
}

/**
 * Control plane values by which linkerd-network-validator names no user. OpenShift refuses pods with a container whose
 * user is outside of the namespace's range, and chooses one itself where none is named. Where it does not, the image says
 * who runs (linkerd2, Dockerfile-proxy: USER 65534).
 */
export function validatorWithoutUser(release: Release): Values {
  return release.groups.controlPlane.templates.validatorUser === 'switch'
    ? { networkValidator: { enableSecurityContext: false } }
    : { networkValidator: { securityContext: { runAsUser: null, runAsGroup: null } } };
}
