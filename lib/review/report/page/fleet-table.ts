import { counted } from '#base/counted';
import { type Content, type Html, html } from './html';

/** A cell of a table of clusters. */
export interface FleetCell {
  readonly content: Content;
  /** The sort key of the cell in its column; its text by default. */
  readonly order?: number;
}

/** A table with a row for each cluster. */
export interface FleetTable {
  /** A sentence above the table that explains its columns. */
  readonly lead?: string;
  /** The first column names the clusters. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly FleetCell[])[];
}

/** The page shows a filter for this number of clusters or more. */
const MANY = 7;

/** Renders the clusters of a fleet. `page/src/fleet-table.ts` sorts and filters them in browsers. */
export function fleetTable({ lead, columns, rows }: FleetTable): Html {
  return html`<section class="fleet" aria-labelledby="fleet"><h2 id="fleet">Clusters</h2>
${lead !== undefined && html`<p class="lead">${lead}</p>`}
<p class="filter" hidden${rows.length >= MANY && html` data-many`}><label for="filter">Filter</label> <input type="search" id="filter"> <output for="filter">${counted(rows.length, 'cluster')}</output></p>
<div class="scroll" role="region" aria-labelledby="fleet" tabindex="0"><table class="stacked"><thead><tr>${columns.map((column) => html`<th scope="col"><button type="button" disabled>${column}</button></th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, index) => cellHtml(cell, columns[index] ?? ''))}</tr>\n`)}</tbody></table></div></section>`;
}

function cellHtml({ content, order }: FleetCell, column: string): Html {
  const place = order !== undefined && html` data-order="${order}"`;
  return column === 'Cluster'
    ? html`<th scope="row"${place}>${content}</th>`
    : html`<td data-label="${column}"${place}>${content}</td>`;
}
