import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOf } from './markdown';

export const ROOT = join(__dirname, '..', '..', '..');

export interface Page {
  /** The path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a page, or inline code of a sentence. */
export interface Snippet {
  readonly page: string;
  /** The first line of the snippet in the page. */
  readonly line: number;
  /** The language of the fence; 'inline' for inline code. */
  readonly language: string;
  /** The other words of the fence: a role, or the name of the file. */
  readonly words: readonly string[];
  readonly text: string;
}

/** Pages next to the code that they describe, outside of the site's navigation. */
export const NEARBY: readonly string[] = [
  'lib',
  'test/e2e',
  'tools/publication',
  'tools/release',
  'test/packages/kubernetes/api-rules',
].map((folder) => join(folder, 'README.md'));

/** All pages: README, CONTRIBUTING, `docs/`, and pages next to code. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort();
  return ['README.md', 'CONTRIBUTING.md', ...NEARBY, ...docs].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

export function snippetsIn({ path, text }: Page): readonly Snippet[] {
  return piecesOf(text).flatMap((piece): readonly Snippet[] => {
    if (piece.type === 'code')
      return [{ page: path, line: piece.line, language: 'inline', words: [], text: piece.text }];
    if (piece.type !== 'block') return [];
    const [language = '', ...words] = piece.info.split(/\s+/);
    return [{ page: path, line: piece.line, language, words, text: piece.text }];
  });
}

/** The place of a snippet in messages. */
export const placeOf = ({ page, line }: Snippet): string => `${page}:${line}`;
