import type { SitePage } from './page';

/** A part of a page as the script of the site searches it: page, title, address, words. Short keys keep it small. */
interface Entry {
  /** Number of its page. */
  readonly p: number;
  readonly t: string;
  readonly a: string;
  readonly x: string;
}

/**
 * The script that holds all that search knows. It is a script and no JSON, because pages that are opened as files may load
 * scripts only.
 */
export function searchIndex(pages: readonly SitePage[]): string {
  const entries = pages.flatMap(({ sections }, page) =>
    sections.map(
      ({ anchor, title, text, level }): Entry => ({ p: page, t: title, a: level === 1 ? '' : anchor, x: text }),
    ),
  );
  const index = { pages: pages.map(({ path, title, kind }) => ({ u: path, t: title, k: kind })), entries };
  return `window.siteSearchIndex = ${JSON.stringify(index).replaceAll('<', '\\u003c')};\n`;
}
