import { array, assert, oneof, property, string, stringMatching } from 'fast-check';
import { dottedPath, segmentsOf } from '#base/value-path';

test('segmentsOf reads what dottedPath writes, and ends where a path ends', () => {
  const key = oneof(stringMatching(/^[a-z][\w-]{0,5}$/), string({ minLength: 1, maxLength: 8 }));
  const path = array(oneof(key, stringMatching(/^\d{1,3}$/)), { maxLength: 5 });
  assert(
    property(stringMatching(/^[a-z]\w{0,5}$/), path, (first, rest) => {
      const segments = [first, ...rest.filter((segment) => segment !== '')];
      expect(segmentsOf(dottedPath(segments))).toEqual(segments);
      expect(segmentsOf(`${dottedPath(segments)} is missing`)).toEqual(segments);
    }),
  );
});

test.each(['', ' ', '"a"', '[0]', '…'])('segmentsOf finds no path in %j', (text) => {
  expect(segmentsOf(text)).toEqual([]);
});
