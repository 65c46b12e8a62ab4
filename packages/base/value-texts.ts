import { isMap, type Value } from './values';

/** A string among values. */
export interface ValueText {
  /** The path, such as `values.proxy.additionalEnv[0].value`. */
  readonly path: string;
  readonly text: string;
}

/** Returns all strings in values that are not blank. */
export function textsIn(value: Value | undefined, path: string): readonly ValueText[] {
  if (holdsText(value)) return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${path}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${path}.${key}`));
}

/** Whether a value is a string that is not blank. */
export function holdsText(value: Value | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
