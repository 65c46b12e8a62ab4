/** The members that every Kubernetes object has; the rest differs by kind. */
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

/** An object as messages name it: `Certificate shop/web-tls`. */
export function describeObject({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  return metadata.namespace === undefined
    ? `${kind} ${metadata.name}`
    : `${kind} ${metadata.namespace}/${metadata.name}`;
}

/** The namespace of an object: `default`, if it names none, as with a kubectl that was told no other. */
export function namespaceOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string {
  return metadata.namespace ?? 'default';
}
