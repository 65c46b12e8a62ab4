import { canonicalJson } from '#base/canonical-json';

test('canonical JSON does not depend on the order of keys at any depth', () => {
  const text = '{"a":[{"x":1,"y":2},3],"b":{"c":null,"d":"e"}}';
  expect(canonicalJson({ b: { d: 'e', c: null }, a: [{ y: 2, x: 1 }, 3] })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});
