import { listed } from '#base/findings/listed';

test.each([
  { names: [], text: '' },
  { names: ['a'], text: 'a' },
  { names: ['a', 'b'], text: 'a, b' },
  { names: ['a', 'b', 'c'], text: 'a, b and 1 more' },
  { names: ['a', 'b', 'c', 'd'], text: 'a, b and 2 more' },
])('a list names at most two of $names: $text', ({ names, text }) => expect(listed(names, 2)).toBe(text));
