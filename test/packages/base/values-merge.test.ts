import fc from 'fast-check';
import { isMap, mergeValues, overlayValues, type Value, type Values } from '#base/values';

const BASE: Values = { a: { b: 1, c: [1, 2] }, d: 'x', n: null };

describe('a merge of values, as of several -f files,', () => {
  test.each<[string, Values, Values]>([
    ['maps merge', { a: { z: 2 } }, { ...BASE, a: { b: 1, c: [1, 2], z: 2 } }],
    ['lists replace', { a: { c: [3] } }, { ...BASE, a: { b: 1, c: [3] } }],
    ['scalars replace maps', { a: 1 }, { ...BASE, a: 1 }],
    ['maps replace scalars', { d: { e: 1 } }, { ...BASE, d: { e: 1 } }],
    ['null stays, so that the chart reads it', { d: null }, { ...BASE, d: null }],
    ['undefined keeps the earlier value', { d: undefined }, BASE],
    ['an inherited key is an ordinary key', { constructor: { x: 1 } }, { ...BASE, constructor: { x: 1 } }],
  ])('follows the rule: %s', (_name, over, merged) => expect(mergeValues(BASE, over)).toEqual(merged));
});

test('a merge of values treats __proto__ as an ordinary key', () => {
  const values = JSON.parse('{"proxy":{"__proto__":{"x":1}}}') as Values;
  expect(JSON.stringify(mergeValues({ proxy: { y: 2 } }, values))).toBe('{"proxy":{"y":2,"__proto__":{"x":1}}}');
});

describe('a merge of values, with nulls as in Helm,', () => {
  test.each<[string, Values, Values]>([
    ['maps merge', { a: { z: 2 } }, { ...BASE, a: { b: 1, c: [1, 2], z: 2 } }],
    ['lists replace', { a: { c: [3] } }, { ...BASE, a: { b: 1, c: [3] } }],
    ['null removes a value', { a: { b: null }, d: null }, { a: { c: [1, 2] }, n: null }],
    ['null in a new map leaves the rest of the map', { m: { x: null, y: 1 } }, { ...BASE, m: { y: 1 } }],
    ['null for a missing key changes nothing', { m: null }, BASE],
    ['an earlier null stays', {}, BASE],
    ['undefined keeps the earlier value', { d: undefined }, BASE],
    ['a map over a scalar replaces it', { d: { e: null } }, { ...BASE, d: {} }],
  ])('follows the rule: %s', (_name, over, overlaid) => expect(overlayValues(BASE, over)).toEqual(overlaid));

  test('treats __proto__ as an ordinary key', () => {
    const over = JSON.parse('{"__proto__": {"x": 1}}') as Values;
    expect(JSON.stringify(overlayValues({}, over))).toBe('{"__proto__":{"x":1}}');
  });

  test('is idempotent, and leaves no null of the upper values', () => {
    const values = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.letrec<{ value: Value }>((tie) => ({
        value: fc.oneof(
          { depthSize: 'small' },
          fc.constantFrom<Value>(1, 'x', null, true),
          fc.array(fc.integer(), { maxLength: 2 }),
          fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
        ),
      })).value,
    ) as fc.Arbitrary<Values>;
    fc.assert(
      fc.property(values, values, (base, over) => {
        const once = overlayValues(base, over);
        expect(overlayValues(once, over)).toEqual(once);
        for (const [key, value] of Object.entries(over)) expect(key in once).toBe(value !== null);
        expect(hasNull(overlayValues({}, over))).toBe(false);
      }),
    );
  });
});

function hasNull(value: Value | undefined): boolean {
  return value === null || (isMap(value) && Object.values(value).some(hasNull));
}
