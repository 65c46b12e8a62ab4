import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { type Objects, objectsIn } from './manifests';

/** The render of a chart for some values. */
export interface RecordedVariant {
  readonly name: string;
  /** Values over those of the base. */
  readonly values: Values;
  /** Absent if the chart refuses the values. */
  readonly objects?: Objects;
}

/** The renders of a chart: for base values, and for variants of them. */
export interface Recording {
  /** Values over the chart's own. */
  readonly baseValues: Values;
  readonly base: Objects;
  readonly variants: readonly RecordedVariant[];
}

/** A line of `variants.jsonl`: objects that differ from the base, and keys of objects that it lacks. */
interface VariantLine {
  readonly name: string;
  readonly values: Values;
  readonly set?: Readonly<Record<string, KubernetesObject>>;
  readonly gone?: readonly string[];
}

/** Reads `base-values.json`, `base.yaml` and `variants.jsonl` from a folder. */
export function readRecording(folder: string): Recording {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const base = objectsIn(read('base.yaml'));
  const lines = read('variants.jsonl').trim().split('\n');
  return {
    baseValues: JSON.parse(read('base-values.json')) as Values,
    base,
    variants: lines.map((line) => variantOf(base, JSON.parse(line) as VariantLine)),
  };
}

function variantOf(base: Objects, { name, values, set, gone = [] }: VariantLine): RecordedVariant {
  if (set === undefined) return { name, values };
  const objects = new Map([...base, ...Object.entries(set)]);
  for (const key of gone) objects.delete(key);
  return { name, values, objects };
}
