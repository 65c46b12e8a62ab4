import { defined } from '../../../packages/base/defined';
import { printableText } from '../../../packages/base/findings/printable-text';
import { redact } from '../../../packages/base/findings/redaction';
import { isMap, memberOf } from '../../../packages/base/values';
import type { ObservedCondition, Time } from './observation';

/** Maximum length of a text that a controller or a stranger wrote into an object. */
const MAX_CHARACTERS = 300;

/** Maximum number of names of one list in a status. */
export const MAX_NAMES = 50;

/** Returns the value below an object's keys; undefined if there is none. Keys may contain dots. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inside, key) => (isMap(inside) ? memberOf(inside, key) : undefined), value);
}

/** Returns the string below an object's keys, on one line, without secrets and terminal commands, and not too long. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const text = at(value, ...keys);
  if (typeof text !== 'string') return undefined;
  const line = printableText(
    redact(text.slice(0, 4 * MAX_CHARACTERS))
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

/** Returns the whole number below an object's keys; 0 if there is none. */
export function numberAt(value: unknown, ...keys: readonly string[]): number {
  const number = at(value, ...keys);
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0;
}

/** Returns the list below an object's keys; empty if there is none. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = at(value, ...keys);
  return Array.isArray(list) ? list : [];
}

/** Returns the time below an object's keys. */
export function timeAt(value: unknown, ...keys: readonly string[]): Time | undefined {
  const text = at(value, ...keys);
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the conditions of an object. */
export function conditionsOf(object: unknown): readonly ObservedCondition[] {
  return listAt(object, 'status', 'conditions')
    .slice(0, MAX_NAMES)
    .map((condition) => {
      const since = timeAt(condition, 'lastTransitionTime');
      return {
        type: textAt(condition, 'type') ?? '',
        status: textAt(condition, 'status') ?? '',
        reason: textAt(condition, 'reason') ?? '',
        message: textAt(condition, 'message') ?? '',
        ...(since !== undefined && { since }),
      };
    });
}

/** Returns the tag of an image; undefined if it has none, or only a digest. */
export function tagOf(image = ''): string | undefined {
  const [name = ''] = image.split('@');
  return /:([^:/]+)$/.exec(name)?.[1];
}

/** Returns the tags of the images of a workload, by container. */
export function imageTags(workload: unknown): Readonly<Record<string, string>> {
  const containers = listAt(workload, 'spec', 'template', 'spec', 'containers');
  const tags = containers.flatMap((one) => {
    const [name, tag] = [textAt(one, 'name'), tagOf(textAt(one, 'image'))];
    return name === undefined || tag === undefined ? [] : [[name, tag] as const];
  });
  return Object.fromEntries(tags);
}

/** Returns the members of an object without those that are undefined. */
export function present<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return defined(members) as T;
}
