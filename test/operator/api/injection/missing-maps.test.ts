import { checkNeededMaps } from '../../../../operator/api/injection/missing-maps';
import type { Values } from '../../../../operator/api/kubernetes/values-merge';

const whats = (values: Values) => checkNeededMaps(values, ['a', 'a.b', 'c'], 'why').map(({ what }) => what);

test('what is a map is not missing, not even if it is empty', () => {
  expect(whats({ a: { b: {} }, c: { d: 1 } })).toEqual([]);
});

test.each<[string, Values[string], string]>([
  ['left out', undefined, 'null'],
  ['removed', null, 'null'],
  ['a text', 'x', '"x"'],
  ['a list', [1], '[1]'],
])('what is %s is missing', (_name, c, said) => {
  expect(whats({ a: { b: {} }, c })).toEqual([`values.c is ${said}, not a map`]);
});

test('a map in a missing one is not missing, too', () => {
  expect(whats({ a: null, c: {} })).toEqual(['values.a is null, not a map']);
  expect(whats({ a: {}, c: {} })).toEqual(['values.a.b is null, not a map']);
});

test('each says what comes of it, and what to do', () => {
  expect(checkNeededMaps({}, ['a'], 'nothing works')).toMatchObject([
    {
      code: 'injected-value-missing',
      cause: 'map',
      about: 'values.a',
      parameters: { path: 'a', value: 'null', consequence: 'nothing works' },
    },
  ]);
});
