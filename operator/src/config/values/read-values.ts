import { createHash } from 'node:crypto';
import { canonicalJson } from '#base/canonical-json';
import { isMap, type Values } from '#base/values';
import { parseValues } from '#base/values-document';
import { errorText } from '#controller-runtime/telemetry/error-text';
import { componentValues } from '#operator/api/component-values';
import type { ValuesText } from './edit-values';

/** Length of a hash: enough of a SHA-256 to distinguish the configurations of one mesh, and short enough to read. */
const LENGTH = 16;

/** Hashes values, regardless of the order of keys and the style of YAML: 16 hexadecimal digits. */
export function valuesHash(values: Values): string {
  return createHash('sha256').update(canonicalJson(values)).digest('hex').slice(0, LENGTH);
}

/** Returns {@link valuesHash} of the proxies' configuration: without the values that only Linkerd's components use. */
export function configHash(values: Values): string {
  return valuesHash(
    componentValues(values.linkerdVersion).reduce((rest, path) => without(rest, path.split('.')), values),
  );
}

function without(values: Values, [key = '', ...below]: readonly string[]): Values {
  if (!Object.hasOwn(values, key)) return values;
  const { [key]: value, ...rest } = values;
  if (below.length === 0) return rest;
  return isMap(value) ? { ...rest, [key]: without(value, below) } : values;
}

/** The values in a ConfigMap, and their hash. */
export interface HashedValues extends ValuesText {
  readonly hash: string;
}

/** Values, or the reason why they cannot be read. */
export type ReadValues = HashedValues | { readonly unreadable: string };

/** Parses values from YAML. */
export function readValues(text: string): ReadValues {
  try {
    const values = parseValues(text);
    return { text, values, hash: valuesHash(values) };
  } catch (error) {
    return { unreadable: errorText(error) };
  }
}
