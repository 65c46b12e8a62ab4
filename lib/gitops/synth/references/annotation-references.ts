import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference, ReferencedKind } from '#kubernetes/objects/references';
import { type FoundReference, referenceTo } from './reference-rules';

type Reader = (value: string, namespace: string | undefined) => readonly (readonly Reference[])[];

const OF_INGRESS: Readonly<Record<string, Reader>> = {
  'nginx.ingress.kubernetes.io/auth-secret': namespacedName('Secret'),
  'nginx.ingress.kubernetes.io/auth-tls-secret': namespacedName('Secret'),
  'nginx.ingress.kubernetes.io/proxy-ssl-secret': namespacedName('Secret'),
  'traefik.ingress.kubernetes.io/router.middlewares': middlewares,
};
const OF_ANY: Readonly<Record<string, Reader>> = {
  'cert-manager.io/inject-ca-from-secret': namespacedName('Secret'),
};

/** Returns the references in an object's annotations. */
export function annotationReferences(object: KubernetesObject): readonly FoundReference[] {
  const { annotations = {}, namespace } = object.metadata;
  const readers = object.kind === 'Ingress' ? { ...OF_ANY, ...OF_INGRESS } : OF_ANY;
  const found = Object.entries(annotations).flatMap(([key, value]) => {
    const references = Object.hasOwn(readers, key) ? (readers[key]?.(value, namespace) ?? []) : [];
    return references.map((accepts) => ({ field: annotationField(key), accepts }));
  });
  return [...found, ...shimIssuer(object)];
}

/**
 * Whether cert-manager creates the TLS Secrets of an Ingress, because an annotation names an issuer
 * (https://cert-manager.io/docs/usage/ingress/).
 */
export function hasIngressShim({ kind, metadata: { annotations = {} } }: KubernetesObject): boolean {
  return kind === 'Ingress' && SHIM_KEYS.some((key) => annotations[key] !== undefined);
}

const SHIM_KEYS = ['cert-manager.io/issuer', 'cert-manager.io/cluster-issuer', 'kubernetes.io/tls-acme'];

function shimIssuer({ kind, metadata }: KubernetesObject): readonly FoundReference[] {
  const { annotations = {}, namespace } = metadata;
  // With another group, the issuer is a kind of another project, which no rule covers.
  if ((kind !== 'Ingress' && kind !== 'Gateway') || annotations['cert-manager.io/issuer-group'] !== undefined)
    return [];
  return (['Issuer', 'ClusterIssuer'] as const).flatMap((issuerKind) => {
    const key = issuerKind === 'Issuer' ? 'cert-manager.io/issuer' : 'cert-manager.io/cluster-issuer';
    const name = annotations[key];
    return name === undefined
      ? []
      : [{ field: annotationField(key), accepts: [referenceTo(issuerKind, namespace, name)] }];
  });
}

function namespacedName(kind: ReferencedKind): Reader {
  return (value, own) => {
    const slash = value.indexOf('/');
    return [[referenceTo(kind, slash === -1 ? own : value.slice(0, slash), value.slice(slash + 1))]];
  };
}

/**
 * Returns the possible references of Traefik's `<namespace>-<name>@kubernetescrd`, in which the end of the namespace is
 * ambiguous; names of other providers are not in Kubernetes.
 */
function middlewares(value: string): readonly (readonly Reference[])[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item.endsWith('@kubernetescrd'))
    .map((item) => {
      const parts = item.slice(0, -'@kubernetescrd'.length).split('-');
      return parts
        .slice(1)
        .map((_, index) =>
          referenceTo('Middleware', parts.slice(0, index + 1).join('-'), parts.slice(index + 1).join('-')),
        );
    })
    .filter((candidates) => candidates.length > 0);
}

function annotationField(key: string): string {
  return `metadata.annotations["${key}"]`;
}
