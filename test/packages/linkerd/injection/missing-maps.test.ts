import type { Values } from '#base/values';
import { checkNeededMaps } from '#linkerd/injection/missing-maps';
import { facts } from '#test/support/findings';

const whats = (values: Values) => checkNeededMaps(values, ['a', 'a.b', 'c'], 'injector').map(facts);

test('the check of maps does not report a map as missing, even an empty one', () => {
  expect(whats({ a: { b: {} }, c: { d: 1 } })).toEqual([]);
});

test.each<[string, Values[string], string]>([
  ['left out', undefined, 'null'],
  ['null', null, 'null'],
  ['a text', 'x', '"x"'],
  ['a list', [1], '[1]'],
])('the check of maps reports a map as missing if its value is %s', (_name, c, said) => {
  expect(whats({ a: { b: {} }, c })).toMatchObject([{ finding: 'injected-value-missing/map', path: 'c', value: said }]);
});

test('the check of maps does not report maps within a missing one', () => {
  expect(whats({ a: null, c: {} })).toMatchObject([
    { finding: 'injected-value-missing/map', path: 'a', value: 'null' },
  ]);
  expect(whats({ a: {}, c: {} })).toMatchObject([
    { finding: 'injected-value-missing/map', path: 'a.b', value: 'null' },
  ]);
});

test('the check of maps reports another cause for a map that the chart always reads', () => {
  expect(checkNeededMaps({}, ['a'], 'chart')).toMatchObject([
    {
      code: 'injected-value-missing',
      cause: 'map-of-chart',
      about: 'values.a',
      parameters: { path: 'a', value: 'null' },
    },
  ]);
});
