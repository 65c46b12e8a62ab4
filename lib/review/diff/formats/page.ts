import type { Severity } from '../severity';

/** A piece of a line: words of the library, or a string from the output, which is shown literally. */
export type Inline =
  | string
  | { readonly code: string }
  | { readonly strong: string }
  /** A severity in words. */
  | { readonly severity: Severity; readonly words: string };

/** A part of a page. Each format renders it in its own way. */
export type Block =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: readonly Inline[]; readonly anchor?: string }
  | { readonly type: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly type: 'list'; readonly items: readonly Item[] }
  | {
      readonly type: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  /** Links to the headings with these anchors, for long pages. */
  | {
      readonly type: 'contents';
      readonly items: readonly { readonly anchor: string; readonly text: readonly Inline[] }[];
    }
  /** Blocks that can be expanded. */
  | { readonly type: 'details'; readonly summary: readonly Inline[]; readonly blocks: readonly Block[] };

/** An item of a list, with the items below it. */
export interface Item {
  readonly text: readonly Inline[];
  readonly items?: readonly Item[];
}

/** A line of a text difference. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** A template tag for a line of words. Strings in its gaps come from the output, and are shown literally. */
export function say(words: TemplateStringsArray, ...texts: readonly (string | number | Inline)[]): readonly Inline[] {
  return words.flatMap((word, index): readonly Inline[] => {
    const text = texts[index];
    const gap: readonly Inline[] =
      text === undefined
        ? []
        : typeof text === 'object'
          ? [text]
          : typeof text === 'number'
            ? [`${text}`]
            : [code(text)];
    return word === '' ? gap : [word, ...gap];
  });
}

/** Renders a list as indented lines that begin with a dash. */
export function itemLines(items: readonly Item[], indent: string, lineOf: (text: readonly Inline[]) => string): string {
  const lines = items.flatMap(({ text, items: below = [] }) => [
    `${indent}- ${lineOf(text)}`,
    ...(below.length === 0 ? [] : [itemLines(below, `${indent}  `, lineOf)]),
  ]);
  return lines.join('\n');
}

/** A string from the output. */
export function code(text: string): Inline {
  return { code: text };
}

/** Lists at most `most` strings from the output. */
export function listed(texts: readonly string[], most: number): readonly Inline[] {
  const shown = texts.slice(0, most).flatMap((text, index) => (index === 0 ? [code(text)] : [', ', code(text)]));
  return texts.length > most ? [...shown, ` and ${texts.length - most} more`] : shown;
}
