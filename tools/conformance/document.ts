import type { RenderedChart } from '../../lib/charts/chart';
import { renderedCharts } from './rendered-charts';

/** The document of intended differences, made from the data that comparisons read. */
export function intentionsDocument(): string {
  return [
    '# Intended differences',
    '',
    'Where rendered manifests differ on purpose from what Helm prints for the official charts of all releases that have',
    'them, or of those that an item names. Made from `intended-differences.ts` of each renderer by',
    '`npm run conformance:docs`.',
    ...renderedCharts().flatMap(chartSection),
    '',
  ].join('\n');
}

function chartSection({ pinned, native }: RenderedChart): readonly string[] {
  const { differences, refusals, fixes } = native.intended;
  return [
    '',
    `## ${pinned.name}`,
    '',
    ...differences.map(({ object, path, reason }) => `- \`${object}\` at \`${path}\`: ${reason}`),
    ...refusals.map(({ values, reason }) => `- Refused: \`${JSON.stringify(values)}\`. ${reason}`),
    ...fixes.map(
      ({ values, reason }) => `- Rendered, although the chart fails: \`${JSON.stringify(values)}\`. ${reason}`,
    ),
  ];
}
