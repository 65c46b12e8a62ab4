import type { Values } from '#base/values';
import { checkNeededMaps } from '#operator/api/injection/missing-maps';
import { facts } from '#test/support/findings';

const whats = (values: Values) => checkNeededMaps(values, ['a', 'a.b', 'c'], 'injector').map(facts);

test('what is a map is not missing, not even if it is empty', () => {
  expect(whats({ a: { b: {} }, c: { d: 1 } })).toEqual([]);
});

test.each<[string, Values[string], string]>([
  ['left out', undefined, 'null'],
  ['removed', null, 'null'],
  ['a text', 'x', '"x"'],
  ['a list', [1], '[1]'],
])('what is %s is missing', (_name, c, said) => {
  expect(whats({ a: { b: {} }, c })).toMatchObject([{ finding: 'injected-value-missing/map', path: 'c', value: said }]);
});

test('a map in a missing one is not missing, too', () => {
  expect(whats({ a: null, c: {} })).toMatchObject([
    { finding: 'injected-value-missing/map', path: 'a', value: 'null' },
  ]);
  expect(whats({ a: {}, c: {} })).toMatchObject([
    { finding: 'injected-value-missing/map', path: 'a.b', value: 'null' },
  ]);
});

test('a map that a chart always reads is one of another cause', () => {
  expect(checkNeededMaps({}, ['a'], 'chart')).toMatchObject([
    {
      code: 'injected-value-missing',
      cause: 'map-of-chart',
      about: 'values.a',
      parameters: { path: 'a', value: 'null' },
    },
  ]);
});
