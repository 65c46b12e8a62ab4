import type { IntendedDifference, IntendedRefusal } from '../../lib/linkerd/manifests/intended-differences';

/** One chart's part of the document. */
export interface ChartIntentions {
  readonly chart: string;
  readonly differences: readonly IntendedDifference[];
  readonly refusals: readonly IntendedRefusal[];
  readonly fixes: readonly IntendedRefusal[];
}

/** The document of intended differences, made from the data that comparisons read. */
export function intentionsDocument(charts: readonly ChartIntentions[]): string {
  return [
    '# Intended differences',
    '',
    'Where rendered manifests differ on purpose from what Helm prints for the official charts of edge-26.8.3. Made from',
    '`intended-differences.ts` of each renderer by `npm run conformance:docs`.',
    ...charts.flatMap(chartSection),
    '',
  ].join('\n');
}

function chartSection({ chart, differences, refusals, fixes }: ChartIntentions): readonly string[] {
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
