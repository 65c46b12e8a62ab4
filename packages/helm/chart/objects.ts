import { isObject } from '#base/is-object';
import { listItems } from '#base/list-items';
import { GoInt, type GoValue } from '../go/values';
import { type Manifest, ManifestError } from './manifests';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}

/**
 * Returns the objects in a document: none if it has only comments, and the items of a list, as Helm and GitOps
 * controllers apply them.
 *
 * @throws ManifestError if it contains something else
 */
export function objectsIn(manifest: Manifest): readonly JsonObject[] {
  const { value } = manifest;
  if (value === null || value === undefined) return [];
  return objectsOf(jsonOf(value), manifest);
}

function objectsOf(value: JsonValue, manifest: Manifest): readonly JsonObject[] {
  if (!isJsonObject(value)) {
    throw new ManifestError(manifest, 'the document is not an object of Kubernetes');
  }
  const { kind, apiVersion } = value;
  if (typeof kind !== 'string' || kind === '') throw new ManifestError(manifest, 'the object has no kind');
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new ManifestError(manifest, 'the object has no apiVersion');
  const items = listItems(value) as readonly JsonValue[] | undefined;
  return items === undefined ? [value] : items.flatMap((item) => objectsOf(item, manifest));
}

/** Returns a value as JSON. */
export function jsonOf(value: GoValue | ReadonlyMap<string, GoValue>): JsonValue {
  if (value instanceof Map) {
    // Unlike an assignment, `fromEntries` allows the key `__proto__`.
    return Object.fromEntries([...value].map(([key, element]) => [key, jsonOf(element)]));
  }
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof GoInt) return Number(value.value);
  if (typeof value === 'object' && value !== null && 'goType' in value) return jsonOf(value.data);
  return (value ?? null) as JsonValue;
}
