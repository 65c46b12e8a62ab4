import { isObject } from './is-object';

/** Returns JSON in which equal data has equal text, with sorted keys; an empty string for a value that JSON lacks. */
export function canonicalJson(data: unknown): string {
  return JSON.stringify(data, (_key, value: unknown) => (isObject(value) ? sorted(value) : value)) ?? '';
}

function sorted(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
