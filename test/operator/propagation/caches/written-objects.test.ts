import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { writtenObjects } from '#operator/src/propagation/caches/workload-caches';

const object = (resourceVersion: string, uid = 'u', name = 'web'): KubeObject => ({
  metadata: { name, namespace: 'shop', uid, resourceVersion },
});

test('what was written is seen before the cache has it', () => {
  const ours = writtenObjects();
  const other = object('1', 'v', 'db');
  expect(ours.over([object('9'), other])).toEqual([object('9'), other]);
  ours.add(object('10'));
  expect(ours.over([object('9'), other])).toEqual([object('10'), other]);
});

test('the cache has the say again once it has caught up, or has something later', () => {
  const ours = writtenObjects();
  ours.add(object('10'));
  const cached = object('11');
  expect(ours.over([cached])[0]).toBe(cached);
  // Forgotten: an older state does not bring it back.
  expect(ours.over([object('9')])).toEqual([object('9')]);
});

test('an object that is gone, or another of the same name, is not what was written', () => {
  const ours = writtenObjects();
  ours.add(object('10'));
  expect(ours.over([object('9', 'another')])).toEqual([object('9', 'another')]);
  ours.add(object('10'));
  expect(ours.over([])).toEqual([]);
});
