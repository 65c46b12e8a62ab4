import type { Values } from '../../lib/releases/values';
import { fingerprintOf } from './canonical';
import { mixedLines } from './mixed';
import { type Objects, type RecordedVariant, type Recording, readRecording } from './recording';

/** Fingerprints of objects, by their keys. */
export type Fingerprints = Readonly<Record<string, string>>;

/** The first line of a file of fingerprints: the base, on which all others build. */
export interface BaseFingerprints {
  readonly baseValues: Values;
  readonly objects: Fingerprints;
}

/** A further line: what a variant changes, or that the chart refuses it. */
export interface VariantFingerprints {
  readonly name: string;
  readonly values: Values;
  readonly refused?: true;
  /** Objects that are not as in the base. */
  readonly set?: Fingerprints;
  /** Objects of the base that are not there. */
  readonly gone?: readonly string[];
}

/** The lines of a file of fingerprints: enough to tell whether a render is as recorded, in little space. */
export function fingerprintLines({ baseValues, base, variants }: Recording): readonly string[] {
  const objects = fingerprints(base);
  const first: BaseFingerprints = { baseValues, objects };
  return [first, ...variants.map((variant) => variantFingerprints(objects, variant))].map((line) =>
    JSON.stringify(line),
  );
}

/** The fingerprints of all objects of a variant. */
export function expectedFingerprints(base: BaseFingerprints, { set, gone = [] }: VariantFingerprints): Fingerprints {
  const all = Object.entries({ ...base.objects, ...set });
  return Object.fromEntries(all.filter(([key]) => !gone.includes(key)));
}

function fingerprints(objects: Objects): Fingerprints {
  return Object.fromEntries([...objects].map(([key, object]) => [key, fingerprintOf(object)]));
}

function variantFingerprints(base: Fingerprints, { name, values, objects }: RecordedVariant): VariantFingerprints {
  if (objects === undefined) return { name, values, refused: true };
  const changed = Object.entries(fingerprints(objects)).filter(([key, fingerprint]) => base[key] !== fingerprint);
  const gone = Object.keys(base).filter((key) => !objects.has(key));
  return { name, values, set: Object.fromEntries(changed), ...(gone.length > 0 ? { gone } : {}) };
}

const USAGE = `tsx tools/conformance/fingerprint.ts [--mixed] DIR > test/conformance/CHART-RELEASE.jsonl

Prints the fingerprints of recorded renders: DIR has base-values.json, base.yaml and variants.jsonl. With --mixed, one for
each variant, for variants of many values at once, which change nearly all objects.
`;

if (require.main === module) {
  const given = process.argv.slice(2);
  const folder = given.find((argument) => argument !== '--mixed');
  if (folder === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  } else {
    const recording = readRecording(folder);
    const lines = given.includes('--mixed') ? mixedLines(recording) : fingerprintLines(recording);
    for (const line of lines) process.stdout.write(`${line}\n`);
  }
}
