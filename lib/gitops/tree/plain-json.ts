import { ApiObject, App, JsonPatch, type JsonPatch as Patch } from 'cdk8s';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { isPlain } from '../../kubernetes/plain-data';
import { isObject } from '../../kubernetes/select-fields';
import { KnownObjects, type ObjectParts } from './known-objects';
import { orderedCopy } from './ordered-copy';

/** Objects that were read of any cluster. */
const KNOWN = new KnownObjects();

/**
 * Returns what `toJson` of a cdk8s object returns, in a fraction of the time, where the object is made of plain data as
 * most are, or of what is made when it is read; undefined where it is not. cdk8s looks up its resolvers for each value,
 * asks each of them, and copies twice.
 *
 * Equal objects are one, which nobody can change.
 */
export function plainJson(apiObject: ApiObject): KubernetesObject | undefined {
  if (hasResolvers(apiObject) || apiObject.toJson !== ApiObject.prototype.toJson) return undefined;
  const { props, patches, metadata } = apiObject as unknown as Inside;
  const {
    _additionalAttributes: additional,
    name,
    namespace,
    annotations,
    finalizers,
    ownerReferences,
    labels,
  } = metadata;
  const parts = {
    content: { ...props, metadata: undefined },
    metadata: { ...additional, name, namespace, annotations, finalizers, ownerReferences, labels },
  };
  try {
    if (patches.length === 0) return knownOf(parts);
    const json = copyOf(parts);
    return json && inOrder(JsonPatch.apply(json, ...patches));
  } catch {
    // What makes a value when it is read may fail, and a patch may not fit: cdk8s says so, and where.
    return undefined;
  }
}

/** Returns what `plainJson` does of a cdk8s object that was made of data and that nobody has changed. */
export function plainObject({ metadata, ...content }: KubernetesObject): KubernetesObject | undefined {
  return knownOf({ content, metadata: { ...metadata } });
}

/**
 * Returns the one object of all that are equal to an object as it is written, which nobody can change. What is not plain
 * data stays as it is.
 */
export function sharedObject(object: KubernetesObject): KubernetesObject {
  return isShared(object) || !isPlain(object) ? object : KNOWN.share(object);
}

/** Tells whether an object is the one of all that are equal. */
export function isShared(object: KubernetesObject): boolean {
  return KNOWN.has(object);
}

function knownOf(parts: ObjectParts): KubernetesObject | undefined {
  return KNOWN.find(parts) ?? KNOWN.add(copyOf(parts));
}

function copyOf(parts: ObjectParts): KubernetesObject | undefined {
  const content = orderedCopy(parts.content, { isMetadata: false, depth: 0 });
  const metadata = orderedCopy(parts.metadata, { isMetadata: true, depth: 1 });
  return isObject(content) && isObject(metadata) ? inOrder({ ...content, metadata }) : undefined;
}

/** The fields of an object that cdk8s keeps to itself. */
interface Inside {
  readonly props: Readonly<Record<string, unknown>>;
  readonly patches: readonly Patch[];
  readonly metadata: Readonly<Record<keyof KubernetesObject['metadata'], unknown>> & {
    readonly _additionalAttributes: Readonly<Record<string, unknown>>;
    readonly finalizers: unknown;
    readonly ownerReferences: unknown;
  };
}

/** Tells whether an App has resolvers besides the three that each has, which leave plain data alone. */
function hasResolvers(apiObject: ApiObject): boolean {
  return App.of(apiObject).resolvers.length > 3;
}

/** Puts first what says what an object is. */
function inOrder({ apiVersion, kind, metadata, ...others }: Readonly<Record<string, unknown>>): KubernetesObject {
  const first = Object.entries({ apiVersion, kind, metadata }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(first), ...others } as unknown as KubernetesObject;
}
