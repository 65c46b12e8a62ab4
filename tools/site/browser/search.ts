/** All that search knows, as the build writes it. */
export interface SearchIndex {
  readonly pages: readonly { readonly u: string; readonly t: string; readonly k: string }[];
  readonly entries: readonly SearchEntry[];
}

/** A part of a page: number of the page, title, anchor, words. */
interface SearchEntry {
  readonly p: number;
  readonly t: string;
  readonly a: string;
  readonly x: string;
}

/** A part of a page that was found. */
export interface Hit {
  readonly title: string;
  readonly page: string;
  readonly kind: string;
  /** Address from the root of the site. */
  readonly url: string;
  /** The words around the first match, with marks around each match. */
  readonly excerpt: readonly { readonly text: string; readonly isMarked: boolean }[];
}

interface Prepared {
  readonly entry: SearchEntry;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}

const MAX_HITS = 30;
const AROUND = 70;

/** Prepares an index for any number of searches. */
export function searcher({ pages, entries }: SearchIndex): (query: string) => readonly Hit[] {
  const prepared = entries.map(
    (entry): Prepared => ({
      entry,
      title: entry.t.toLowerCase(),
      page: (pages[entry.p]?.t ?? '').toLowerCase(),
      text: entry.x.toLowerCase(),
    }),
  );
  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const phrase = words.join(' ');
    return prepared
      .map((each) => ({ each, score: scoreOf(each, words, phrase) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_HITS)
      .map(({ each: { entry } }): Hit => {
        const page = pages[entry.p];
        return {
          title: entry.t,
          page: page?.t ?? '',
          kind: page?.k ?? '',
          url: `${page?.u ?? ''}${entry.a === '' ? '' : `#${entry.a}`}`,
          excerpt: excerptOf(entry.x, words),
        };
      });
  };
}

const wordsOf = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 12);

/** Each word must be found; its place counts more than its number. */
function scoreOf({ title, page, text, entry }: Prepared, words: readonly string[], phrase: string): number {
  let score = 0;
  for (const word of words) {
    const inTitle = placeOf(title, word);
    const inPage = placeOf(page, word);
    const inText = placeOf(text, word);
    if (inTitle + inPage + inText === 0) return 0;
    score += inTitle * 12 + inPage * 4 + inText;
  }
  if (title === phrase) score += 60;
  else if (title.includes(phrase)) score += 20;
  else if (text.includes(phrase)) score += 8;
  return entry.a === '' ? score + 3 : score;
}

/** Tells whether a word is there: whole, as the begin of one, or within one. */
function placeOf(text: string, word: string): number {
  let best = 0;
  for (let at = text.indexOf(word); at !== -1 && best < 3; at = text.indexOf(word, at + 1)) {
    const isBegin = at === 0 || !isLetter(text[at - 1]);
    const isEnd = !isLetter(text[at + word.length]);
    best = Math.max(best, isBegin && isEnd ? 3 : isBegin ? 2 : 1);
  }
  return best;
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);

function excerptOf(text: string, words: readonly string[]): Hit['excerpt'] {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first <= AROUND ? 0 : text.indexOf(' ', first - AROUND) + 1;
  const excerpt = text.slice(from, from + 3 * AROUND);
  const marks = new RegExp(`(${words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|')})`, 'giu');
  const parts = `${from > 0 ? '…' : ''}${excerpt}${from + 3 * AROUND < text.length ? '…' : ''}`.split(marks);
  return parts.flatMap((part, index) => (part === '' ? [] : [{ text: part, isMarked: index % 2 === 1 }]));
}
