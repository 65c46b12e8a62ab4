import type { ApiObject, JsonPatch } from 'cdk8s';
import { describeException } from '#base/findings/exception';
import type { Problem } from '#base/findings/problem';
import { pointerSegments } from '#base/json-pointer';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkPlain } from '#kubernetes/objects/plain-data';
import { isOfAnotherCopy } from './cdk8s-copies';
import { TREE_FINDINGS } from './findings';
import { faultOfPatches, operationOf } from './patches';
import { plainJson } from './plain-json';

/** An object as plain data, or the reasons why it is not. */
export type ReadObject = { readonly object: KubernetesObject } | { readonly problems: readonly Problem[] };

/**
 * Reads a cdk8s object with all its patches. The result may still lack required fields, and contain data that is not
 * plain.
 */
export function readObject(apiObject: ApiObject): ReadObject {
  try {
    const fault = patchFault(apiObject);
    if (fault !== undefined) return { problems: [fault] };
    return { object: plainJson(apiObject) ?? (apiObject.toJson() as KubernetesObject) };
  } catch (error) {
    const reading = { produced, fault: unreadable };
    const problems = [propsOf(apiObject), ...patchDataOf(apiObject)].flatMap((data) =>
      checkPlain(data, `${nameOf(apiObject)}:`, reading),
    );
    return { problems: problems.length > 0 ? problems : [notRead(apiObject, error)] };
  }
}

function nameOf({ kind, name, metadata: { namespace } }: ApiObject): string {
  return describeObject({ kind, metadata: { name, namespace } });
}

/** Returns the data from which the object was created, which is private in cdk8s. */
function propsOf(apiObject: ApiObject): unknown {
  const { metadata: _, ...props } = (apiObject as unknown as { readonly props: Readonly<Record<string, unknown>> })
    .props;
  return props;
}

/**
 * Returns the problem of the object's patches. The patch of `manifest`, which only removes the namespace, always
 * applies.
 */
function patchFault(apiObject: ApiObject): Problem | undefined {
  const patches = patchesOf(apiObject);
  if (
    patches.every((patch) => operationOf(patch).op === 'remove' && operationOf(patch).path === '/metadata/namespace')
  ) {
    return undefined;
  }
  const unpatched: ApiObject = Object.create(apiObject, { patches: { value: [] } });
  return faultOfPatches(plainJson(unpatched) ?? unpatched.toJson(), patches, nameOf(apiObject));
}

/** Returns the patches of an object, which are private in cdk8s. */
function patchesOf(apiObject: ApiObject): readonly JsonPatch[] {
  return (apiObject as unknown as { readonly patches: readonly JsonPatch[] }).patches;
}

function patchDataOf(apiObject: ApiObject): readonly unknown[] {
  return patchesOf(apiObject).map((patch) => {
    const { path, value } = operationOf(patch);
    return pointerSegments(String(path)).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  });
}

/** Returns the data of a lazy value (cdk8s' Lazy, and objects of cdk8s-plus). */
function produced(value: object): unknown {
  if ('produce' in value && typeof value.produce === 'function') return value.produce();
  return 'resolve' in value && typeof value.resolve === 'function' ? value.resolve() : value;
}

/** Describes plain data that cdk8s cannot read, because it checks the `constructor` of maps; else undefined. */
function unreadable(value: object): string | undefined {
  if (Object.hasOwn(value, 'constructor')) return 'a map with the key "constructor", which cdk8s cannot write';
  return Object.getPrototypeOf(value) === null ? 'a map without a prototype, which cdk8s cannot write' : undefined;
}

function notRead(apiObject: ApiObject, error: unknown): Problem {
  if (isOfAnotherCopy(apiObject)) {
    return TREE_FINDINGS.cdk8sDuplicateUnread({ object: nameOf(apiObject), exception: describeException(error) });
  }
  return TREE_FINDINGS.buildFailedObject({ object: nameOf(apiObject), error: describeException(error) });
}
