import type { Block, Inline, Item } from './page';

/** A page as plain text, for terminals. */
export function renderText(page: readonly Block[]): string {
  return `${page.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  if (block.type === 'heading') {
    const text = lineOf(block.text);
    return block.level === 1 ? `${text}\n${'='.repeat(Math.min(text.length, 100))}` : text;
  }
  if (block.type === 'paragraph') return lineOf(block.text);
  if (block.type === 'list') return itemsText(block.items, '  ');
  return [`  ${lineOf(block.summary)}`, ...block.blocks.map(blockText)].join('\n');
}

function itemsText(items: readonly Item[], indent: string): string {
  return items
    .flatMap(({ text, items: below = [] }) => [
      `${indent}- ${lineOf(text)}`,
      ...(below.length === 0 ? [] : [itemsText(below, `${indent}  `)]),
    ])
    .join('\n');
}

/** One line: a line feed in a name is no end of it. */
function lineOf(text: readonly Inline[]): string {
  return text
    .map((one) => (typeof one === 'string' ? one : 'code' in one ? one.code : one.strong))
    .join('')
    .replaceAll('\n', '\\n');
}
