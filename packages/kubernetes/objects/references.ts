import { describeProblem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { KUBERNETES_FINDINGS } from '../findings/findings';
import { each, keysOf } from '../options/known-keys';

/** Kinds to which emitted objects refer by name. */
export type ReferencedKind =
  | 'Namespace'
  | 'CustomResourceDefinition'
  | 'Secret'
  | 'ConfigMap'
  | 'ServiceAccount'
  | 'Service'
  | 'Issuer'
  | 'ClusterIssuer'
  | 'Certificate'
  | 'Middleware'
  | 'NetworkAttachmentDefinition';

/** A reference to an object by name. */
export interface Reference {
  readonly kind: ReferencedKind;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** The keys of references. */
export const REFERENCES = each(keysOf<Reference>({ kind: true, namespace: true, name: true }));

/** Kinds by their keys in files: cluster-scoped ones, and namespaced ones. */
export const REFERENCE_WORDS = {
  wide: { crd: 'CustomResourceDefinition', namespace: 'Namespace', clusterIssuer: 'ClusterIssuer' },
  namespaced: {
    secret: 'Secret',
    configMap: 'ConfigMap',
    serviceAccount: 'ServiceAccount',
    service: 'Service',
    issuer: 'Issuer',
    certificate: 'Certificate',
    middleware: 'Middleware',
    networkAttachment: 'NetworkAttachmentDefinition',
  },
} as const satisfies {
  readonly wide: Readonly<Record<string, ReferencedKind>>;
  readonly namespaced: Readonly<Record<string, ReferencedKind>>;
};

/** Returns a reference. The text of a namespaced kind includes the namespace: `shop/token`. */
function referenceTo(kind: ReferencedKind, isNamespaced: boolean, text: string): Reference {
  const [first = '', second, ...rest] = `${text}`.split('/');
  const isRight = isNamespaced
    ? second !== undefined && second !== '' && first !== '' && rest.length === 0
    : typeof text === 'string' && text !== '';
  if (!isRight)
    throw new RangeError(describeProblem(KUBERNETES_FINDINGS.referenceRefusedName({ kind, text: shownValue(text) })));
  return isNamespaced && second !== undefined ? { kind, namespace: first, name: second } : { kind, name: text };
}

/** References to objects by name: namespaced ones as `namespace/name`. */
export const Reference = {
  /** A CustomResourceDefinition: `Reference.crd('httproutes.gateway.networking.k8s.io')`. */
  crd: (name: string): Reference => referenceTo('CustomResourceDefinition', false, name),
  /** A Namespace. */
  namespace: (name: string): Reference => referenceTo('Namespace', false, name),
  /** A ClusterIssuer. */
  clusterIssuer: (name: string): Reference => referenceTo('ClusterIssuer', false, name),
  /** A Secret: `Reference.secret('shop/token')`. */
  secret: (name: string): Reference => referenceTo('Secret', true, name),
  /** A ConfigMap. */
  configMap: (name: string): Reference => referenceTo('ConfigMap', true, name),
  /** A ServiceAccount. */
  serviceAccount: (name: string): Reference => referenceTo('ServiceAccount', true, name),
  /** A Service. */
  service: (name: string): Reference => referenceTo('Service', true, name),
  /** An Issuer. */
  issuer: (name: string): Reference => referenceTo('Issuer', true, name),
  /** A Certificate. */
  certificate: (name: string): Reference => referenceTo('Certificate', true, name),
  /** A Middleware of Traefik. */
  middleware: (name: string): Reference => referenceTo('Middleware', true, name),
  /** A NetworkAttachmentDefinition. */
  networkAttachment: (name: string): Reference => referenceTo('NetworkAttachmentDefinition', true, name),
};

/** Returns the references of a file, each of which is a map with one key and a name: `{ secret: 'shop/token' }`. */
export function referencesIn(words: readonly Readonly<Record<string, string>>[]): readonly Reference[] {
  const { wide, namespaced } = REFERENCE_WORDS;
  return words.flatMap((one) =>
    Object.entries(one).map(([word, text]) =>
      Object.hasOwn(wide, word)
        ? referenceTo(wide[word as keyof typeof wide], false, text)
        : referenceTo(namespaced[word as keyof typeof namespaced], true, text),
    ),
  );
}

/** Returns a stable text for a reference, for lookups and messages: `Secret shop/token`. */
export function referenceKey({ kind, namespace, name }: Reference): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
