import type { Files } from '../../import/schema-files';
import { defaultText } from '../../import/value-comments';
import { type ValuePlace, valuePlaces } from '../../import/value-places';
import { noteOn } from '../../import/values-notes';
import { code, row, type SitePage } from '../markdown-text';

/** A page for each chart: the values of its newest release, their defaults, and notes from tools/import. */
export function valuePages(imports: Files): readonly SitePage[] {
  const byChart = new Map<string, ValuePlace[]>();
  for (const [key, places] of valuePlaces(imports)) {
    const [, chart = ''] = key.split('/');
    byChart.set(chart, [...(byChart.get(chart) ?? []), ...places]);
  }
  return [...byChart].map(([chart, places]) => ({
    path: `reference/values-${chart}.md`,
    text: page(chart, places),
  }));
}

function page(chart: string, all: readonly ValuePlace[]): string {
  const release = newest(all.map((place) => place.release));
  const places = all.filter(
    (place) => place.release === release && (place.members === 'none' || noteOn(chart, place.path) !== undefined),
  );
  const sorted = [...new Map(places.map((place) => [place.path, place])).values()].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  return [
    `# Values of ${chart}`,
    `The values of ${chart} in ${release}, with the chart's defaults. Editors show the same text for each key of \`values\`.`,
    [
      '| Value | Default | Meaning |',
      '| --- | --- | --- |',
      ...sorted.map((place) => row(code(place.path), shown(defaultText(place) ?? ''), noteOn(chart, place.path) ?? '')),
    ].join('\n'),
  ].join('\n\n');
}

/** The newest of a chart's releases: an edge release is newer than a stable one. */
function newest(releases: readonly string[]): string {
  const order = new Intl.Collator('en', { numeric: true });
  const edges = releases.filter((release) => !release.startsWith('stable'));
  return [...(edges.length > 0 ? edges : releases)].sort(order.compare).at(-1) ?? '';
}

/** Formats a default: a value, or words after a dash. */
function shown(text: string): string {
  if (text === '' || text.startsWith('- ')) return text.slice(2);
  const [value = '', ...words] = text.split(', with high availability ');
  return [code(value), ...words.map((word) => `with high availability ${code(word)}`)].join(', ');
}
