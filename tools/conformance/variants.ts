import { readFileSync } from 'node:fs';
import { mergeValues, type Values } from '../../lib/releases/values';
import type { BaseFingerprints, VariantFingerprints } from './fingerprint';

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
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { baseValues } = JSON.parse(first) as BaseFingerprints;
  const variants = lines.map((line) => JSON.parse(line) as VariantFingerprints);
  return [
    { name: BASE, values: baseValues },
    ...variants.map(({ name, values }) => ({ name, values: mergeValues(baseValues, values) })),
  ];
}
