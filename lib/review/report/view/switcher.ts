import type { PageData } from '../model';
import { type Html, html } from './html';

/** The most clusters that are links beside each other. */
const MOST_LINKS = 6;

/** The choice of a cluster; those that have the same to tell stand together. */
export function clusterChoice({ groups }: PageData, chosen: string): Html {
  const count = groups.reduce((sum, { clusters }) => sum + clusters.length, 0);
  const names = groups.flatMap(({ clusters }) => clusters);
  if (count <= MOST_LINKS) {
    return html`${names.map(
      (name) =>
        html`<a href="#cluster=${encodeURIComponent(name)}"${name === chosen && html` aria-current="true"`}>${name}</a>`,
    )}`;
  }
  const options = (list: readonly string[]) =>
    list.map((name) => html`<option value="${name}"${name === chosen && html` selected`}>${name}</option>`);
  return html`<label for="which">Cluster</label><select id="which">${groups.map(({ clusters }) =>
    clusters.length === 1
      ? options(clusters)
      : html`<optgroup label="${clusters.length} identical">${options(clusters)}</optgroup>`,
  )}</select>`;
}
