import { printableText } from '#base/findings/printable-text';
import { redact } from '#base/findings/redaction';
import { shortened } from '#base/shortened';
import { isMap, memberOf } from '#base/values';

/** Milliseconds since 1970. */
export type Time = number;

/** The name of an object. */
export interface ObservedName {
  readonly namespace: string;
  readonly name: string;
}

/** A condition of an object. */
export interface ObservedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since?: Time;
}

/** A problem of an object. */
export interface Trouble {
  readonly message: string;
  readonly since?: Time;
}

/** The manager that wrote a field, and the time. */
export interface Change {
  readonly manager: string;
  readonly at?: Time;
}

/** Maximum length of a text from an object, which any client of the API server may have written. */
const MAX_CHARACTERS = 300;

/** Maximum number of names of one list in a status. */
export const MAX_NAMES = 50;

/** Returns the value below an object's keys; undefined if there is none. Keys may contain dots. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inside, key) => (isMap(inside) ? memberOf(inside, key) : undefined), value);
}

/** Returns the string below an object's keys as one short line, without secrets and terminal commands. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  const text = at(value, ...keys);
  if (typeof text !== 'string') return undefined;
  const line = printableText(
    redact(text.slice(0, 4 * MAX_CHARACTERS))
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return shortened(line, MAX_CHARACTERS);
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

/** Returns the name of an object. */
export function nameIn(object: unknown): string {
  return textAt(object, 'metadata', 'name') ?? '';
}

/** Returns the name and the namespace of an object. */
export function idIn(object: unknown): ObservedName {
  return { namespace: textAt(object, 'metadata', 'namespace') ?? '', name: nameIn(object) };
}

/** Returns the value of an annotation. */
export function annotationIn(object: unknown, key: string): string | undefined {
  return textAt(object, 'metadata', 'annotations', key);
}

/** Returns the labels of an object, up to a maximum number. */
export function labelsIn(object: unknown): Readonly<Record<string, string>> {
  const labels = at(object, 'metadata', 'labels');
  if (!isMap(labels)) return {};
  const texts = Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts.slice(0, MAX_NAMES));
}

/** Returns the last change of a field. */
export function changeOf(object: unknown, ...path: readonly string[]): Change | undefined {
  const writers = listAt(object, 'metadata', 'managedFields').flatMap((entry) => {
    if (at(entry, 'fieldsV1', ...path.map((key) => `f:${key}`)) === undefined) return [];
    return [present<Change>({ manager: textAt(entry, 'manager') ?? '', at: timeAt(entry, 'time') })];
  });
  return writers.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0))[0];
}

/** Returns the conditions of an object. */
export function conditionsOf(object: unknown): readonly ObservedCondition[] {
  return rawConditions(object).map(observeCondition);
}

/** Returns the condition of a type. */
export function conditionOf(object: unknown, type: string): ObservedCondition | undefined {
  const found = rawConditions(object).find((one) => at(one, 'type') === type);
  return found === undefined ? undefined : observeCondition(found);
}

/** Returns the first condition with one of the types and with the status. */
export function conditionIn(object: unknown, status: string, ...types: readonly unknown[]) {
  const found = rawConditions(object).find((one) => types.includes(at(one, 'type')) && at(one, 'status') === status);
  return found === undefined ? undefined : observeCondition(found);
}

function rawConditions(object: unknown): readonly unknown[] {
  return listAt(object, 'status', 'conditions').slice(0, MAX_NAMES);
}

function observeCondition(condition: unknown): ObservedCondition {
  return present<ObservedCondition>({
    type: textAt(condition, 'type') ?? '',
    status: textAt(condition, 'status') ?? '',
    reason: textAt(condition, 'reason') ?? '',
    message: textAt(condition, 'message') ?? '',
    since: timeAt(condition, 'lastTransitionTime'),
  });
}

/** Returns the message of a condition, or else its reason, and its time. */
export function troubleOf(condition: ObservedCondition | undefined): Trouble | undefined {
  if (condition === undefined) return undefined;
  const { since, message, reason } = condition;
  return present<Trouble>({ message: message === '' ? reason : message, since });
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
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
