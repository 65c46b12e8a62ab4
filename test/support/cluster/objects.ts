/** Any Kubernetes object, as plain data. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  // biome-ignore lint/suspicious/noExplicitAny: tests read objects of every kind; a wrong path fails the assertion.
  readonly [field: string]: any;
}

interface Metadata {
  /** Missing if the API server generates the name from `generateName`. */
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly controller?: boolean;
  }[];
  readonly managedFields?: readonly {
    readonly manager?: string;
    readonly operation?: string;
    readonly subresource?: string;
  }[];
}

/** A reference to an object. Each object is also a reference to itself. */
export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

/** Names an object, such as `ref('apps/v1', 'Deployment', 'web', namespace)`. */
export function ref(apiVersion: string, kind: string, name: string, namespace?: string): Reference {
  return { apiVersion, kind, metadata: { name, namespace } };
}
