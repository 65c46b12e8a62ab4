import type { OutputDiff } from '../model';
import { pageOf, ringTable } from './content';
import { DETAILS } from './detail';
import type { DiffFormat } from './formats';
import { renderHtml } from './html';
import { blocksMarkdown, renderMarkdown } from './markdown';
import { renderText } from './text';

/** A difference in a format. In Markdown it keeps to a number of bytes: what has no room is counted, and never cut. */
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

/** The rings as a table in Markdown, for pages about them; empty where none changes. */
export function renderRings(rings: OutputDiff['rings']): string {
  return blocksMarkdown(ringTable(rings));
}

const [FIRST] = DETAILS;
