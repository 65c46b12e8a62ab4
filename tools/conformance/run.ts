import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { renderChart } from '#lib/cli/render-chart';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { type ComparedVariant, compareRenders, comparisonReport } from './comparison';
import { readFingerprints } from './fingerprint';
import { inParallel } from './in-parallel';
import { allVariants, isChartName, knownRenders, unlikeKnown } from './known-renders';
import { chartReference, type Reference, recordedReference } from './reference';
import { releaseNamed } from './releases';

const USAGE = `Compares the renders of Helm and of the native renderer for the same values.

npx tsx tools/conformance/run.ts --chart DIR [--helm PATH] [--release NAME] [--variants FILE]
npx tsx tools/conformance/run.ts --recorded DIR [--release NAME]
npx tsx tools/conformance/run.ts --all

  --chart DIR      the official chart, as a folder or a package, subcharts included ("helm pull --untar")
  --helm PATH      the Helm to render it with (default: helm)
  --release NAME   the release whose renderer is compared with it (default: the release of its version)
  --variants FILE  fingerprints, whose values are rendered (default: those of the release in test/conformance)
  --recorded DIR   compare with recorded renders instead: a folder CHART/RELEASE with base-values.json, base.yaml and
                   variants.jsonl
  --all            compare with all fingerprints of renders by Helm in test/conformance

Exits with 1 for a difference that is not intended.
`;

async function compare({ chart, release, variants, render }: Reference): Promise<readonly ComparedVariant[]> {
  const { intended } = nativeChartOf(chart, release).native;
  return inParallel(variants, availableParallelism(), async ({ name, values }): Promise<ComparedVariant> => {
    const ours = renderChart({ chart, values, release });
    return { name, ...compareRenders(values, await render({ name, values }), ours, intended) };
  });
}

async function report(reference: Reference): Promise<number> {
  const { chart, of, release, ownValues } = reference;
  console.log(`${chart} of ${of} against the native renderer of ${release.version}`);
  if (Object.keys(ownValues).length > 0)
    console.log(`Its default values differ: ${JSON.stringify(ownValues, null, 2)}`);
  const compared = await compare(reference);
  console.log(comparisonReport(compared).join('\n'));
  return compared.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

function reportAll(): number {
  let different = 0;
  for (const { chart, group, file } of knownRenders()) {
    if (!isChartName(chart)) {
      console.log(`${chart} ${group}: no renderer`);
      continue;
    }
    const rendered = nativeChartOf(chart, releaseNamed(group));
    const { base, variants } = readFingerprints(file);
    const all = allVariants({ base, variants });
    const unlike = all.flatMap((variant) =>
      unlikeKnown(rendered, base, variant).map((place) => `  ${variant.name}: ${place}`),
    );
    console.log([`${chart} ${group}: ${all.length} variants, ${unlike.length} differences`, ...unlike].join('\n'));
    different += unlike.length;
  }
  return different > 0 ? 1 : 0;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      chart: { type: 'string' },
      helm: { type: 'string', default: 'helm' },
      recorded: { type: 'string' },
      release: { type: 'string' },
      variants: { type: 'string' },
    },
  });
  if (values.chart !== undefined) {
    return report(await chartReference({ helm: values.helm, path: values.chart }, values));
  }
  if (values.recorded !== undefined) return report(recordedReference(values.recorded, values));
  if (values.all) return reportAll();
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
