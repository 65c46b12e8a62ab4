import type { ClusterInventory } from '#lib/gitops/synth/inventory';
import { InventoryPool } from '#lib/gitops/synth/inventory';

function inventory(name: string, configMap: string): ClusterInventory {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: configMap };
  return { name, destination: { name }, folders: [{ namespace: 'shop', stage: 0, charts: [], objects: [object] }] };
}

test('equal folders are kept once, different ones apart', () => {
  const pool = new InventoryPool();
  const [a, b, c] = [inventory('a', 'x'), inventory('b', 'x'), inventory('c', 'y')].map((one) => pool.share(one));
  expect(b?.folders[0]).toBe(a?.folders[0]);
  expect(c?.folders[0]).not.toBe(a?.folders[0]);
});

test('sharing changes nothing', () => {
  const pool = new InventoryPool();
  pool.share(inventory('a', 'x'));
  expect(pool.share(inventory('b', 'x'))).toEqual(inventory('b', 'x'));
});
