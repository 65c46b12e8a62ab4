import { mergeValues, type Values } from '#base/values';
import { readFingerprints } from './fingerprint';

/** Values under a name. */
export interface Variant {
  readonly name: string;
  /** Values over the chart's own. */
  readonly values: Values;
}

/** The name of the variant that changes nothing of the base. */
export const BASE = 'base';

/** The values of all variants in a file of fingerprints, those of the base first. */
export function readVariants(file: string): readonly Variant[] {
  const { base, variants } = readFingerprints(file);
  const { baseValues } = base;
  return [
    { name: BASE, values: baseValues },
    ...variants.map(({ name, values }) => ({ name, values: mergeValues(baseValues, values) })),
  ];
}
