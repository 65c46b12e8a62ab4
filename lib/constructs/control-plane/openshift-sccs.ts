import type { RoleBinding } from '../../../imports/kubernetes';

/** Service accounts that may use one of OpenShift's SecurityContextConstraints. */
export interface SccGrant {
  readonly scc: 'privileged' | 'anyuid' | 'nonroot-v2';
  readonly namespace: string;
  /** Their names, or all of the namespace. */
  readonly serviceAccounts: readonly string[] | 'all';
}

/** The account of the job that labels the namespace of an extension: there with the job only. */
export const NAMESPACE_METADATA = 'namespace-metadata';

/** The mesh's parts, by namespace. */
export interface MeshParts {
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
