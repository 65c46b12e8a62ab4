import { isDeepStrictEqual } from 'node:util';
import { ApiObject, App, JsonPatch, Lazy, type JsonPatch as Patch } from 'cdk8s';
import { isObject } from '#base/is-object';
import { sortedKeys } from '#base/key-order';
import { RecentMap } from '#base/remembered';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze, isPlain, MAX_NESTED } from '#kubernetes/objects/plain-data';

/**
 * Returns the same as `toJson` of a cdk8s object, in a fraction of the time, if it consists of plain data or lazy
 * values, as most do; undefined otherwise. cdk8s looks up its resolvers for each value, calls each of them, and copies
 * twice.
 *
 * Returns the same frozen object for equal objects.
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
    // A lazy value may throw, and a patch may not apply: cdk8s reports the error with the path.
    return undefined;
  }
}

/** Returns the same as `plainJson` for a cdk8s object that was created from data and never changed. */
export function plainObject({ metadata, ...content }: KubernetesObject): KubernetesObject | undefined {
  return knownOf({ content, metadata: { ...metadata } });
}

/** Returns the one frozen object that represents all equal ones. Data that is not plain is returned unchanged. */
export function sharedObject(object: KubernetesObject): KubernetesObject {
  return isShared(object) || !isPlain(object) ? object : KNOWN.share(object);
}

/** Freezes an object that was made from shared ones for a single cluster. No other object equals it. */
export function ownObject(object: KubernetesObject): KubernetesObject {
  return KNOWN.own(object);
}

/** Whether an object is the one that represents all equal ones. */
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

/** Members of an ApiObject that are private in cdk8s. */
interface Inside {
  readonly props: Readonly<Record<string, unknown>>;
  readonly patches: readonly Patch[];
  readonly metadata: Readonly<Record<keyof KubernetesObject['metadata'], unknown>> & {
    readonly _additionalAttributes: Readonly<Record<string, unknown>>;
    readonly finalizers: unknown;
    readonly ownerReferences: unknown;
  };
}

/** Whether an App has resolvers in addition to the three default ones, which leave plain data unchanged. */
function hasResolvers(apiObject: ApiObject): boolean {
  return App.of(apiObject).resolvers.length > 3;
}

function inOrder({ apiVersion, kind, metadata, ...others }: Readonly<Record<string, unknown>>): KubernetesObject {
  const first = Object.entries({ apiVersion, kind, metadata }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(first), ...others } as unknown as KubernetesObject;
}

interface ObjectParts {
  /** All parts except the metadata. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const MAX_VARIANTS = 4;

/**
 * Objects that were created before. They are compared with the parts of the next object: the clusters of a fleet share
 * nearly all objects, and comparing takes a tenth of the time of copying.
 */
export class KnownObjects {
  private readonly variants: RecentMap<readonly Variant[]>;
  private readonly objects = new WeakSet<KubernetesObject>();

  /** @param large - see `RecentMap` */
  constructor(large?: number) {
    this.variants = new RecentMap((_, variants) => variants.reduce((sum, { size }) => sum + size, 0), large);
  }

  /** Returns the object for the parts, if it was created before. */
  find(parts: ObjectParts): KubernetesObject | undefined {
    return this.variants.get(keyOf(parts))?.find(({ made }) => made && isMadeOf(made, parts))?.object;
  }

  /** Stores an object that was created from parts, and freezes it. */
  add<T extends KubernetesObject | undefined>(object: T): T {
    return object && this.remember(object, partsOf(object));
  }

  /** Returns the stored object that equals plain data, or stores a copy of it. */
  share(object: KubernetesObject): KubernetesObject {
    const equal = this.variants.get(keyOf(partsOf(object)))?.find((known) => isDeepStrictEqual(known.object, object));
    return equal?.object ?? this.remember(JSON.parse(JSON.stringify(object)) as KubernetesObject, undefined);
  }

  /** Freezes an object that equals no other, so it is not stored. */
  own(object: KubernetesObject): KubernetesObject {
    this.objects.add(deepFreeze(object));
    return object;
  }

  /** Whether an object is a stored one, or one that equals no other. */
  has(object: KubernetesObject): boolean {
    return this.objects.has(object);
  }

