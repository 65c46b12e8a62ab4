import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { piecesOf } from './snippets/markdown';
import { type Page, ROOT, readPages } from './snippets/pages';

const pages = readPages();

interface Link {
  readonly place: string;
  readonly page: string;
  readonly target: string;
}

function linksIn({ path, text }: Page): readonly Link[] {
  return piecesOf(text).flatMap((piece) =>
    piece.type === 'link' ? [{ place: `${path}:${piece.line}`, page: path, target: piece.target }] : [],
  );
}

/** Paths that exist here, but in no clone (`.gitignore`). */
const NOT_COMMITTED = /(?:^|\/)(?:node_modules|build|coverage|\.cache)(?:\/|$)/;

const links = pages.flatMap(linksIn);
const inRepository = links.filter(({ target }) => !/^[a-z]+:/i.test(target));
const anchorsOf = new Map(
  pages.map(({ path, text }) => {
    const found = piecesOf(text).flatMap((piece) => (piece.type === 'heading' ? [piece.anchor] : []));
    return [path, new Set(found)];
  }),
);

test('the pages contain more than 30 links within the repository', () =>
  expect(inRepository.length).toBeGreaterThan(30));

test('every link within the repository leads to an existing file, heading or line', () => {
  const broken = inRepository.filter(({ page, target }) => {
    const [file = '', anchor] = decodeURI(target).split('#');
    const path = file === '' ? page : posix.join(posix.dirname(page), file).replace(/\/$/, '');
    if (NOT_COMMITTED.test(path) || !existsSync(join(ROOT, path))) return true;
    return anchor !== undefined && !(anchorsOf.get(path)?.has(anchor) ?? isLine(path, anchor));
  });
  expect(broken.map(({ place, target }) => `${place}: ${target}`)).toEqual([]);
});

/** Whether an anchor is a line on GitHub, e.g. `L12`. */
function isLine(path: string, anchor: string): boolean {
  const [, line] = /^L(\d+)$/.exec(anchor) ?? [];
  return line !== undefined && Number(line) <= readFileSync(join(ROOT, path), 'utf8').split('\n').length;
}

test('every external link uses HTTPS', () => {
  expect(
    links.filter(({ target }) => target.startsWith('http:')).map(({ place, target }) => `${place}: ${target}`),
  ).toEqual([]);
});
