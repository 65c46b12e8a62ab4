import fc from 'fast-check';
import { chooseClusters } from '#lib/gitops/platform/chosen-clusters';

const NAMES = ['eu-1', 'eu-2', 'us-1', 'hub'];

test.each([
  [['eu-*'], ['eu-1', 'eu-2']],
  [['*-1'], ['eu-1', 'us-1']],
  [['*u*'], ['eu-1', 'eu-2', 'us-1', 'hub']],
  [
    ['e*1', 'hub'],
    ['eu-1', 'hub'],
  ],
  [['*'], NAMES],
])('the patterns %j select the clusters %j', (only, expected) => {
  expect(chooseClusters(NAMES, { only })).toEqual({ names: new Set(expected), problems: [] });
});

test.each(['eu', 'eu-1*1', 'h*ub*b', 'e.-1', ''])('the pattern %j without a cluster is a problem', (only) => {
  const { names, problems } = chooseClusters(NAMES, { only });
  expect(names.size).toBe(0);
  expect(problems).toHaveLength(1);
});

test('an invalid shard is a problem', () => {
  for (const shard of [
    { index: 0, count: 2 },
    { index: 3, count: 2 },
    { index: 1.5, count: 2 },
    { index: 1, count: Number.NaN },
  ]) {
    expect(chooseClusters(NAMES, { shard }).problems).toHaveLength(1);
  }
});

test('each cluster is in exactly one shard, and sizes of shards differ by at most one', () => {
  const names = fc.array(fc.stringMatching(/^[a-z]{1,4}$/)).map((list) => [...new Set(list)]);
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 9 }), (all, count) => {
      const parts = Array.from({ length: count }, (_, index) =>
        chooseClusters(all, { shard: { index: index + 1, count } }),
      );
      expect(parts.flatMap(({ names: part }) => [...part]).sort()).toEqual([...all].sort());
      const sizes = parts.map(({ names: part }) => part.size);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});
