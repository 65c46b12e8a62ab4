import { piecesOf } from './markdown';

test('blocks lose the indent of their list, and keep what looks like a fence within', () => {
  const text = '1. a\n\n   ```sh\n   a \\\n     b\n   ```\n\n````md x.md\n```ts\nno\n```\n````\n';
  expect(piecesOf(text)).toEqual([
    { type: 'block', line: 3, info: 'sh', text: 'a \\\n  b\n' },
    { type: 'block', line: 8, info: 'md x.md', text: '```ts\nno\n```\n' },
  ]);
});

test('a block that nobody ends is an error', () => {
  expect(() => piecesOf('a\n\n```sh\nb\n')).toThrow('line 3');
});

test('code and links have their lines, and a link within code is none', () => {
  const text =
    '# A `b`: *c* and [d](e.md)\n\nx `a\n  b` ``c ` d`` [l](m.md#n) `[no](no)`\n<https://x.y> ![i](i.png "t")\n\n[r]: z.md\n';
  expect(piecesOf(text)).toEqual([
    { type: 'heading', line: 1, anchor: 'a-b-c-and-d' },
    { type: 'code', line: 1, text: 'b' },
    { type: 'link', line: 1, target: 'e.md' },
    { type: 'code', line: 3, text: 'a b' },
    { type: 'code', line: 4, text: 'c ` d' },
    { type: 'code', line: 4, text: '[no](no)' },
    { type: 'link', line: 4, target: 'm.md#n' },
    { type: 'link', line: 5, target: 'i.png' },
    { type: 'link', line: 5, target: 'https://x.y' },
    { type: 'link', line: 7, target: 'z.md' },
  ]);
});

test('equal headings are told apart as GitHub does', () => {
  const found = piecesOf('# A b\n## A b\n## A b-1\n## Ünï `x_y`!\n');
  expect(found.flatMap((piece) => (piece.type === 'heading' ? [piece.anchor] : []))).toEqual([
    'a-b',
    'a-b-1',
    'a-b-1-1',
    'ünï-x_y',
  ]);
});
