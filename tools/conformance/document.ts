import type { Intentions } from '#linkerd/charts/chart';
import { RENDERED_CHART_NAMES, type RenderedChartName } from '#linkerd/renderers/chart-names';
import { releaseRanges } from './release-ranges';
import { renderedReleases } from './rendered-releases';

/** The document of intended differences, made from the data that comparisons read. */
export function intentionsDocument(): string {
  return [
    '# Intended differences',
    '',
    'This page lists the intended differences between rendered manifests and the output of Helm for the official charts.',
    'An item is about all releases of a chart, or about the releases that it names. `npm run docs` generates the page from',
    '`intended-differences.ts` of each renderer.',
    '',
    'A difference starts with two regular expressions: for the objects, as `apiVersion/kind/namespace/name`,',
    'and for the places in them, as JSON pointers.',
    '',
    'Values that no release of a chart reads are refused; Helm silently ignores them. Values that only other releases read',
    'are refused by constructs, and ignored by `cdk8s-linkerd render` with a warning. Values of a wrong type are refused,',
    'because Helm renders them to objects that the API server refuses.',
    ...RENDERED_CHART_NAMES.flatMap(chartSection),
    '',
  ].join('\n');
}

function chartSection(chart: RenderedChartName): readonly string[] {
  const intended = renderedReleases(chart).map(({ release, native }) => ({ release, intended: native.intended }));
  const releases = intended.map(({ release }) => release);
  const entries = <K extends keyof Intentions>(kind: K, text: (entry: Intentions[K][number]) => string) =>
    [...new Set(intended.flatMap((one): readonly Intentions[K][number][] => one.intended[kind]))].map((entry) => {
      const held = intended.filter((one) => one.intended[kind].some((other) => other === entry));
      const ranges = releaseRanges(
        held.map(({ release }) => release),
        releases,
      );
      return `- ${text(entry)}${ranges === 'all' ? '' : ` Only ${ranges}.`}`;
    });
  return [
    '',
    `## ${chart}`,
    '',
    ...entries('differences', ({ object, path, reason }) => `\`${object}\` at \`${path}\`: ${reason}`),
    ...entries('refusals', ({ values, reason }) => `Refused: \`${JSON.stringify(values)}\`. ${reason}`),
    ...entries(
      'fixes',
      ({ values, reason }) => `Rendered, although the chart fails: \`${JSON.stringify(values)}\`. ${reason}`,
    ),
  ];
}
