/** The members of every Kubernetes object; the others differ by kind. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Returns an object's name in messages: `Certificate shop/web-tls`. */
export function describeObject({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  return metadata.namespace === undefined
    ? `${kind} ${metadata.name}`
    : `${kind} ${metadata.namespace}/${metadata.name}`;
}

/** Returns the namespace of an object: `default` if it has none, as in kubectl. */
export function namespaceOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string {
  return metadata.namespace ?? 'default';
}
