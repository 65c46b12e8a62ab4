import { type Html, html } from '../../report/page/html';
import { htmlPage } from '../../report/page/html-page';
import type { Block, Inline, Item } from './page';

/** Colours have a contrast of at least 4.5 to 1 with the page in both schemes. */
const STYLE = `
:root { --page: #fff; --text: #1c1e21; --faint: #8883; --line: #8886; --link: #0b57b0; --breaks: #b3161b; --opens: #94480a; --error: #7b2fa0; }
@media (prefers-color-scheme: dark) { :root { --page: #16181c; --text: #e4e6ea; --link: #8ab8f5; --breaks: #ff8f8a; --opens: #f2b063; --error: #d3a6f0; } }
body { background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; overflow-wrap: anywhere; padding: 0 1rem; }
h2 { border-bottom: 1px solid var(--line); font-size: 1.2rem; margin-top: 2.5rem; padding-bottom: .3rem; }
a { color: var(--link); }
code { background: var(--faint); border-radius: 3px; font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; padding: .1em .3em; white-space: pre-wrap; }
td code { overflow-wrap: normal; }
ul, ol { padding-left: 1.4rem; }
nav { border-left: 3px solid var(--line); padding-left: 1rem; }
summary { cursor: pointer; font-weight: 600; }
table { border-collapse: collapse; display: block; margin: 1rem 0; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); overflow-wrap: normal; padding: .3rem 1rem .3rem 0; text-align: left; vertical-align: top; }
.breaks-traffic { color: var(--breaks); }
.opens-access { color: var(--opens); }
.error { color: var(--error); }
@media (max-width: 40rem) { body { margin: 1rem auto; } ul ul, details ul { padding-left: .9rem; } table { display: table; } th, td { padding-right: .5rem; } th, td, td code { overflow-wrap: anywhere; } td:first-child { min-width: 4.5rem; } }
`;

/** Renders a page as one self-contained HTML file without scripts. */
export function renderHtml(page: readonly Block[]): string {
  return htmlPage({ title: 'What changes in the mesh', style: STYLE, body: html`${page.map(blockHtml)}` }).text;
}

function blockHtml(block: Block): Html {
  switch (block.type) {
    case 'heading':
      return block.level === 1
        ? html`<h1>${block.text.map(inlineHtml)}</h1>\n`
        : html`<h2 id="${block.anchor ?? ''}">${block.text.map(inlineHtml)}</h2>\n`;
    case 'paragraph':
      return html`<p>${block.text.map(inlineHtml)}</p>\n`;
    case 'list':
      return itemsHtml(block.items);
    case 'table':
      return html`<table>
<tr>${block.head.map((cell) => html`<th>${cell}</th>`)}</tr>
${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell.map(inlineHtml)}</td>`)}</tr>\n`)}</table>
`;
    case 'contents':
      return html`<nav><ol>
${block.items.map(({ anchor, text }) => html`<li><a href="#${anchor}">${text.map(inlineHtml)}</a></li>\n`)}</ol></nav>
`;
    case 'details':
      return html`<details><summary>${block.summary.map(inlineHtml)}</summary>\n${block.blocks.map(blockHtml)}</details>\n`;
  }
}

function itemsHtml(items: readonly Item[]): Html {
  return html`<ul>
${items.map(({ text, items: below = [] }) => html`<li>${text.map(inlineHtml)}${below.length > 0 && itemsHtml(below)}</li>\n`)}</ul>
`;
}

function inlineHtml(inline: Inline): Html {
  if (typeof inline === 'string') return html`${inline}`;
  if ('code' in inline) return html`<code>${inline.code}</code>`;
  if ('strong' in inline) return html`<strong>${inline.strong}</strong>`;
  return html`<strong class="${inline.severity}">${inline.words}</strong>`;
}
