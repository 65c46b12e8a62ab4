import { readPages, type Snippet, snippetsIn } from '../../docs/snippets/pages';

/** An action of a guide's reader. */
export type GuideStep =
  | { readonly do: 'run'; readonly snippet: Snippet; readonly output: string | undefined }
  | { readonly do: 'write'; readonly snippet: Snippet; readonly file: string };

/** The tool that installed the mesh of a guide. */
export type Installer = 'helm' | 'cli';

/**
 * The steps of a guide. Commands are run; a block `text` right after them is their expected output. Programs are
 * written to the file that they name, or `main.ts`. Commands that are optional, or for another installer, are skipped.
 */
export function stepsOf(path: string, installer?: Installer): readonly GuideStep[] {
  const page = readPages().find((candidate) => candidate.path === path);
  if (page === undefined) throw new Error(`There is no ${path}.`);
  const blocks = snippetsIn(page).filter(({ language }) => language !== 'inline');
  return blocks.flatMap((snippet, index): readonly GuideStep[] => {
    const [word] = snippet.words;
    if (snippet.language === 'ts')
      return word === 'fragment' ? [] : [{ do: 'write', snippet, file: word ?? 'main.ts' }];
    if (snippet.language !== 'sh' || (word !== undefined && word !== installer)) return [];
    const next = blocks[index + 1];
    return [{ do: 'run', snippet, output: next?.language === 'text' ? next.text : undefined }];
  });
}

/**
 * The first line of an expected output that the actual output does not contain in this order, if any. `…` matches any
 * text, and blanks match any number of blanks.
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
