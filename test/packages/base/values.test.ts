import fc from 'fast-check';
import { contradictions, replaceValues, type Values } from '#base/values';
import { runs } from '#test/support/depth';

const VALUES = { proxy: { uid: 'x', cores: 1 }, list: [1, 'two'], team: 'a' };

test.each<[string, readonly string[][], object, object]>([
  ['no value without a path', [], { team: 'b' }, VALUES],
  ['a value, which the value of the other map replaces', [['team']], { team: 'b' }, { ...VALUES, team: 'b' }],
  [
    'a value in a map, whose other values stay',
    [['proxy', 'uid']],
    { proxy: { uid: 2102, cores: 4 } },
    { ...VALUES, proxy: { uid: 2102, cores: 1 } },
  ],
  ['a value that the other map lacks, which it removes', [['proxy', 'uid']], {}, { ...VALUES, proxy: { cores: 1 } }],
  ['a list as a whole', [['list', '1']], { list: [3] }, { ...VALUES, list: [3] }],
  [
    'a missing value',
    [['proxy', 'gone', 'key']],
    { proxy: { gone: { key: 1 } } },
    { ...VALUES, proxy: { ...VALUES.proxy, gone: { key: 1 } } },
  ],
  ['several values', [['team'], ['proxy', 'cores']], {}, { proxy: { uid: 'x' }, list: [1, 'two'] }],
])('a change of values applies to %s', (_, paths, by, expected) => {
  expect(replaceValues(VALUES, paths, by as never)).toEqual(expected);
});

test('a change of values at several paths equals successive changes at each', () => {
  const { map } = fc.letrec((tie) => ({
    map: fc.dictionary(fc.constantFrom('a', 'b', '', '__proto__'), tie('value'), { maxKeys: 3 }),
    value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(1, 'x', null, [1], {}), tie('map')),
  })) as { readonly map: fc.Arbitrary<Values> };
  const paths = fc.array(fc.array(fc.constantFrom('a', 'b', '', '0', '__proto__'), { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(map, map, paths, (values, by, all) => {
      const oneByOne = all.reduce((before, path) => replaceValues(before, [path], by), values);
      expect(replaceValues(values, all, by)).toEqual(oneByOne);
    }),
    { numRuns: runs(300) },
  );
});

test('two sets of values conflict by their contents, whatever the order of keys', () => {
  const decided = { taints: [{ key: 'a', value: 'b' }], proxy: { cores: 1 } };
  expect(contradictions(decided, { taints: [{ value: 'b', key: 'a' }], proxy: { uid: 1 } })).toEqual([]);
  expect(contradictions(decided, { taints: [{ key: 'a' }], proxy: { cores: 2 } })).toEqual([
    { path: 'taints', fromProps: [{ key: 'a', value: 'b' }], fromValues: [{ key: 'a' }] },
    { path: 'proxy.cores', fromProps: 1, fromValues: 2 },
  ]);
});
