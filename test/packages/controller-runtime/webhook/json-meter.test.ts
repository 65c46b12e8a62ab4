import fc from 'fast-check';
import { createJsonMeter } from '#controller-runtime/webhook/json-meter';

/** Measures a text in pieces of this number of bytes. */
function measured(text: string, size = 3): { values: number; depth: number } {
  const meter = createJsonMeter();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) meter.push(bytes.subarray(start, start + size));
  return { values: meter.values, depth: meter.depth };
}

test.each([
  ['1', 0, 0],
  ['[]', 1, 1],
  ['{"a":1,"b":[2,3]}', 4, 2],
  ['[{},{},1]', 5, 2],
  ['{"a":"[[[,,,{{{"}', 1, 1],
  ['{"a\\"[,":"\\\\","b":[]}', 3, 2],
  ['{"ü[":"\\u005b["}', 1, 1],
  ['[[[[', 4, 4],
])('the meter of JSON reads %s as values: %i, depth: %i', (text, values, depth) => {
  expect(measured(text)).toEqual({ values, depth });
});

test('the meter of JSON counts the same for any pieces of a text', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (text, size) => {
      expect(measured(text, size)).toEqual(measured(text, text.length * 4 + 1));
    }),
  );
});

test('the meter of JSON never counts less than the parser finds', () => {
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const items = Object.values(value);
    return 1 + Math.max(0, items.length - 1) + items.reduce((sum: number, item) => sum + count(item), 0);
  };
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(measured(JSON.stringify(value))).toEqual({ values: count(value), depth: depth(value) });
    }),
  );
});
