import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  /** Such as `sh`, `ts`, `text`. */
  readonly language: string;
  /** The rest of the line that opens it, such as `optional`. */
  readonly mark: string;
  readonly text: string;
  /** The line of the page that opens it, from 1. */
  readonly line: number;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(path: string): readonly Block[] {
  const page = readFileSync(path, 'utf8');
  return [...page.matchAll(/^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: mark = '', 3: text = '', index }) => ({
      language,
      mark,
      text,
      line: lineOf(page, index),
    }),
  );
}

function lineOf(page: string, offset: number): number {
  return page.slice(0, offset).split('\n').length;
}

/** What a reader does next. */
export type Step =
  | { readonly do: 'run'; readonly block: Block; readonly output: string | undefined }
  | { readonly do: 'write'; readonly block: Block };

/**
 * The steps of a guide: commands are run, with the `text` block right after them as what they print, and programs are
 * written. Blocks that are marked `optional` or `fragment` are none.
 */
export function stepsOf(blocks: readonly Block[]): readonly Step[] {
  return blocks.flatMap((block, index): readonly Step[] => {
    if (block.mark !== '') return [];
    if (block.language === 'ts') return [{ do: 'write', block }];
    if (block.language !== 'sh') return [];
    const next = blocks[index + 1];
    return [{ do: 'run', block, output: next?.language === 'text' ? next.text : undefined }];
  });
}

/**
 * The first line of an expected output that is not among the lines of the actual one, in order; nothing if all are. `…`
 * stands for anything, and blanks for any number of blanks.
 */
export function missingLine(expected: string, actual: string): string | undefined {
  const lines = actual.split('\n');
  let from = 0;
  for (const wanted of expected.split('\n').filter((line) => line.trim() !== '')) {
    const pattern = patternOf(wanted);
    const found = lines.findIndex((line, index) => index >= from && pattern.test(line));
    if (found === -1) return wanted;
    from = found + 1;
  }
  return undefined;
}

function patternOf(line: string): RegExp {
  const parts = line
    .trim()
    .split(/\s*…\s*/)
    .map((part) => part.split(/\s+/).map(escaped).join('\\s+'));
  return new RegExp(`^\\s*${parts.join('.*')}\\s*$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
