import { codeSpan, escapeMarkdown, printableText } from '#base/findings/printable-text';
import { html } from '../../report/page/html';
import type { Block, Inline } from './page';
import { itemLines } from './page';

/** The first line of each page. A pipeline finds its earlier comment by this line. */
const COMMENT_MARK = '<!-- cdk8s-linkerd diff -->';

/**
 * Renders a page in Markdown for GitHub and GitLab. Strings from the output cannot become markup, a mention or a link.
 */
export function renderMarkdown(page: readonly Block[]): string {
  return `${COMMENT_MARK}\n\n${blocksMarkdown(page)}\n`;
}

/** Renders blocks in Markdown. */
export function blocksMarkdown(blocks: readonly Block[]): string {
  return blocks
    .filter(({ type }) => type !== 'contents')
    .map(blockText)
    .join('\n\n');
}

function blockText(block: Block): string {
  if (block.type === 'heading') return `${'#'.repeat(block.level + 1)} ${inlines(block.text)}`;
  if (block.type === 'paragraph') return inlines(block.text);
  if (block.type === 'list') return itemLines(block.items, '', inlines);
  if (block.type === 'table') return tableText(block);
  // Comments are short, and GitHub and GitLab set the anchors of headings themselves.
  if (block.type === 'contents') return '';
  return `<details><summary>${inHtml(block.summary)}</summary>\n\n${block.blocks.map(blockText).join('\n\n')}\n\n</details>`;
}

function tableText({ head, rows }: Extract<Block, { readonly type: 'table' }>): string {
  // A bar would end the cell, even within code.
  const cell = (text: readonly Inline[]) => inlines(text).replace(/(?<!\\)\|/g, '\\|');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n');
}

function inlines(text: readonly Inline[]): string {
  return text
    .map((one) => {
      if (typeof one === 'string') return escapeMarkdown(one);
      if ('code' in one) return codeSpan(one.code);
      return `**${escapeMarkdown('strong' in one ? one.strong : one.words)}**`;
    })
    .join('');
}

/** Renders text inside an HTML element, where Markdown has no meaning. */
function inHtml(text: readonly Inline[]): string {
  return text
    .map((one) => {
      if (typeof one === 'string') return htmlText(one);
      if ('code' in one) return `<code>${htmlText(one.code)}</code>`;
      return `<strong>${htmlText('strong' in one ? one.strong : one.words)}</strong>`;
    })
    .join('');
}

function htmlText(text: string): string {
  return html`${printableText(text).replaceAll('\n', ' ')}`.text.replaceAll('@', '&#64;');
}
