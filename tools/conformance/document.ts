import { CHART_NAMES, type ChartName } from '../../lib/cli/chart-names';
import { nativeChartOf } from '../../lib/cli/native-charts';

/** The document of intended differences, made from the data that comparisons read. */
export function intentionsDocument(): string {
  return [
    '# Intended differences',
    '',
    'Where rendered manifests differ on purpose from what Helm prints for the official charts, of all releases unless it',
    'says otherwise. Made from `intended-differences.ts` of each renderer by `npm run conformance:docs`.',
    ...CHART_NAMES.flatMap(chartSection),
    '',
  ].join('\n');
}

function chartSection(chart: ChartName): readonly string[] {
  const { differences, refusals, fixes } = nativeChartOf(chart).native.intended;
  return [
    '',
    `## ${chart}`,
    '',
    ...differences.map(({ object, path, reason }) => `- \`${object}\` at \`${path}\`: ${reason}`),
    ...refusals.map(({ values, reason }) => `- Refused: \`${JSON.stringify(values)}\`. ${reason}`),
    ...fixes.map(
      ({ values, reason }) => `- Rendered, although the chart fails: \`${JSON.stringify(values)}\`. ${reason}`,
    ),
  ];
}
