import { isObject } from '#base/is-object';
import { itemsOf, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { EXTENSION } from '#linkerd/annotations';
import { POLICY_GROUP } from '#linkerd/api-groups';
import type { Warning } from '../warnings';
import { LINKERD_POLICY_FINDINGS } from './findings';

interface PolicyReference {
  readonly field: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Kinds of the user's own policies: an object that refers to one should be in the same output. */
const KINDS = ['EgressNetwork', 'HTTPRoute', 'MeshTLSAuthentication', 'NetworkAuthentication', 'Server'];

/** Returns the policies of a cluster, by kind, namespace and name. */
export function knownPolicies(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  return new Set(
    objects
      .filter(({ apiVersion, kind }) => apiGroup(apiVersion) === POLICY_GROUP && KINDS.includes(kind))
      .map(({ kind, metadata: { namespace = 'default', name } }) => keyOf({ kind, namespace, name })),
  );
}

/** Warns about policies that refer to missing policies: they apply to nothing, or allow no clients. */
export function referenceWarnings(object: KubernetesObject, known: ReadonlySet<string>): readonly Warning[] {
  // Extensions also have policies for objects that their charts create at sync.
  if (object.metadata.labels?.[EXTENSION] !== undefined) return [];
  return referencesIn(object)
    .filter((reference) => KINDS.includes(reference.kind) && !known.has(keyOf(reference)))
    .map(({ field, kind, namespace, name }) =>
      LINKERD_POLICY_FINDINGS.policyReferenceMissing({
        object: describeObject(object),
        field,
        target: `${kind} ${namespace}/${name}`,
      }),
    );
}

function referencesIn(object: KubernetesObject): readonly PolicyReference[] {
  const { targetRef, requiredAuthenticationRefs, parentRefs } = isObject(object.spec) ? object.spec : {};
  const own = namespaceOf(object);
  const at = (field: string, ref: unknown): readonly PolicyReference[] =>
    textIn(ref, 'group') === POLICY_GROUP
      ? [
          {
            field,
            kind: textIn(ref, 'kind') ?? '',
            namespace: textIn(ref, 'namespace') ?? own,
            name: textIn(ref, 'name') ?? '',
          },
        ]
      : [];
  switch (`${apiGroup(object.apiVersion)}/${object.kind}`) {
    case `${POLICY_GROUP}/AuthorizationPolicy`:
      return [
        ...at('spec.targetRef', targetRef),
        ...itemsOf(requiredAuthenticationRefs).flatMap((ref) => at('spec.requiredAuthenticationRefs', ref)),
      ];
    case `${POLICY_GROUP}/HTTPLocalRateLimitPolicy`:
      return at('spec.targetRef', targetRef);
    case `${POLICY_GROUP}/HTTPRoute`:
    case 'gateway.networking.k8s.io/HTTPRoute':
    case 'gateway.networking.k8s.io/GRPCRoute':
      return itemsOf(parentRefs).flatMap((ref) => at('spec.parentRefs', ref));
    default:
      return [];
  }
}

function keyOf({ kind, namespace, name }: Omit<PolicyReference, 'field'>): string {
  return `${kind} ${namespace}/${name}`;
}
