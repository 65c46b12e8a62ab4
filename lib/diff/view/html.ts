import { type Html, html } from '../../report/view/html';
import { htmlPage } from '../../report/view/html-page';
import type { Block, Inline, Item } from './page';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; overflow-wrap: anywhere; padding: 0 1rem; }
h2 { border-bottom: 1px solid #8886; font-size: 1.2rem; margin-top: 2.5rem; padding-bottom: .3rem; }
code { background: #8882; border-radius: 3px; font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; padding: .1em .3em; white-space: pre-wrap; }
ul { padding-left: 1.4rem; }
summary { cursor: pointer; font-weight: 600; }
`;

/** A page as one HTML file that needs nothing else, and runs no script. */
export function renderHtml(page: readonly Block[]): string {
  return htmlPage({ title: 'What changes in the mesh', style: STYLE, body: html`${page.map(blockHtml)}` }).text;
}

function blockHtml(block: Block): Html {
  switch (block.type) {
    case 'heading':
      return block.level === 1
        ? html`<h1>${block.text.map(inlineHtml)}</h1>\n`
        : html`<h2>${block.text.map(inlineHtml)}</h2>\n`;
    case 'paragraph':
      return html`<p>${block.text.map(inlineHtml)}</p>\n`;
    case 'list':
      return itemsHtml(block.items);
    case 'details':
      return html`<details open><summary>${block.summary.map(inlineHtml)}</summary>\n${block.blocks.map(blockHtml)}</details>\n`;
  }
}

function itemsHtml(items: readonly Item[]): Html {
  return html`<ul>
${items.map(({ text, items: below = [] }) => html`<li>${text.map(inlineHtml)}${below.length > 0 && itemsHtml(below)}</li>\n`)}</ul>
`;
}

function inlineHtml(inline: Inline): Html {
  if (typeof inline === 'string') return html`${inline}`;
  return 'code' in inline ? html`<code>${inline.code}</code>` : html`<strong>${inline.strong}</strong>`;
}
