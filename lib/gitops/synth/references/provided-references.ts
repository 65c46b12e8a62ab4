import { isObject } from '#base/is-object';
import { matchesSelector } from '#base/label-selector';
import { type FieldPath, fieldPath, selectFields, textIn } from '#base/select-fields';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference, ReferencedKind } from '#kubernetes/objects/references';
import { apiGroup } from '#kubernetes/objects/scope';
import type { LookupNamespaces } from '#lib/checks/cluster/declared';
import { hasIngressShim } from './annotation-references';
import { referenceTo } from './reference-rules';

const GROUPS: Readonly<Record<ReferencedKind, string>> = {
  Namespace: '',
  CustomResourceDefinition: 'apiextensions.k8s.io',
  Secret: '',
  ConfigMap: '',
  ServiceAccount: '',
  Service: '',
  Issuer: 'cert-manager.io',
  ClusterIssuer: 'cert-manager.io',
  Certificate: 'cert-manager.io',
  Middleware: 'traefik.io',
  NetworkAttachmentDefinition: 'k8s.cni.cncf.io',
};

const SPEC = fieldPath('spec');
const ACME_ACCOUNT = fieldPath('spec.acme.privateKeySecretRef');
const TLS = fieldPath('spec.tls[]');
const TARGET = fieldPath('spec.target');

/** The facts about a cluster that decide what an object provides. */
export interface ProvidedContext {
  readonly lookup: LookupNamespaces;
  /** The namespaces, from which trust-manager selects by labels. */
  readonly namespaces: readonly NamespaceLabels[];
}

/** A namespace and its known labels, except the one with its name. */
export interface NamespaceLabels {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns the object itself, if references to its kind are checked, and the objects that controllers create for it. */
export function providedBy(object: KubernetesObject, context: ProvidedContext): readonly Reference[] {
  const { kind, metadata } = object;
  const group = apiGroup(object.apiVersion);
  const made = madeOf(`${group}/${kind}`, object, context);
  return isReferenced(kind) && GROUPS[kind] === group
    ? [referenceTo(kind, metadata.namespace, metadata.name), ...made]
    : made;
}

function madeOf(type: string, object: KubernetesObject, context: ProvidedContext): readonly Reference[] {
  switch (type) {
    case 'cert-manager.io/Certificate':
      return secrets(object, SPEC, 'secretName', object.metadata.namespace);
    case 'cert-manager.io/Issuer':
      return secrets(object, ACME_ACCOUNT, 'name', object.metadata.namespace);
    case 'cert-manager.io/ClusterIssuer':
      return secrets(object, ACME_ACCOUNT, 'name', context.lookup.clusterIssuers);
    case 'networking.k8s.io/Ingress':
      return hasIngressShim(object) ? secrets(object, TLS, 'secretName', object.metadata.namespace) : [];
    case 'trust.cert-manager.io/Bundle':
    case 'trust-manager.io/ClusterBundle':
      return bundleTargets(object, context.namespaces);
    default:
      return [];
  }
}

function secrets(object: KubernetesObject, at: FieldPath, field: string, namespace?: string): readonly Reference[] {
  return selectFields(object, at).flatMap(({ value }) => {
    const name = textIn(value, field);
    return name === undefined ? [] : [referenceTo('Secret', namespace, name)];
  });
}

/** trust-manager writes ConfigMaps or Secrets with the Bundle's name to every namespace that the target selects. */
function bundleTargets(object: KubernetesObject, namespaces: readonly NamespaceLabels[]): readonly Reference[] {
  return selectFields(object, TARGET).flatMap(({ value: target }) => {
    if (!isObject(target)) return [];
    const kinds = [
      ...(target.configMap === undefined ? [] : (['ConfigMap'] as const)),
      ...(target.secret === undefined ? [] : (['Secret'] as const)),
    ];
    const selected = namespaces
      .filter(({ name, labels }) =>
        matchesSelector(target.namespaceSelector, { ...labels, [NAMESPACE_NAME]: name }, 'everything'),
      )
      .map(({ name }) => name);
    return kinds.flatMap((kind) => selected.map((name) => referenceTo(kind, name, object.metadata.name)));
  });
}

/** Label that the API server sets on every namespace. */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

function isReferenced(kind: string): kind is ReferencedKind {
  return Object.hasOwn(GROUPS, kind);
}
