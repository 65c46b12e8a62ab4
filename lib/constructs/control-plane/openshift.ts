import { Chart } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Values } from '#base/values';
import type { RbacSubject } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Release } from '#linkerd/releases/release';
import { account, roleBinding } from '#linkerd/renderers/metadata/rbac';
import { Cluster } from '../../gitops/tree/cluster';
import { manifest } from '../../gitops/tree/manifest';
import type { IPreparable } from '../../gitops/tree/prepare';

interface SccGrant {
  readonly scc: 'privileged' | 'anyuid' | 'nonroot-v2';
  readonly namespace: string;
  readonly serviceAccounts: readonly string[] | 'all';
}

/** The service account of the job that labels an extension's namespace. It exists only if the job does. */
export const NAMESPACE_METADATA = 'namespace-metadata';

interface MeshParts {
  readonly controlPlane: string;
  /** Whether a CronJob with its own service account reports the version. */
  readonly heartbeat: boolean;
  readonly cni: string;
  /** Absent if the Viz extension is not attached. */
  readonly viz?: string;
}

/** Returns the OpenShift permissions that the service accounts of the mesh need. */
export function sccGrants({ controlPlane, heartbeat, cni, viz }: MeshParts): readonly SccGrant[] {
  return [...controlPlaneGrants(controlPlane, heartbeat), cniGrant(cni), ...(viz === undefined ? [] : vizGrants(viz))];
}

/** Returns the grants for the service accounts of the control plane. */
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

/** Returns the grant for the CNI plugin, whose installer writes to directories of the host. */
export function cniGrant(namespace: string): SccGrant {
  return { scc: 'privileged', namespace, serviceAccounts: ['linkerd-cni'] };
}

interface VizParts {
  readonly prometheus: boolean;
  readonly metadataJob: boolean;
}

/** Returns the grants for the Viz extension. */
export function vizGrants(
  namespace: string,
  parts: VizParts = { prometheus: true, metadataJob: false },
): readonly SccGrant[] {
  return [vizGrant('anyuid', namespace, parts), vizGrant('nonroot-v2', namespace, parts)];
}

/** Returns the grant for the Jaeger extension, whose containers run as users outside the namespace's range. */
export function jaegerGrant(namespace: string): SccGrant {
  return { scc: 'nonroot-v2', namespace, serviceAccounts: ['jaeger-injector', NAMESPACE_METADATA] };
}

/**
 * Returns the grant for Viz. Its containers run as users outside the namespace's range, with the seccomp profile
 * RuntimeDefault. `anyuid`, which Linkerd's guide names, refuses that profile, as do all of OpenShift's own constraints
 * except `privileged` and those of version 2
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
 * Returns the grant for the multi-cluster extension, whose containers run as users outside the namespace's range.
 * Service mirrors have an account for each link, so the grant covers all accounts of the namespace.
 */
export function multiclusterGrants(namespace: string): readonly SccGrant[] {
  return [{ scc: 'nonroot-v2', namespace, serviceAccounts: 'all' }];
}

/**
 * Returns the binding that `oc adm policy add-scc-to-user <scc> -z <service account>` creates, for all accounts of a
 * grant.
 */
export function sccRoleBinding({ scc, namespace, serviceAccounts }: SccGrant): KubernetesObject {
  const subjects: readonly RbacSubject[] =
    serviceAccounts === 'all'
      ? [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `system:serviceaccounts:${namespace}` }]
      : serviceAccounts.map((name) => account(name, namespace));
  return roleBinding(
    { name: `linkerd-scc-${scc}`, namespace },
    ['ClusterRole', `system:openshift:scc:${scc}`],
    subjects,
  );
}

/**
 * Binds service accounts to SecurityContextConstraints, once for the cluster (or plain cdk8s chart) of `scope`, and
 * returns the bindings. MultusAttach also binds accounts of parts that another program may install.
 */
export function bindSccs(scope: Construct, grants: readonly SccGrant[]): readonly IConstruct[] {
  return grants.map((grant) => bindingOf(scope, grant));
}

/**
 * Binds service accounts for the construct that creates them. They replace the accounts that MultusAttach assumes for
 * the same namespace.
 */
export function bindOwnSccs(scope: Construct, grants: readonly SccGrant[]): readonly IConstruct[] {
  return grants.map((grant) => {
    const binding = bindingOf(scope, grant);
    binding.own = grant;
    return binding;
  });
}

/** Binds the accounts that `bindOwnSccs` passed, else those of the first `bindSccs`. */
class SccBinding extends Construct implements IPreparable {
  own?: SccGrant;

  constructor(
    scope: Construct,
    private readonly first: SccGrant,
  ) {
    super(scope, idOf(first));
  }

  prepare(): void {
    manifest(this, 'binding', sccRoleBinding(this.own ?? this.first));
  }
}

function bindingOf(scope: Construct, grant: SccGrant): SccBinding {
  const chart = Cluster.find(scope) ?? Chart.of(scope);
  return (chart.node.tryFindChild(idOf(grant)) as SccBinding | undefined) ?? new SccBinding(chart, grant);
}

function idOf({ scc, namespace }: SccGrant): string {
  return `scc-${scc}-${namespace}`;
}

/**
 * Returns control plane values with which linkerd-network-validator sets no user. OpenShift refuses pods with a
 * container whose user is outside the namespace's range, and chooses the user if none is set. Elsewhere the image sets
 * the user (linkerd2, Dockerfile-proxy: USER 65534).
 */
export function validatorWithoutUser(release: Release): Values {
  return release.groups.controlPlane.templates.validatorUser === 'switch'
    ? { networkValidator: { enableSecurityContext: false } }
    : { networkValidator: { securityContext: { runAsUser: null, runAsGroup: null } } };
}
