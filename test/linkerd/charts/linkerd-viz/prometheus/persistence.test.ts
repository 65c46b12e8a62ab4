import { find, podOf, render } from '../fixture';

const VALUES = { prometheus: { persistence: { accessMode: 'ReadWriteOnce', size: 5 } } };

test('a claim says how much, and of which class if values do', () => {
  expect(find(render(VALUES), 'PersistentVolumeClaim', 'prometheus')?.spec).toEqual({
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '5' } },
  });
  const fast = { prometheus: { persistence: { ...VALUES.prometheus.persistence, storageClass: 'fast' } } };
  expect(find(render(fast), 'PersistentVolumeClaim', 'prometheus')?.spec).toMatchObject({ storageClassName: 'fast' });
});

test('an empty map is no volume', () => {
  const values = { prometheus: { persistence: {} } };
  expect(find(render(values), 'PersistentVolumeClaim', 'prometheus')).toBeUndefined();
  expect(find(render(values), 'Deployment', 'prometheus')).not.toHaveProperty('spec.strategy.type');
  expect(podOf(values, 'prometheus').spec?.volumes).toContainEqual({ name: 'data', emptyDir: {} });
});
