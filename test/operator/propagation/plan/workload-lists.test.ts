import { isInjected } from '#operator/src/propagation/objects/pod';
import { namespaceWorkloads, unmanagedPods } from '#operator/src/propagation/plan/workload-lists';
import { pod } from '#test/support/operator/propagation-objects';

const injected = [pod('a'), pod('b', { injected: false })];
const uninjected = [pod('c', { injected: false })];
const list = (managed: readonly (readonly [string, typeof injected])[]) =>
  namespaceWorkloads({
    managed: new Map(managed),
    injected: new Set(managed.flatMap(([id, pods]) => (pods.some(isInjected) ? [id] : []))),
  });

test('the status lists workloads by namespace in order, and one pod with a proxy makes its workload injected', () => {
  expect(
    list([
      ['shop/Deployment/web', injected],
      ['bank/DaemonSet/b', uninjected],
      ['bank/DaemonSet/a', injected],
    ]),
  ).toEqual([
    { namespace: 'bank', injected: ['DaemonSet/a'], injectedCount: 1, uninjected: ['DaemonSet/b'], uninjectedCount: 1 },
    { namespace: 'shop', injected: ['Deployment/web'], injectedCount: 1, uninjected: [], uninjectedCount: 0 },
  ]);
});

test('the status lists a limited number of workloads, with correct counts', () => {
  const names = Array.from({ length: 400 }, (_, i) => String(i).padStart(3, '0'));
  const lists = list(['a', 'b'].flatMap((ns) => names.map((name) => [`${ns}/Deployment/${name}`, injected] as const)));
  expect(lists.map((one) => [one.injected.length, one.injectedCount])).toEqual([
    [400, 400],
    [100, 400],
  ]);
});

test('the status names a limited number of pods, in order', () => {
  const pods = Array.from({ length: 60 }, (_, i) => pod(`p${99 - i}`));
  const { count, pods: named } = unmanagedPods(pods);
  expect([count, named.length, named[0]]).toEqual([60, 50, 'shop/p40']);
});
