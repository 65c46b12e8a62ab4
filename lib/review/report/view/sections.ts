import type { ClusterReport, FolderWaves } from '../model';
import { type Html, html } from './html';

/** The objects of each folder by sync wave. */
export function wavesSection({ waves }: ClusterReport): Html {
  const numbers = [...new Set(waves.flatMap((folder) => folder.waves.map(({ wave }) => wave)))].sort((a, b) => a - b);
  return html`<section aria-labelledby="waves"><h2 id="waves">Sync waves</h2>
<p class="lead">Argo CD applies the objects of a folder wave by wave, and waits until each wave is healthy. Each folder is a separate Application, and folders sync in parallel.</p>
<div class="scroll" role="region" aria-labelledby="waves" tabindex="0"><table class="waves stacked"><thead><tr><th scope="col">Folder</th>${numbers.map((wave) => html`<th scope="col">${wave}</th>`)}<th scope="col">All</th></tr></thead>
<tbody>${waves.map((folder) => waveRow(folder, numbers))}</tbody></table></div></section>`;
}

function waveRow({ folder, charts, waves }: FolderWaves, numbers: readonly number[]): Html {
  const counts = new Map(waves.map(({ wave, kinds }) => [wave, kinds]));
  const all = waves.flatMap(({ kinds }) => kinds).reduce((sum, [, count]) => sum + count, 0);
  return html`<tr><th scope="row"><span class="name">${folder}</span>${charts.length > 0 && html`<small>with ${charts.join(', ')}</small>`}</th>${numbers.map(
    (wave) => {
      const kinds = counts.get(wave);
      if (kinds === undefined) return html`<td class="none">\u00b7</td>`;
      const count = kinds.reduce((sum, [, of]) => sum + of, 0);
      const list = kinds.map(([kind, of], index) => html`${index > 0 && ', '}${of > 1 && `${of} `}${breakable(kind)}`);
      return html`<td class="heat-${heatOf(count)}" data-label="Wave ${wave}"><b>${count}</b><small>${list}</small></td>`;
    },
  )}<td data-label="All">${all}${charts.length > 0 && html`<small>plus charts</small>`}</td></tr>`;
}

/** A name that may go on in the next line before each of its words. */
function breakable(kind: string): Html {
  return html`${kind.split(/(?<=[a-z])(?=[A-Z])/).map((word, index) => html`${index > 0 && WORD_END}${word}`)}`;
}

const WORD_END = html`<wbr>`;

function heatOf(count: number): number {
  return count > 20 ? 3 : count > 5 ? 2 : 1;
}

/** Warnings, open and acknowledged, and files that cannot be read. */
export function warningsSection({ warnings, unreadable }: ClusterReport): Html {
  const open = (warnings ?? []).filter(({ reason }) => reason === undefined);
  const acknowledged = (warnings ?? []).filter(({ reason }) => reason !== undefined);
  return html`<section aria-labelledby="warnings"><h2 id="warnings">Findings</h2>
${warnings === undefined && html`<p>The version of the library that wrote this output did not record warnings. Synthesize again to see them.</p>`}
${unreadable.length > 0 && html`<h3>Files that cannot be read</h3><ul class="findings">${unreadable.map(({ path, reason }) => html`<li class="open"><code>${path}</code>: ${reason}</li>`)}</ul>`}
${open.length > 0 && html`<h3>Open</h3><ul class="findings">${open.map(({ code, path, what, why, fix }) => html`<li class="open"><p><strong>${what}.</strong> ${why}.</p><p>Fix: ${fix}.</p><p class="where"><code>${code}</code> at ${path || 'the cluster'}</p></li>`)}</ul>`}
${acknowledged.length > 0 && html`<h3>Acknowledged</h3><ul class="findings">${acknowledged.map(({ code, path, what, why, reason }) => html`<li><p class="reason">\u201c${reason}\u201d</p><p><strong>${what}.</strong> ${why}.</p><p class="where"><code>${code}</code> at ${path || 'the cluster'}</p></li>`)}</ul>`}
${warnings !== undefined && warnings.length + unreadable.length === 0 && html`<p>No findings.</p>`}
</section>`;
}

/** The places in which the output differs from Helm's, and from the cluster, on purpose. */
export function differencesSection({ differences, ignored }: ClusterReport): Html {
  return html`<section aria-labelledby="differences"><h2 id="differences">Intended differences</h2>
<details><summary>Differences from Helm\u2019s output for the official charts: ${differences.reduce((sum, one) => sum + one.differences.length, 0)}</summary>
${differences.map(
  ({ chart, differences: places }) =>
    html`<h3>${chart}</h3><dl class="places">${places.map(({ place, reason }) => html`<div><dt><code>${place}</code></dt><dd>${reason}</dd></div>`)}</dl>`,
)}</details>
<details><summary>Fields that Argo CD ignores: ${ignored.length}</summary><dl class="places">${ignored.map(
    ({ object, fields }) => html`<div><dt>${object}</dt><dd><code>${fields.join(', ')}</code></dd></div>`,
  )}</dl></details></section>`;
}
