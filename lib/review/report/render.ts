import page from '../../../page/build/page.json';
import type { PageData, PlatformReport } from './model';
import { clusterSections, releasesLine } from './view/cluster-view';
import { forecastView } from './view/forecast-view';
import { type Html, html, raw } from './view/html';
import { htmlPage } from './view/html-page';
import { clusterChoice } from './view/switcher';

/** Two anchors, one after the other. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect y='3' width='11' height='4' rx='1' fill='%234a6da7'/%3E%3Crect x='5' y='9' width='11' height='4' rx='1' fill='%232b8a78'/%3E%3C/svg%3E";

/**
 * Renders a report as one page that needs nothing else. Its bytes follow from the report alone: it has no date, nor the
 * time of its making.
 */
export function renderReport({ groups }: PlatformReport): string {
  const data: PageData = {
    groups: groups.map(({ clusters, report: { pki, schedules } }) => ({ clusters, mesh: { pki, schedules } })),
  };
  const [first] = data.groups;
  const [cluster = ''] = first?.clusters ?? [];
  const body = html`<header><h1>Linkerd on this platform</h1>
<nav id="clusters" aria-label="Clusters">${clusterChoice(data, cluster)}</nav></header>
<main>
${groups.map(({ report }, index) => ofGroup(index, releasesLine(report)))}
${first === undefined ? html`<p>There are no clusters.</p>` : forecastView(first.mesh)}
${groups.map(({ report }, index) => ofGroup(index, clusterSections(report)))}
</main>
<footer><p>Made by cdk8s-linkerd from the committed output alone. It knows nothing of the live clusters.</p></footer>
<noscript><p>Without JavaScript this shows the first cluster under usual conditions, in times that count from its anchor.</p></noscript>
<script type="application/json" id="report">${raw(dataText(data))}</script>
<script>${raw(page.script)}</script>`;
  return htmlPage({
    title: 'Linkerd on this platform',
    style: page.style,
    script: page.script,
    icon: ICON,
    body,
  }).text;
}

/** A part of the page that is shown with one group of clusters only. */
function ofGroup(index: number, content: Html): Html {
  return html`<div class="group" data-group="${index}"${index > 0 && html` hidden`}>${content}</div>`;
}

/** JSON that ends no element, whatever the names in it are. */
function dataText(data: PageData): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
