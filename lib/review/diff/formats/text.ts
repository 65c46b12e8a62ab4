import type { Block, Inline } from './page';
import { itemLines } from './page';

/** Renders a page as plain text, for terminals. */
export function renderText(page: readonly Block[]): string {
  return `${page
    .filter(({ type }) => type !== 'contents')
    .map(blockText)
    .join('\n\n')}\n`;
}

function blockText(block: Block): string {
  if (block.type === 'heading') {
    const text = lineOf(block.text);
    return block.level === 1 ? `${text}\n${'='.repeat(Math.min(text.length, 100))}` : text;
  }
  if (block.type === 'paragraph') return lineOf(block.text);
  if (block.type === 'list') return itemLines(block.items, '  ', lineOf);
  if (block.type === 'table') return tableText(block);
  if (block.type === 'contents') return '';
  return [`  ${lineOf(block.summary)}`, ...block.blocks.map(blockText)].join('\n');
}

function tableText({ head, rows }: Extract<Block, { readonly type: 'table' }>): string {
  const lines = [head, ...rows.map((row) => row.map(lineOf))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** Escapes line feeds, so that a name cannot start a line. */
function lineOf(text: readonly Inline[]): string {
  return text.map(plainText).join('').replaceAll('\n', '\\n');
}

function plainText(inline: Inline): string {
  if (typeof inline === 'string') return inline;
  if ('code' in inline) return inline.code;
  return 'strong' in inline ? inline.strong : inline.words;
}
