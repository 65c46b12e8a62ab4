import type { RoleBinding } from '../../imports/kubernetes';

/** Service accounts that may use one of OpenShift's SecurityContextConstraints. */
export interface SccGrant {
  readonly scc: 'privileged' | 'anyuid';
  readonly namespace: string;
  readonly serviceAccounts: readonly string[];
}

/** Namespaces of the mesh's parts. */
export interface MeshNamespaces {
  readonly controlPlane: string;
  readonly cni: string;
  /** Absent where the Viz extension is not attached. */
  readonly viz?: string;
}

/** Which service accounts of the mesh OpenShift must let run as they do. */
export function sccGrants({ controlPlane, cni, viz }: MeshNamespaces): readonly SccGrant[] {
  return [
    {
      scc: 'privileged',
      namespace: controlPlane,
      serviceAccounts: ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'],
    },
    // The plugin's installer writes to directories of the host.
    { scc: 'privileged', namespace: cni, serviceAccounts: ['linkerd-cni'] },
    ...(viz === undefined ? [] : [vizGrant(viz)]),
  ];
}

/** Viz' containers run as users that are not of the namespace's range. */
function vizGrant(namespace: string): SccGrant {
  return {
    scc: 'anyuid',
    namespace,
    serviceAccounts: ['default', 'metrics-api', 'prometheus', 'tap', 'tap-injector', 'web'],
  };
}

/** What `oc adm policy add-scc-to-user <scc> -z <service account>` makes, for all accounts of a grant. */
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
    subjects: serviceAccounts.map((name) => ({ kind: 'ServiceAccount', name, namespace })),
  };
}
