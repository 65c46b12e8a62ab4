import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { writtenObjects } from '#operator/src/propagation/caches/workload-caches';

const object = (resourceVersion: string, uid = 'u', name = 'web'): KubeObject => ({
  metadata: { name, namespace: 'shop', uid, resourceVersion },
});

test('the operator reads its own writes before the cache has them', () => {
  const ours = writtenObjects();
  const other = object('1', 'v', 'db');
  expect(ours.over([object('9'), other])).toEqual([object('9'), other]);
  ours.add(object('10'));
  expect(ours.over([object('9'), other])).toEqual([object('10'), other]);
});

test('the operator reads the cache again once it has the written version or a later one', () => {
  const ours = writtenObjects();
  ours.add(object('10'));
  const cached = object('11');
  expect(ours.over([cached])[0]).toBe(cached);
  // The written object is forgotten: an older state of the cache does not restore it.
  expect(ours.over([object('9')])).toEqual([object('9')]);
});

test('a written object does not hide its deletion or another object of the same name', () => {
  const ours = writtenObjects();
  ours.add(object('10'));
  expect(ours.over([object('9', 'another')])).toEqual([object('9', 'another')]);
  ours.add(object('10'));
  expect(ours.over([])).toEqual([]);
});