  private remember<T extends KubernetesObject>(object: T, made: ObjectParts | undefined): T {
    const key = keyOf(partsOf(object));
    const known = this.variants.get(key) ?? [];
    this.variants.set(key, [{ object, made, size: sizeOf(object) }, ...known].slice(0, MAX_VARIANTS));
    this.objects.add(deepFreeze(object));
    return object;
  }
}

const KNOWN = new KnownObjects();

interface Variant {
  readonly object: KubernetesObject;
  /** Its parts, if it was created from parts; objects of another origin may contain what parts omit. */
  readonly made: ObjectParts | undefined;
  readonly size: number;
}

function keyOf({ content: { kind }, metadata: { namespace, name } }: ObjectParts): string {
  return `${String(kind)} ${String(namespace)} ${String(name)}`;
}

function partsOf({ metadata, ...content }: KubernetesObject): ObjectParts {
  return { content, metadata: { ...metadata } };
}

function isMadeOf(known: ObjectParts, { content, metadata }: ObjectParts): boolean {
  return isSame(known.content, content, false) && isSame(known.metadata, metadata, true);
}

/** Whether data equals what `orderedCopy` would return for a value. */
function isSame(known: unknown, value: unknown, isMetadata: boolean): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && Object.is(known, value);
  if (value === known) return true;
  if (value instanceof Lazy) return isSame(known, value.produce(), isMetadata);
  if (typeof known !== 'object' || known === null) return false;
  if (Array.isArray(value)) {
    if (!Array.isArray(known) || known.length !== value.length) return false;
    return known.every((item, index) => isSame(item, value[index], isMetadata));
  }
  return !Array.isArray(known) && isSameMap(known, value, isMetadata);
}

function isSameMap(known: object, value: object, isMetadata: boolean): boolean {
  if (value.constructor !== Object || 'resolve' in value) return false;
  let members = 0;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return false;
    const member = (value as Readonly<Record<string, unknown>>)[key];
    // A member of a known object is never undefined. An absent one comes from the prototype, which has only functions.
    const knownMember = (known as Readonly<Record<string, unknown>>)[key];
    if (knownMember !== undefined && isSame(knownMember, member, isMetadata)) members += 1;
    else if (Object.hasOwn(known, key) || !isLeftOut(member, isMetadata)) return false;
  }
  return members === Object.keys(known).length;
}

function isLeftOut(value: unknown, isMetadata: boolean): boolean {
  if (value === undefined || value === null) return true;
  return (isMetadata || value instanceof Lazy) && orderedCopy(value, { isMetadata, depth: 1 }) === undefined;
}

/** Approximate number of characters. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  if (typeof data !== 'object' || data === null) return 1;
  let size = 0;
  for (const [key, member] of Object.entries(data)) size += key.length + sizeOf(member);
  return size;
}

/** Marks a value that cannot be copied here, but may be valid for cdk8s. */
const NOT_PLAIN = Symbol('not plain');

interface Place {
  /** Omit empty values, as cdk8s does only in metadata. */
  readonly isMetadata: boolean;
  readonly depth: number;
}

/** Returns a copy with sorted keys and without nulls, like that of cdk8s. */
function orderedCopy(value: unknown, place: Place): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : NOT_PLAIN;
    case 'object':
      if (value === null) return undefined;
      if (place.depth > MAX_NESTED) return NOT_PLAIN;
      if (value instanceof Lazy) return orderedCopy(value.produce(), { ...place, depth: place.depth + 1 });
      return Array.isArray(value) ? listOf(value, place) : mapOf(value, place);
    default:
      return NOT_PLAIN;
  }
}

function listOf(list: readonly unknown[], { isMetadata, depth }: Place): unknown {
  if (isMetadata && list.length === 0) return undefined;
  const inside = { isMetadata, depth: depth + 1 };
  const copy: unknown[] = [];
  for (const item of list) {
    const copied = orderedCopy(item, inside);
    if (copied === NOT_PLAIN || copied === undefined) return NOT_PLAIN;
    copy.push(copied);
  }
  return copy;
}

function mapOf(map: object, { isMetadata, depth }: Place): unknown {
  // Keys of these names have a special meaning for JavaScript or cdk8s.
  if (map.constructor !== Object || 'resolve' in map || Object.hasOwn(map, '__proto__')) return NOT_PLAIN;
  const inside = { isMetadata, depth: depth + 1 };
  const copy: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key of sortedKeys(map)) {
    const copied = orderedCopy((map as Readonly<Record<string, unknown>>)[key], inside);
    if (copied === NOT_PLAIN) return NOT_PLAIN;
    if (copied === undefined) continue;
    copy[key] = copied;
    isEmpty = false;
  }
  return isMetadata && isEmpty ? undefined : copy;
}
