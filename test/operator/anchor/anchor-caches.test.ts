import { anchorCaches } from '../../../operator/src/anchor/caches/anchor-caches';
import type { InformerOptions } from '../../../operator/src/runtime/cache/informer';
import type { KubeObject } from '../../../operator/src/runtime/objects/kube-object';
import type { Manager } from '../../../operator/src/runtime/process/manager';

const PLACES = { linkerdNamespace: 'linkerd', certManagerNamespace: 'cert-manager' };

/** A manager whose caches have not heard of anything for an hour; a list that is read again is longer. */
function lateManager(): Manager {
  const object = (name: string): KubeObject => ({ metadata: { name } });
  const informer = ({ resource }: InformerOptions<KubeObject>) => ({
    resource,
    onChange: () => undefined,
    hasSynced: () => true,
    list: () => [object('old')],
    heardMs: () => performance.now() - 3_600_000,
    read: () => Promise.resolve([object('new')]),
  });
  return { informer } as unknown as Manager;
}

test('all that a decision depends on is read again if a watch is late', async () => {
  const caches = anchorCaches(lateManager(), PLACES);
  const seen = () => {
    const { seenBundles: _, ...view } = caches.view();
    return Object.entries(view).map(([name, value]) => [
      name,
      [value ?? []].flat().map((object) => (object as KubeObject).metadata.name),
    ]);
  };
  const before = seen();
  expect(await caches.refresh(60_000, new AbortController().signal)).toEqual([]);
  const after = seen();
  expect(before.map(([, names]) => new Set(names))).toEqual(before.map(() => new Set(['old'])));
  expect(after.map(([name, names]) => [name, ...new Set(names)])).toEqual(before.map(([name]) => [name, 'new']));
});
