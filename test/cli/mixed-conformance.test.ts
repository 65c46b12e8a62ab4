import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeValues, type Values } from '#base/values';
import { CHART_NAMES, type ChartName } from '#lib/cli/chart-names';
import { renderChart } from '#lib/cli/render-chart';
import { fingerprintOfAll, type MixedVariant } from '#tools/conformance/mixed';

/** Variants of a dozen values at once, which show what one value alone does not (`tools/conformance/mixed.ts`). */
function variantsOf(chart: ChartName) {
  const file = join(__dirname, `../conformance/${chart}-edge-26.8.3-mixed.jsonl`);
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { baseValues } = JSON.parse(first) as { baseValues: Values };
  return lines
    .map((line) => JSON.parse(line) as MixedVariant)
    .map(({ name, values, objects }) => ({ name, objects, values: mergeValues(baseValues, values) }));
}

/** What the chart renders and we refuse: empty and null values that its components, or API servers, cannot read. */
const REFUSED: Readonly<Record<ChartName, readonly string[]>> = {
  'linkerd-control-plane': [
    'wild-005',
    'wild-026',
    'wild-027',
    'wild-032',
    'wild-033',
    'wild-036',
    'wild-041',
    'wild-042',
    'wild-043',
    'wild-052',
    'wild-067',
    'wild-069',
    'wild-073',
    'wild-078',
    'wild-080',
    'wild-087',
    'wild-088',
    'wild-089',
    'wild-096',
    'wild-101',
    'wild-105',
    'wild-119',
  ],
  'linkerd-viz': ['wild-002', 'wild-009', 'wild-017', 'wild-020', 'wild-031', 'wild-034', 'wild-054', 'wild-056'],
  'linkerd2-cni': ['wild-002', 'wild-010', 'wild-026', 'wild-027', 'wild-034', 'wild-038'],
};

/** What the chart fails on by mistake (`VIZ_FIXES`). */
const FIXED: readonly string[] = ['mix-021', 'mix-057', 'wild-005', 'wild-048', 'wild-053'];

describe.each(CHART_NAMES)('%s, with many values at once', (chart) => {
  const results = variantsOf(chart).map((variant) => ({ ...variant, ours: renderChart({ chart, ...variant }) }));

  test('renders what the chart renders', () => {
    const different = results.filter(
      ({ objects, ours }) => objects !== undefined && 'objects' in ours && fingerprintOfAll(ours.objects) !== objects,
    );
    expect(results.length).toBeGreaterThan(79);
    expect(different.map(({ name }) => name)).toEqual([]);
  });

  test('refuses what the chart refuses', () => {
    const rendered = results.filter(({ objects, ours }) => objects === undefined && 'objects' in ours);
    expect(rendered.map(({ name }) => name)).toEqual(chart === 'linkerd-viz' ? FIXED : []);
  });

  test('refuses little else', () => {
    const refused = results.filter(({ objects, ours }) => objects !== undefined && 'problems' in ours);
    expect(refused.map(({ name }) => name)).toEqual(REFUSED[chart]);
  });
});
