import { anchors } from '#tools/site/anchors';

export type Piece =
  | { readonly type: 'block'; readonly line: number; readonly info: string; readonly text: string }
  | { readonly type: 'code'; readonly line: number; readonly text: string }
  | { readonly type: 'link'; readonly line: number; readonly target: string }
  | { readonly type: 'heading'; readonly line: number; readonly anchor: string };

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/;

/** Returns the code, links and headings of a text. @throws on an unclosed fence */
export function piecesOf(text: string): readonly Piece[] {
  const anchor = anchors();
  const lines = text.split('\n');
  const pieces: Piece[] = [];
  /** The lines of a paragraph: inline code may continue on the next line. */
  let paragraph: string[] = [];
  const endParagraph = (end: number) => {
    pieces.push(...inlinePieces(paragraph.join('\n'), end - paragraph.length));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, indent = '', fence, info = ''] = FENCE.exec(line) ?? [];
    const [, heading] = /^#{1,6} +(.*?)(?: +#+)? *$/.exec(line) ?? [];
    if (fence === undefined && heading === undefined && line.trim() !== '') {
      paragraph.push(line);
      continue;
    }
    endParagraph(at + 1);
    if (fence !== undefined) {
      const inner = linesInFence(lines, at, fence).map((each) => withoutIndent(each, indent.length));
      pieces.push({ type: 'block', line: at + 1, info: info.trim(), text: inner.map((each) => `${each}\n`).join('') });
      at += inner.length + 1;
    } else if (heading !== undefined) {
      pieces.push({ type: 'heading', line: at + 1, anchor: anchor(shownText(heading)) });
      pieces.push(...inlinePieces(heading, at + 1));
    }
  }
  endParagraph(lines.length + 1);
  return pieces;
}

function linesInFence(lines: readonly string[], begin: number, fence: string): readonly string[] {
  const length = lines.slice(begin + 1).findIndex((each) => isEnd(each, fence));
  if (length === -1) throw new Error(`line ${begin + 1} begins a block that does not end`);
  return lines.slice(begin + 1, begin + 1 + length);
}

const isEnd = (line: string, fence: string): boolean =>
  line.trim().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '', '') === '';

const withoutIndent = (line: string, length: number): string =>
  line.slice(Math.min(length, line.length - line.trimStart().length));

const CODE = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;

function inlinePieces(text: string, first: number): readonly Piece[] {
  const lineAt = (index: number) => first + text.slice(0, index).split('\n').length - 1;
  const code = [...text.matchAll(CODE)].map(
    (match): Piece => ({
      type: 'code',
      line: lineAt(match.index),
      text: (match[2] ?? '').replace(/\n\s*/g, ' ').trim(),
    }),
  );
  const prose = text.replace(CODE, (span) => span.replace(/[^\n]/g, '.'));
  const links = [/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g, /^ *\[[^\]]+\]: *(\S+)/gm, /<(https?:[^>\s]+)>/g].flatMap(
    (form) =>
      [...prose.matchAll(form)].map(
        (match): Piece => ({ type: 'link', line: lineAt(match.index), target: match[1] ?? '' }),
      ),
  );
  return [...code, ...links];
}

/** The visible text of a heading. */
function shownText(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*(.*?)\*\*|(?<!\w)[*_](.*?)[*_](?!\w)/g, '$1$2')
    .replaceAll('`', '')
    .replace(/\\([^\w\s])/g, '$1');
}
