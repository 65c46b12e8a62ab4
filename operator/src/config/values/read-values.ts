import { parseValues } from '#base/values-document';
import { errorText } from '#controller-runtime/telemetry/error-text';
import { valuesHash } from './config-hash';
import type { ValuesText } from './edit-values';

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
