import { createHash } from 'node:crypto';
import { isMap, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { canonicalObject, objectKey } from './canonical';
import type { Recording } from './recording';

/** A line of a file of mixed variants after the first, which has the values of the base. */
export interface MixedVariant {
  readonly name: string;
  readonly values: Values;
  /** The fingerprint of all objects together; absent if the chart refuses the values. */
  readonly objects?: string;
}

/** The lines of a file of mixed variants: the values of the base, and one fingerprint for each variant. */
export function mixedLines({ baseValues, variants }: Recording): readonly string[] {
  const lines = variants.map(
    ({ name, values, objects }): MixedVariant => ({
      name,
      values,
      ...(objects === undefined ? {} : { objects: fingerprintOfAll([...objects.values()]) }),
    }),
  );
  return [{ baseValues }, ...lines].map((line) => JSON.stringify(line));
}

/** The SHA-256 of objects in any order. An empty text counts as null, because Helm prints nothing for it. */
export function fingerprintOfAll(objects: readonly KubernetesObject[]): string {
  const all = objects.map((object) => [objectKey(object), withoutBlanks(canonicalObject(object))] as const);
  return createHash('sha256')
    .update(JSON.stringify(all.sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex');
}

function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === '' ? null : withoutBlanks(item)));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inside]) => inside !== '')
      .map(([key, inside]) => [key, withoutBlanks(inside)]),
  );
}
