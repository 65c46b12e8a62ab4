import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '#tools/pages/pages';
import { timeText } from '#tools/pages/windows';
import { readPages } from './snippets/pages';

const ROOT = join(__dirname, '..', '..');
const DOCS = join(ROOT, 'docs');
const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
const textOf = (name: string) => readFileSync(join(DOCS, name), 'utf8');

const generated = generatedFiles(ROOT);

test.each([...generated.keys()])('%s is the output of npm run docs', (path) => {
  expect(readFileSync(join(DOCS, path), 'utf8')).toBe(generated.get(path));
});

test('the handwritten pages have at most 47,000 words', () => {
  const written = readPages().filter(({ path }) => path.startsWith('docs/') && !path.startsWith('docs/reference/'));
  const words = written.reduce((sum, { text }) => sum + text.split(/\s+/).filter((word) => word !== '').length, 0);
  // git ls-files docs | grep -v docs/reference | xargs cat | wc -w
  expect(words).toBeLessThanOrEqual(47_000);
});

test('the pages name only existing codes of findings', () => {
  const codes = new Set([...textOf('reference/findings.md').matchAll(/^## `([\w-]+)`/gm)].map(([, code]) => code));
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\(`([a-z]+(?:-[a-z]+)+)`\)/g)].map(([, code = '']) => ({ page, code })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ code }) => !codes.has(code))).toEqual([]);
});

test.each([
  [8760, '1 year'],
  [24 * 335, '335 days'],
  [48, '48 h'],
  [1 - 20 / 3600, '59 min 40 s'],
  [0, '0 h'],
])('timeText prints %d hours as %s', (hours, text) => expect(timeText(hours)).toBe(text));
