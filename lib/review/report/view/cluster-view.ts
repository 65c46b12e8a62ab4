import type { ClusterReport } from '../model';
import { type Html, html } from './html';
import { differencesSection, warningsSection, wavesSection } from './sections';

/** The part of the page about a group of clusters that nobody's choice changes. */
export function clusterSections(report: ClusterReport): Html {
  return html`${warningsSection(report)}
${wavesSection(report)}
${differencesSection(report)}`;
}

/** The releases of a group of clusters. */
export function releasesLine({ releases }: ClusterReport): Html {
  return html`<p class="releases">${releases.join(' \u00b7 ')}</p>`;
}
