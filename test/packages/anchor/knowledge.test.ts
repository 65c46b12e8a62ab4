import { anchorsKnownTo, laggardsOf } from '#anchor/knowledge';
import type { RememberedBundle } from '#anchor/memory';
import type { PodGroup } from '#anchor/observed';
import { POLICY } from './fixture';

const BUNDLES = [
  { hash: 'A', keys: ['A'], since: 100 },
  { hash: 'AB', keys: ['A', 'B'], since: 200 },
  { hash: 'B', keys: ['B'], since: 300 },
];
const { lag, skew } = POLICY;
const LATE = lag + skew;

function known(pod: Pick<PodGroup, 'hash' | 'since'>, bundles: readonly RememberedBundle[] = BUNDLES): string {
  return [...anchorsKnownTo(pod, bundles, POLICY)].join('');
}

test('a pod with a bundle hash trusts the roots of this bundle, and none if the bundle is not remembered', () => {
  expect([known({ hash: 'AB', since: 0 }), known({ hash: 'AC', since: 0 })]).toEqual(['AB', '']);
});

test('a pod that reads the bundle at its start trusts the roots common to all bundles of that time', () => {
  const times = [150, 200 - skew - 1, 200 - skew, 200 + LATE - 1, 200 + LATE, 300 - skew, 300 + LATE - 1, 300 + LATE];
  expect(times.map((since) => known({ since }))).toEqual(['A', 'A', 'A', 'A', 'AB', 'B', 'B', 'B']);
});

test('a pod that started before the first remembered bundle has unknown roots', () => {
  expect([known({ since: 100 + LATE - 1 }), known({ since: 100 + LATE }), known({ since: 150 }, [])]).toEqual([
    '',
    'A',
    '',
  ]);
});

test('if the memory begins without a bundle, an earlier pod has unknown roots, and a later pod the next bundle', () => {
  const bundles = [{ hash: '', keys: [], since: 100 }, ...BUNDLES.slice(1)];
  expect(known({ since: 99 - skew }, bundles)).toBe('');
  expect(known({ since: 200 }, bundles)).toBe('AB');
});

test('a pod that started while the bundle was absent read the next bundle', () => {
  const none = (since: number) => ({ hash: '', keys: [], since });
  expect(known({ since: 104 }, [none(100), none(105), { hash: 'B', keys: ['B'], since: 106 }])).toBe('B');
});

test('a pod may have read a bundle before the first remembered one', () => {
  const bundles = [
    { hash: 'A', keys: ['A'], since: 100 },
    { hash: 'AB', keys: ['A', 'B'], since: 105 },
  ];
  expect(known({ since: 105 }, bundles)).toBe('');
});

test('the operator lists laggards of the same age by name', () => {
  const pods = ['c', 'a', 'b'].map((workload) => ({ workload, pods: 1, since: 5, hash: 'A', restartable: true }));
  const late = { workload: 'a', pods: 1, since: 900, hash: 'A', restartable: true };
  const old = { ...late, workload: 'z', since: 1 };
  const listed = laggardsOf([...pods, late, old], ['B'], BUNDLES, POLICY).workloads;
  expect(listed.map(({ workload, since }) => `${workload}${since}`)).toEqual(['z1', 'a5', 'b5', 'c5']);
});

test('the operator lists pods that lack an anchor as laggards, by workload, oldest first', () => {
  const pod = (workload: string, since: number, hash: string, pods = 1): PodGroup => ({
    workload,
    pods,
    since,
    hash,
    restartable: true,
  });
  const pods = [pod('b', 9, 'A'), pod('a', 9, 'A', 2), pod('b', 7, 'A'), pod('c', 1, 'AB'), pod('d', 8, 'B')];
  expect(laggardsOf(pods, ['B'], BUNDLES, POLICY)).toEqual({
    pods: 4,
    workloads: [
      { workload: 'b', pods: 2, since: 7 },
      { workload: 'a', pods: 2, since: 9 },
    ],
  });
  expect(laggardsOf(pods, ['A', 'B'], BUNDLES, POLICY).pods).toBe(5);
});
