/** A page of the site: Markdown with links between pages of the site. */
export interface SitePage {
  /** Path in the site, such as `reference/Viz.md`. */
  readonly path: string;
  readonly text: string;
}

/** Inline code, in more backticks than the text contains. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const space = fence.length > 1 ? ' ' : '';
  return `${fence}${space}${text.replace(/\s+/g, ' ')}${space}${fence}`;
}

/** A block of code. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** A row of a table: the lines of a cell are joined with spaces, its paragraphs with line breaks. */
export function row(...cells: readonly string[]): string {
  const shown = cells.map((cell) =>
    cell
      .trim()
      .replace(/\n\s*\n/g, '<br>')
      .replace(/\s*\n\s*/g, ' ')
      .replaceAll('|', '\\|'),
  );
  return `| ${shown.join(' | ')} |`;
}
