import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSameValue } from '#base/same-value';
import type { Values } from '#base/values';
import { fingerprintOf } from './canonical';
import type { Objects } from './manifests';
import type { Recording } from './recording';

/** Fingerprints of objects, by their keys. */
export type Fingerprints = Readonly<Record<string, string>>;

interface ObjectChanges {
  readonly set?: Fingerprints | undefined;
  readonly gone?: readonly string[] | undefined;
}

/** The render of a chart for base values, on which its variants build. */
export interface BaseFingerprints {
  /** Values over the chart's own. */
  readonly baseValues: Values;
  readonly objects: Fingerprints;
}

/** The render of a chart for some values: its differences from the base, or a refusal. */
export interface VariantFingerprints extends ObjectChanges {
  readonly name: string;
  /** Values over those of the base. */
  readonly values: Values;
  readonly refused?: true;
}

/** The renders of a chart of a group of releases, in a compact form that shows whether other renders are equal. */
export interface ChartFingerprints {
  readonly base: BaseFingerprints;
  readonly variants: readonly VariantFingerprints[];
}

/** The first line of a file of fingerprints: the base, as differences from the base of another file. */
interface BaseLine {
  /** The group of releases whose file contains the rest; absent if this file is complete. */
  readonly like?: string;
  /** Absent if equal to those of the other file. */
  readonly baseValues?: Values;
  /** Names of variants of the other file that this file lacks. */
  readonly absent?: readonly string[];
  /** Objects that differ from the other file, and keys of objects that only the other file has. */
  readonly objects?: Fingerprints;
  readonly gone?: readonly string[];
}

/** A further line: a variant that does not already follow from the other file and the base. */
interface VariantLine extends ObjectChanges {
  readonly name: string;
  /** Absent if equal to those of the other file. */
  readonly values?: Values;
  /** Absent if equal to the other file. */
  readonly refused?: boolean;
}

const NOTHING: ChartFingerprints = { base: { baseValues: {}, objects: {} }, variants: [] };

/** The fingerprints of recorded renders of a release. */
export function fingerprintsOf({ baseValues, base, variants }: Recording, release: string): ChartFingerprints {
  const { linkerdVersion, ...rest } = baseValues;
  const fingerprints = (objects: Objects): Fingerprints =>
    Object.fromEntries([...objects].map(([key, object]) => [key, fingerprintOf(object, release)]));
  const objects = fingerprints(base);
  return {
    // A published chart contains the release as a value; the sources of a chart have a placeholder for it.
    base: { baseValues: linkerdVersion === release ? rest : baseValues, objects },
    variants: variants.map((variant) => ({
      name: variant.name,
      values: variant.values,
      ...(variant.objects === undefined
        ? { refused: true as const }
        : changesOf(objects, fingerprints(variant.objects))),
    })),
  };
}

/** The fingerprints of all objects of a variant. */
export function expectedFingerprints(base: BaseFingerprints, variant: ObjectChanges): Fingerprints {
  return changed(base.objects, variant);
}

/** The lines of a file of fingerprints, which builds on the file of another group of releases. */
export function fingerprintLines(
  { base, variants }: ChartFingerprints,
  like?: { readonly group: string; readonly fingerprints: ChartFingerprints },
): readonly string[] {
  const other = like?.fingerprints ?? NOTHING;
  const others = new Map(other.variants.map((variant) => [variant.name, variant]));
  const names = new Set(variants.map(({ name }) => name));
  const absent = [...others.keys()].filter((name) => !names.has(name));
  const { set: objects, gone } = changesOf(other.base.objects, base.objects);
  const first: BaseLine = {
    ...(like === undefined ? {} : { like: like.group }),
    ...(isSameValue(base.baseValues, other.base.baseValues) ? {} : { baseValues: base.baseValues }),
    ...(absent.length > 0 ? { absent } : {}),
    ...(objects === undefined ? {} : { objects }),
    ...(gone === undefined ? {} : { gone }),
  };
  const lines = variants
    .map((variant) => ({ variant, line: variantLine(base.objects, variant, others.get(variant.name)) }))
    .filter(({ variant, line }) => Object.keys(line).length > 1 || !others.has(variant.name));
  return [first, ...lines.map(({ line }) => line)].map((line) => JSON.stringify(line));
}

function variantLine(base: Fingerprints, variant: VariantFingerprints, before?: VariantFingerprints): VariantLine {
  const { name, values, refused } = variant;
  return {
    name,
    ...(before !== undefined && isSameValue(before.values, values) ? {} : { values }),
    ...(refused === before?.refused ? {} : { refused: refused ?? false }),
    ...(refused ? {} : changesOf(changed(base, before ?? {}), changed(base, variant))),
  };
}

/** Reads a file of fingerprints, and those that it builds on from the same folder. */
export function readFingerprints(file: string): ChartFingerprints {
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { like, baseValues, absent = [], objects: set, gone } = JSON.parse(first) as BaseLine;
  const other = like === undefined ? NOTHING : readFingerprints(fingerprintFile(dirname(file), chartOf(file), like));
  const objects = changed(other.base.objects, { set, gone });
  const own = new Map(lines.map((line) => JSON.parse(line) as VariantLine).map((line) => [line.name, line]));
  const variantOf = (name: string, before?: VariantFingerprints): VariantFingerprints => {
    const line = own.get(name) ?? { name };
    const isRefused = line.refused ?? before?.refused ?? false;
    return {
      name,
      values: line.values ?? before?.values ?? {},
      ...(isRefused ? { refused: true } : changesOf(objects, changed(changed(objects, before ?? {}), line))),
    };
  };
  const kept = other.variants.filter(({ name }) => !absent.includes(name));
  const added = [...own.keys()].filter((name) => !kept.some((variant) => variant.name === name));
  return {
    base: { baseValues: baseValues ?? other.base.baseValues, objects },
    variants: [...kept.map((before) => variantOf(before.name, before)), ...added.map((name) => variantOf(name))],
  };
}

/** The file of fingerprints of a chart of a group of releases. */
export function fingerprintFile(folder: string, chart: string, group: string): string {
  return join(folder, `${chart}-${group}.jsonl`);
}

/** The chart of a file of fingerprints. */
export function chartOf(file: string): string {
  return basename(file).replace(/-(?:edge|stable)-.*$/, '');
}

function changesOf(from: Fingerprints, to: Fingerprints): ObjectChanges {
  const set = Object.entries(to).filter(([key, fingerprint]) => from[key] !== fingerprint);
  const gone = Object.keys(from)
    .filter((key) => to[key] === undefined)
    .sort();
  return {
    ...(set.length > 0 ? { set: Object.fromEntries(set) } : {}),
    ...(gone.length > 0 ? { gone } : {}),
  };
}

function changed(objects: Fingerprints, { set, gone = [] }: ObjectChanges): Fingerprints {
  return Object.fromEntries(Object.entries({ ...objects, ...set }).filter(([key]) => !gone.includes(key)));
}
