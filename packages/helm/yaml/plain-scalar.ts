import type { GoValue } from '../go/values';
import { resolveScalar } from './resolve-scalar';

/** Thrown for YAML that only the complete reader supports. The quick reader supports the forms that charts print. */
export class NotPlainError extends Error {}

/** Leaves a document to the complete reader. */
export function notPlain(): never {
  throw new NotPlainError();
}

/** Returns the text of a key, with or without quotes. */
export function keyOf(key: string): string {
  if (key.startsWith('"') || key.startsWith("'")) return key.slice(1, -1);
  return key === '' || resolveScalar(key, 'v2').type !== 'text' ? notPlain() : key;
}

/** Returns the value of a scalar without quotes. */
export function plainValue(text: string): GoValue {
  const resolved = resolveScalar(text, 'v2');
  if (resolved.type === 'null') return null;
  if (!('value' in resolved)) return text;
  const value = typeof resolved.value === 'bigint' ? Number(resolved.value) : resolved.value;
  return typeof value === 'number' && !Number.isFinite(value) ? notPlain() : value;
}
