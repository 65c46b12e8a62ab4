import type { OutputDiff } from '../model';
import { pageOf, ringTable } from './content';
import { DETAILS } from './detail';
import type { DiffFormat } from './formats';
import { renderHtml } from './html';
import { blocksMarkdown, renderMarkdown } from './markdown';
import { renderText } from './text';

/**
 * Renders a diff in a format. Markdown has at most `limit` bytes: details that do not fit are counted instead of cut
 * off.
 */
export function renderDiff(diff: OutputDiff, format: DiffFormat, limit: number): string {
  if (format === 'json') return `${JSON.stringify(diff, undefined, 2)}\n`;
  if (format === 'html') return renderHtml(pageOf(diff, FIRST));
  if (format === 'text') return renderText(pageOf(diff, FIRST));
  let page = '';
  for (const detail of DETAILS) {
    page = renderMarkdown(pageOf(diff, detail));
    if (Buffer.byteLength(page) <= limit) return page;
  }
  return page;
}

/** Renders the rings as a Markdown table, for other pages; empty if no ring changes. */
export function renderRings(rings: OutputDiff['rings']): string {
  return blocksMarkdown(ringTable(rings));
}

const [FIRST] = DETAILS;
