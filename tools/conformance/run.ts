import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../../lib/charts/chart';
import { CHART_NAMES, type ChartName } from '../../lib/cli/chart-names';
import { changedValues } from '../../lib/cli/migrate/changed-values';
import { nativeChartOf } from '../../lib/cli/native-charts';
import { renderChart } from '../../lib/cli/render-chart';
import { mergeValues } from '../../lib/releases/values';
import { type ComparedVariant, compareRenders, comparisonReport } from './comparison';
import { chartDefaults, chartIdentity, type HelmChart, type HelmRender, helmRender } from './helm-chart';
import { inParallel } from './in-parallel';
import { readRecording } from './recording';
import { BASE, readVariants, type Variant } from './variants';

const USAGE = `Compares what Helm and the native renderer make of the same values.

npm run conformance -- --chart DIR [--helm PATH] [--variants FILE]
npm run conformance -- --recorded DIR

  --chart DIR      the official chart, as a folder or a package, subcharts included ("helm pull --untar")
  --helm PATH      the Helm to render it with (default: helm)
  --variants FILE  fingerprints, whose values are rendered (default: those in test/conformance)
  --recorded DIR   compare with recorded renders instead: a folder CHART/VERSION with base-values.json, base.yaml and
                   variants.jsonl

Exits with 1 if anything differs other than on purpose.
`;

const FINGERPRINTS = join(__dirname, '..', '..', 'test', 'conformance');

/** Renders of some variants by Helm, now or earlier. */
interface Reference {
  readonly chart: ChartName;
  readonly variants: readonly Variant[];
  readonly render: (variant: Variant) => Promise<HelmRender>;
}

async function compare({ chart, variants, render }: Reference): Promise<number> {
  const { intended } = nativeChartOf(chart).native;
  const compared = await inParallel(variants, availableParallelism(), async (variant): Promise<ComparedVariant> => {
    const ours = renderChart({ chart, values: variant.values });
    return { name: variant.name, differences: compareRenders(variant.values, await render(variant), ours, intended) };
  });
  console.log(comparisonReport(compared).join('\n'));
  return compared.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

async function chartReference(chart: HelmChart, variants: string | undefined): Promise<Reference> {
  const identity = await chartIdentity(chart);
  const name = chartNamed(identity.name);
  const renderer = nativeChartOf(name);
  console.log(`${name} ${identity.version} against the native renderer of ${renderer.pinned.version}`);
  await reportDefaults(chart, renderer);
  return {
    chart: name,
    variants: readVariants(variants ?? join(FINGERPRINTS, `${name}-${renderer.pinned.valuesOf}.jsonl`)),
    render: ({ values }) => helmRender(chart, renderer.namespace, values),
  };
}

async function reportDefaults(chart: HelmChart, { defaults }: Chart): Promise<void> {
  const changed = changedValues(defaults, await chartDefaults(chart));
  if (Object.keys(changed).length > 0) console.log(`Its own values differ: ${JSON.stringify(changed, null, 2)}`);
}

function recordedReference(folder: string): Reference {
  const { baseValues, base, variants } = readRecording(folder);
  const recorded = new Map(variants.map(({ name, objects }) => [name, objects]));
  return {
    chart: chartNamed(basename(dirname(resolve(folder)))),
    variants: [
      { name: BASE, values: baseValues },
      ...variants.map(({ name, values }) => ({ name, values: mergeValues(baseValues, values) })),
    ],
    render: async ({ name }) => {
      const objects = name === BASE ? base : recorded.get(name);
      return objects === undefined ? { refused: 'these values' } : { objects };
    },
  };
}

function chartNamed(name: string): ChartName {
  const known = CHART_NAMES.find((chart) => chart === name);
  if (known === undefined) throw new Error(`There is no renderer of "${name}", only of ${CHART_NAMES.join(', ')}.`);
  return known;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      chart: { type: 'string' },
      helm: { type: 'string', default: 'helm' },
      variants: { type: 'string' },
      recorded: { type: 'string' },
    },
  });
  if (values.chart !== undefined) {
    return compare(await chartReference({ helm: values.helm, path: values.chart }, values.variants));
  }
  if (values.recorded !== undefined) return compare(recordedReference(values.recorded));
  process.stderr.write(USAGE);
  return 2;
}

void main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
  },
);
