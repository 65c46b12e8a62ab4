import { canonicalJson } from '#base/canonical-json';

test('the order of keys makes no difference, at any depth', () => {
  const text = '{"a":[{"x":1,"y":2},3],"b":{"c":null,"d":"e"}}';
  expect(canonicalJson({ b: { d: 'e', c: null }, a: [{ y: 2, x: 1 }, 3] })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

test('the order of lists does', () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test('undefined members are left out, as in JSON', () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
});
