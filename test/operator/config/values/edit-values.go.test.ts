import fc from 'fast-check';
import { isSameValue } from '#base/same-value';
import { isMap, overlayValues, type Values } from '#base/values';
import { parseValues } from '#base/values-document';
import { stringifyYaml } from '#base/yaml-writer';
import { diffValues, editValues } from '#operator/src/config/values/edit-values';
import { nastyData } from '#test/support/nasty-data';
import { askOracle } from '#test/support/oracle';

const INSTALLED = `# by hand
a: 0755
b: 1.10
big: 123456789012345678901
c: "off" # quoted
d: [1, 2, {x: z}]
pem: |
  -----BEGIN
  abc
list:
- one
- two
long: ${'x'.repeat(60)} ${'y'.repeat(60)} ${'z'.repeat(60)}
`;

function edited(text: string, over: Values): string {
  const values = parseValues(text);
  return editValues({ text, values }, overlayValues(values, over));
}

test('the editor of YAML returns the same text if nothing changes', () => {
  expect(edited(INSTALLED, { a: 493, d: [1, 2, { x: 'z' }] })).toBe(INSTALLED);
});

test('the editor of YAML keeps comments, order, notation, quotes, digits and long lines unchanged', () => {
  const text = edited(INSTALLED, { b: null, added: { to: 'it' } });
  expect(text).toBe(`${INSTALLED.replace('b: 1.10\n', '')}added:\n  to: it\n`);
});

test('the editor of YAML indents new lists as existing ones', () => {
  expect(edited('a:\n- 1\n', { b: [2] })).toBe('a:\n- 1\nb:\n- 2\n');
  expect(edited('a:\n  - 1\n', { b: [2] })).toBe('a:\n  - 1\nb:\n  - 2\n');
});

test.each([
  ['anchors', 'a: &a {x: 1}\nb: *a\n', { b: { x: 2 } }],
  ['a value with an anchor', 'a: &a {x: 1}\nb: *a\n', { a: { x: 2 } }],
  ['merge keys', 'a: &a {x: 1, y: 2}\nb: {<<: *a, z: 3}\n', { b: { x: null } }],
  ['keys that are not strings', '1: a\ntrue: b\n', { '1': 'x' }],
  ['an empty text', '', { a: { b: 1 } }],
])('the editor of YAML writes the intended values: %s', (_name, text, over) => {
  expect(parseValues(edited(text, over))).toEqual(overlayValues(parseValues(text), over));
});

const nastyValues = fc.dictionary(fc.constantFrom('a', 'b'), nastyData).filter(isMap);

test('Kubernetes reads the intended values for any original text and any values merged into it', () => {
  const cases = fc.sample(fc.tuple(nastyValues, nastyValues), { numRuns: 1_000, seed: 5 });
  const texts = cases.map(([base, over]) => edited(stringifyYaml(base), over));
  const misread = askOracle('yaml', texts).flatMap(({ value, error }, index) => {
    const [base, over] = cases[index] ?? [{}, {}];
    const meant = overlayValues(JSON.parse(JSON.stringify(base)), over);
    return error === undefined && isSameValue(value as Values, meant)
      ? []
      : [{ text: texts[index], error, value, meant }];
  });
  expect(misread).toEqual([]);
});

test('the editor of YAML adds a key whose name JavaScript objects inherit', () => {
  const after = JSON.parse('{"__proto__":{"x":1},"constructor":{"y":1}}') as Values;
  const edits = [
    { path: ['__proto__'], value: { x: 1 } },
    { path: ['constructor'], value: { y: 1 } },
  ];
  expect(diffValues({}, after)).toEqual(edits);
});
