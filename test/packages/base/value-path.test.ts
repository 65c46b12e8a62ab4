import fc from 'fast-check';
import { dottedPath, segmentsOf } from '#base/value-path';

test('segmentsOf reads what dottedPath writes, and ends where a path ends', () => {
  const key = fc.oneof(fc.stringMatching(/^[a-z][\w-]{0,5}$/), fc.string({ minLength: 1, maxLength: 8 }));
  const path = fc.array(fc.oneof(key, fc.stringMatching(/^\d{1,3}$/)), { maxLength: 5 });
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]\w{0,5}$/), path, (first, rest) => {
      const segments = [first, ...rest.filter((segment) => segment !== '')];
      expect(segmentsOf(dottedPath(segments))).toEqual(segments);
      expect(segmentsOf(`${dottedPath(segments)} is missing`)).toEqual(segments);
    }),
  );
});

test.each(['', ' ', '"a"', '[0]', '…'])('segmentsOf finds no path in %j', (text) => {
  expect(segmentsOf(text)).toEqual([]);
});
