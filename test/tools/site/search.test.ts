import { type SearchIndex, searcher } from '#tools/site/browser/search';

const index: SearchIndex = {
  pages: [
    { u: 'docs/a.html', t: 'Trust', k: 'Guide' },
    { u: 'reference/B.html', t: 'B', k: 'Reference' },
  ],
  entries: [
    { p: 0, t: 'Trust', a: '', x: 'All about anchors.' },
    { p: 0, t: 'anchor-expired', a: 'anchor-expired', x: 'Error. The trust anchor is at its end.' },
    {
      p: 0,
      t: 'Renewal',
      a: 'renewal',
      x: `${'far '.repeat(100)}the anchor (of trust) <b>renews</b> ${'away '.repeat(100)}`,
    },
    { p: 1, t: 'B', a: '', x: 'class Something else' },
    { p: 1, t: 'anchored', a: 'anchored', x: 'Tells whether it is.' },
  ],
};
const find = searcher(index);
const titles = (query: string) => find(query).map(({ title }) => title);

test('a code is found by itself first', () => expect(titles('anchor-expired')[0]).toBe('anchor-expired'));

test('each word has to be there, in the title, the page or the text', () => {
  expect(titles('trust anchor').sort()).toEqual(['Renewal', 'Trust', 'anchor-expired']);
  expect(titles('trust nothing')).toEqual([]);
});

test('a whole word in a title goes before a part of one, and that before the text', () => {
  expect(titles('anchor')).toEqual(['anchor-expired', 'anchored', 'Trust', 'Renewal']);
});

test.each(['', '   ', '\n'])('nothing is found for %j', (query) => expect(find(query)).toEqual([]));

test.each(['(', '[a-', '\\', '*', '<b>', '$&', '__proto__'])('%j is searched as it is', (query) => {
  expect(() => find(query)).not.toThrow();
});

test('an excerpt is of the place, with what was searched marked', () => {
  const [hit] = find('renews');
  const text = hit?.excerpt.map((part) => part.text).join('') ?? '';
  expect(text).toContain('the anchor (of trust) <b>renews</b>');
  expect(text.length).toBeLessThan(230);
  expect(hit?.excerpt.filter(({ isMarked }) => isMarked)).toEqual([{ text: 'renews', isMarked: true }]);
  expect(hit?.url).toBe('docs/a.html#renewal');
});
