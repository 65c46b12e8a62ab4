import fc from 'fast-check';
import { shortened, shortenedWithLength } from '#base/shortened';

test.each([
  ['a short text', 'abc', 3, 'abc'],
  ['a long text', 'abcd', 3, 'abc…'],
  ['a text of as many characters, each a surrogate pair', '😀😀', 2, '😀😀'],
  ['a text with a surrogate pair at the end', 'ab😀d', 3, 'ab😀…'],
])('shortened keeps the first characters of %s', (_, text, most, expected) =>
  expect(shortened(text, most)).toBe(expected),
);

test('shortened returns a text or its first characters, and never half of a character', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.nat(12), (text, most) => {
      const characters = [...text];
      const whole = characters.length <= most;
      expect(shortened(text, most)).toBe(whole ? text : `${characters.slice(0, most).join('')}…`);
      expect(shortenedWithLength(text, most)).toBe(
        whole ? text : `${shortened(text, most)} (${characters.length} characters)`,
      );
    }),
  ));
