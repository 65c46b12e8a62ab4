import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Listed, Promised } from './inventory';

/** The data that identifies the objects of a run. */
export interface Ownership {
  /** The objects of the output. */
  readonly objects: readonly KubernetesObject[];
  /** Namespaces that the run created. */
  readonly namespaces: readonly string[];
  readonly run: string;
  /** Namespace of cert-manager, in which the operator keeps anchors. */
  readonly certManagerNamespace: string;
}

/** Returns the objects of a run among the new objects of the cluster. The other objects stay. */
export function removable(fresh: readonly Listed[], ownership: Ownership): readonly Listed[] {
  const { objects, namespaces, run, certManagerNamespace } = ownership;
  const names = new Set(objects.map((object) => keyOf(object.kind, object.metadata.namespace, object.metadata.name)));
  const isOurs = ({ kind, namespace, name, run: madeBy }: Listed) => {
    if (kind === 'Namespace') return namespaces.includes(name);
    if (madeBy === run) return true;
    if (names.has(keyOf(kind, namespace, name))) return true;
    if (namespace === undefined) return kind === 'ClusterIssuer' && name === IDENTITY_ISSUER;
    return namespaces.includes(namespace) || (namespace === certManagerNamespace && /^linkerd-/.test(name));
  };
  return fresh.filter(isOurs);
}

const IDENTITY_ISSUER = 'linkerd-identity-issuer';

/**
 * Returns the objects in the order of their removal: webhooks, which may refuse deletions; custom resources, while
 * controllers still handle their finalizers; namespaces with their contents, and other objects; and CRDs.
 */
export function inRemovalOrder(objects: readonly Listed[]): readonly (readonly Listed[])[] {
  const within = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name));
  const outside = objects.filter(({ namespace }) => namespace === undefined || !within.has(namespace));
  const stage = ({ kind, apiVersion }: Listed) => {
    if (/^(?:Validating|Mutating)/.test(kind)) return 0;
    if (/(?:linkerd|cert-manager)\.io\//.test(apiVersion)) return 1;
    return kind === 'CustomResourceDefinition' ? 3 : 2;
  };
  return [0, 1, 2, 3]
    .map((one) => outside.filter((object) => stage(object) === one))
    .filter(({ length }) => length > 0);
}

/** Returns the objects that the cluster still has. */
export function stillThere(
  objects: readonly KubernetesObject[],
  listed: readonly Listed[],
): readonly KubernetesObject[] {
  const names = new Set(listed.map(({ kind, namespace, name }) => keyOf(kind, namespace, name)));
  return objects.filter(({ kind, metadata: { namespace, name } }) => names.has(keyOf(kind, namespace, name)));
}

function keyOf(kind: string, namespace: string | undefined, name: string): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/** Whether an object stays when its Application is deleted with its objects. */
export function staysWithoutApplication({ metadata }: KubernetesObject): boolean {
  return (metadata.annotations?.[SYNC_OPTIONS] ?? '').split(',').includes('Delete=false');
}

/** The objects that stay after all Applications are deleted with their objects, according to docs/operations.md. */
export function promisesOf(objects: readonly KubernetesObject[], namespaces: readonly string[]): readonly Promised[] {
  const kept = objects.filter(staysWithoutApplication);
  const names = new Set(kept.map(({ kind, metadata: { namespace, name } }) => keyOf(kind, namespace, name)));
  return [
    { reason: 'Delete=false', is: ({ kind, namespace, name }) => names.has(keyOf(kind, namespace, name)) },
    { reason: 'CRDs of charts', is: ({ kind }) => kind === 'CustomResourceDefinition' },
    {
      reason: 'the trust anchor, which the operator owns',
      is: ({ kind, apiVersion, name }) =>
        (/^(?:cert-manager\.io|v1$)/.test(apiVersion) && /^linkerd-(?:trust-anchor|trust-root)/.test(name)) ||
        (kind === 'ClusterIssuer' && name === IDENTITY_ISSUER),
    },
    { reason: 'the trust roots of running proxies', is: ({ name }) => name === 'linkerd-identity-trust-roots' },
    {
      reason: 'the values of the installation, which the operator kept',
      is: ({ kind, namespace, name }) =>
        kind === 'ConfigMap' && namespace === 'linkerd' && name === 'linkerd-config-baseline',
    },
    { reason: 'Secrets of certificates', is: ({ kind }) => kind === 'Secret' },
    {
      reason: 'objects of every namespace',
      is: ({ kind, name, namespace }) =>
        namespace !== undefined &&
        namespaces.includes(namespace) &&
        ((kind === 'ServiceAccount' && name === 'default') || (kind === 'ConfigMap' && name === 'kube-root-ca.crt')),
    },
    {
      reason: 'Leases of leaders',
      is: ({ kind, namespace }) => kind === 'Lease' && namespaces.includes(namespace ?? ''),
    },
  ];
}
