import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeValues, type Values } from '#base/values';
import { renderChart } from '#lib/cli/render-chart';
import { CHART_NAMES, type ChartName } from '#linkerd/renderers/chart-names';
import { fingerprintOfAll, type MixedVariant } from '#tools/conformance/mixed';

/** Variants with a dozen changed values, which find faults that single values do not (`tools/conformance/mixed.ts`). */
function variantsOf(chart: ChartName) {
  const file = join(__dirname, `../conformance/${chart}-edge-26.8.3-mixed.jsonl`);
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { baseValues } = JSON.parse(first) as { baseValues: Values };
  return lines
    .map((line) => JSON.parse(line) as MixedVariant)
    .map(({ name, values, objects }) => ({ name, objects, values: mergeValues(baseValues, values) }));
}

const wild = (numbers: string) => numbers.split(' ').map((number) => `wild-${number}`);

/**
 * Variants that the chart renders and this renderer refuses: components or API servers cannot read their null and empty
 * values.
 */
const REFUSED: Readonly<Record<ChartName, readonly string[]>> = {
  'linkerd-control-plane': wild(
    '005 026 027 032 033 036 041 042 043 052 067 069 073 078 080 087 088 089 096 101 105 119',
  ),
  'linkerd-viz': wild('002 009 017 020 031 034 054 056'),
  'linkerd2-cni': wild('002 010 026 027 034 038'),
};

/** Variants on which the chart fails by mistake (see `VIZ_FIXES`). */
const FIXED: readonly string[] = ['mix-021', 'mix-057', 'wild-005', 'wild-048', 'wild-053'];

describe.each(CHART_NAMES)('the renderer of %s, with many changed values at once,', (chart) => {
  const results = variantsOf(chart).map((variant) => ({ ...variant, ours: renderChart({ chart, ...variant }) }));

  test('renders the same objects as the chart', () => {
    const different = results.filter(
      ({ objects, ours }) => objects !== undefined && 'objects' in ours && fingerprintOfAll(ours.objects) !== objects,
    );
    expect(results.length).toBeGreaterThan(79);
    expect(different.map(({ name }) => name)).toEqual([]);
  });

  test('refuses values that the chart refuses', () => {
    const rendered = results.filter(({ objects, ours }) => objects === undefined && 'objects' in ours);
    expect(rendered.map(({ name }) => name)).toEqual(chart === 'linkerd-viz' ? FIXED : []);
  });

  test('refuses other values only if they are listed', () => {
    const refused = results.filter(({ objects, ours }) => objects !== undefined && 'problems' in ours);
    expect(refused.map(({ name }) => name)).toEqual(REFUSED[chart]);
  });
});
