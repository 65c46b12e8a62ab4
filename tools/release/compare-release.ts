import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { mergeValues, type Values } from '#base/values';
import { renderChart } from '#lib/cli/render-chart';
import { isRendered } from '#linkerd/charts/chart';
import { importedValues } from '#linkerd/releases/chart-defaults';
import type { Release } from '#linkerd/releases/release';
import { chartNamed } from '#linkerd/renderers/native-charts';
import { type ComparedVariant, compareRenders, comparisonReport } from '../conformance/comparison';
import {
  type ChartFingerprints,
  fingerprintFile,
  fingerprintLines,
  fingerprintsOf,
  readFingerprints,
} from '../conformance/fingerprint';
import { type ChartIdentity, chartIdentity, type HelmChart } from '../conformance/helm-chart';
import { recordByHelm } from '../conformance/helm-recording';
import { FINGERPRINTS, isChartName } from '../conformance/known-renders';
import type { Recording } from '../conformance/recording';
import { groupOf, statedRelease } from '../conformance/releases';
import type { GroupedChart } from './data-edits';
import { nextVariants } from './next-variants';
import { valueReport } from './value-report';

/** The namespaces into which Linkerd's guides install charts, if not into `linkerd`. */
const NAMESPACES: Partial<Record<GroupedChart, string>> = {
  'linkerd-viz': 'linkerd-viz',
  'linkerd2-cni': 'linkerd-cni',
  'linkerd-multicluster': 'linkerd-multicluster',
};

/** The files of a chart with values, and their suffixes in `imports/`. */
export const VALUE_FILES = { 'values.yaml': 'defaults', 'values-ha.yaml': 'ha' } as const;

/** A chart of a release to add. */
export interface NewChart extends HelmChart {
  readonly name: GroupedChart;
  readonly identity: ChartIdentity;
}

/** The differences between a new release's chart and the same chart of the newest known release. */
export interface ComparedChart {
  readonly chart: NewChart;
  /** The group of the newest release. */
  readonly group: string;
  /** The release under which `imports/` stores the values of the newest release. */
  readonly valuesOf: string;
  /** Lines about the values that differ; none if all are equal. */
  readonly values: readonly string[];
  /** The lines of a file of fingerprints that extends the file of the group; one line if all renders are equal. */
  readonly fingerprints: readonly string[];
  /** Lines about the places where renders differ, if this library renders the chart. */
  readonly places: readonly string[];
}

/** Compares a chart with the same chart of the newest release. */
export async function compareWithNewest(chart: NewChart, newest: Release): Promise<ComparedChart> {
  const pinned = Object.values(newest.charts).find(({ name }) => name === chart.name);
  const group = groupOf(chart.name, newest.version);
  const valuesOf: string = pinned?.valuesOf ?? group;
  const known = readFingerprints(fingerprintFile(FINGERPRINTS, chart.name, group));
  const [before, after] = [importedValues(chart.name, valuesOf, 'defaults'), valuesIn(chart, 'values.yaml')];
  const recording = await recordByHelm(chart, NAMESPACES[chart.name] ?? 'linkerd', {
    baseValues: known.base.baseValues,
    variants: nextVariants(known.variants, before, after),
  });
  const fingerprints = fingerprintsOf(recording, statedRelease(chart.identity));
  const lines = fingerprintLines(fingerprints, { group, fingerprints: known });
  return {
    chart,
    group,
    valuesOf,
    values: [...valueReport(withoutRelease(before), withoutRelease(after)), ...profileReport(chart, valuesOf)],
    fingerprints: lines,
    places: isNothing(lines) ? [] : differingPlaces(chart, newest, recording, fingerprints),
  };
}

/** Whether lines of fingerprints contain no difference from the other file. */
export function isNothing(lines: readonly string[]): boolean {
  return lines.length === 1 && Object.keys(JSON.parse(lines[0] ?? '{}')).join() === 'like';
}

/** Reads the name and the version of a chart. */
export async function readChart(chart: HelmChart, names: readonly GroupedChart[]): Promise<NewChart> {
  const identity = await chartIdentity(chart);
  const name = names.find((one) => one === identity.name);
  if (name === undefined)
    throw new Error(`${chart.path} is the chart ${identity.name}, not one of ${names.join(', ')}`);
  return { ...chart, name, identity };
}

function valuesIn({ path }: NewChart, file: keyof typeof VALUE_FILES): Values {
  return parse(readFileSync(join(path, file), 'utf8')) as Values;
}

function profileReport(chart: NewChart, valuesOf: string): readonly string[] {
  if (!existsSync(join(chart.path, 'values-ha.yaml'))) return [];
  const lines = valueReport(importedValues(chart.name, valuesOf, 'ha'), valuesIn(chart, 'values-ha.yaml'));
  return lines.map((line) => `values-ha.yaml: ${line}`);
}

function withoutRelease({ linkerdVersion: _release, ...others }: Values): Values {
  return others;
}

function differingPlaces(
  { name, identity }: NewChart,
  newest: Release,
  { baseValues, base, variants }: Recording,
  fingerprints: ChartFingerprints,
): readonly string[] {
  const objects = fingerprints.variants.length;
  if (!isChartName(name))
    return [`${objects} variants differ; the places are unknown, because this library does not render ${name}`];
  const known = chartNamed(name, newest);
  if (known === undefined || !isRendered(known)) return [`this library does not render ${name} of ${newest.version}`];
  const own = 'linkerdVersion' in known.defaults ? { linkerdVersion: statedRelease(identity) } : {};
  const compared = [{ name: 'base', values: {}, objects: base }, ...variants].map((variant): ComparedVariant => {
    const values = mergeValues(mergeValues(own, baseValues), variant.values);
    const theirs = variant.objects === undefined ? { refused: 'these values' } : { objects: variant.objects };
    const ours = renderChart({ chart: name, values, release: newest });
    return { name: variant.name, ...compareRenders(values, theirs, ours, known.native.intended) };
  });
  return comparisonReport(compared);
}
