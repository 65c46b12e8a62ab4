import type { Files } from '../../import/schema-files';
import { defaultText } from '../../import/value-comments';
import { type ValuePlace, valuePlaces } from '../../import/value-places';
import { noteOn } from '../../import/values-notes';
import { escapeHtml } from '../html';
import type { Section, SitePage } from '../page';

/** A page for each chart with all values of its newest release: their defaults, and our notes on them. */
export function valuePages(imports: Files): readonly SitePage[] {
  const byChart = new Map<string, ValuePlace[]>();
  for (const [key, places] of valuePlaces(imports)) {
    const [, chart = ''] = key.split('/');
    byChart.set(chart, [...(byChart.get(chart) ?? []), ...places]);
  }
  return [...byChart].map(([chart, places]) => page(chart, places));
}

function page(chart: string, all: readonly ValuePlace[]): SitePage {
  const release = newest(all.map((place) => place.release));
  const places = all.filter(
    (place) => place.release === release && (place.members === 'none' || noteOn(chart, place.path) !== undefined),
  );
  const sorted = [...new Map(places.map((place) => [place.path, place])).values()].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const title = `Values of ${chart}`;
  const ids = new Set<string>();
  const rows = sorted.map((place) => {
    const id = uniqueId(place.path, ids);
    const note = noteOn(chart, place.path) ?? '';
    const text = defaultText(place) ?? '';
    const html =
      `<tr id="${id}"><th scope="row"><a href="#${id}"><code>${escapeHtml(place.path)}</code></a></th><td>` +
      `${note === '' ? '' : `<p>${inline(note)}</p>`}${text === '' ? '' : `<p class="default"><b>Default</b> ${shown(text)}</p>`}</td></tr>`;
    const section: Section = { anchor: id, title: place.path, level: 3, text: `${note} ${text}`.trim() };
    return { html, section };
  });
  const intro =
    `The values that ${chart} takes as of ${release}, with the chart's own defaults. They are typed: editors show the same ` +
    'beside each key of `values`.';
  return {
    path: `reference/values-${chart}.html`,
    title,
    kind: 'Reference',
    html:
      `<h1>${escapeHtml(title)}</h1>\n<p>${inline(intro)}</p>\n` +
      `<div class="table members" tabindex="0" role="region" aria-label="Values"><table><thead><tr><th scope="col">Value</th>` +
      `<th scope="col">Meaning and default</th></tr></thead><tbody>${rows.map(({ html }) => html).join('\n')}</tbody></table></div>`,
    sections: [{ anchor: '', title, level: 1, text: intro.replaceAll('`', '') }, ...rows.map(({ section }) => section)],
  };
}

/** The newest of a chart's releases: an edge release is newer than a stable one. */
function newest(releases: readonly string[]): string {
  const order = new Intl.Collator('en', { numeric: true });
  const edges = releases.filter((release) => !release.startsWith('stable'));
  return [...(edges.length > 0 ? edges : releases)].sort(order.compare).at(-1) ?? '';
}

function uniqueId(path: string, ids: Set<string>): string {
  const wanted = path.replace(/[^\w-]/g, '-');
  let id = wanted;
  for (let count = 1; ids.has(id); count += 1) id = `${wanted}-${count}`;
  ids.add(id);
  return id;
}

const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Defaults are values, or words after a dash. */
const shown = (text: string): string => {
  if (text.startsWith('- ')) return inline(text.slice(2));
  const [value = '', ...words] = text.split(', with high availability ');
  return `<code>${escapeHtml(value)}</code>${words.map((word) => `, with high availability <code>${escapeHtml(word)}</code>`).join('')}`;
};
