import { isDeepStrictEqual } from 'node:util';
import { Lazy } from 'cdk8s';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { deepFreeze } from '../../kubernetes/plain-data';
import { RecentMap } from '../../kubernetes/remembered';
import { orderedCopy } from './ordered-copy';

/** The parts that an object is to be made of: plain data, or anything else. */
export interface ObjectParts {
  /** All but its metadata. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The number of objects of one name, in clusters that are not all alike, are compared with. */
const MOST_VARIANTS = 4;

/**
 * Objects that were made before, to be found by comparing them with what the next is to be made of. The clusters of a
 * fleet have nearly all objects in common, and to compare takes a tenth of the time in which an object is copied.
 */
export class KnownObjects {
  private readonly variants: RecentMap<readonly Variant[]>;
  private readonly objects = new WeakSet<KubernetesObject>();

  /** @param large - see `RecentMap` */
  constructor(large?: number) {
    this.variants = new RecentMap((_, variants) => variants.reduce((sum, { size }) => sum + size, 0), large);
  }

  /** Returns the object that would be made of the parts, if it was made before. */
  find(parts: ObjectParts): KubernetesObject | undefined {
    return this.variants.get(keyOf(parts))?.find(({ made }) => made && isMadeOf(made, parts))?.object;
  }

  /** Remembers an object that was made of parts, and freezes it. */
  add<T extends KubernetesObject | undefined>(object: T): T {
    return object && this.remember(object, partsOf(object));
  }

  /** Returns the object that was remembered of those that equal one of plain data: a copy of it, if there is none yet. */
  share(object: KubernetesObject): KubernetesObject {
    const equal = this.variants.get(keyOf(partsOf(object)))?.find((known) => isDeepStrictEqual(known.object, object));
    return equal?.object ?? this.remember(JSON.parse(JSON.stringify(object)) as KubernetesObject, undefined);
  }

  /** Tells whether an object is one that was remembered. */
  has(object: KubernetesObject): boolean {
    return this.objects.has(object);
  }

  private remember<T extends KubernetesObject>(object: T, made: ObjectParts | undefined): T {
    const key = keyOf(partsOf(object));
    const others = this.variants.get(key) ?? [];
    this.variants.set(key, [{ object, made, size: sizeOf(object) }, ...others].slice(0, MOST_VARIANTS));
    this.objects.add(deepFreeze(object));
    return object;
  }
}

interface Variant {
  readonly object: KubernetesObject;
  /** Its own parts, if it was made of parts; one of another origin may hold what is left out of these. */
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

/** Tells whether data equals what `orderedCopy` would make of something. */
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
    // Never undefined where it is known: what is not there is looked for in the prototype, where all are functions.
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

/** Returns about how many characters data has. */
function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  if (typeof data !== 'object' || data === null) return 1;
  let size = 0;
  for (const [key, member] of Object.entries(data)) size += key.length + sizeOf(member);
  return size;
}
