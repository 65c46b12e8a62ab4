import { checkApplicationNames } from '../../../lib/gitops/argocd/application-names';

test('names of the longest kind pass', () => {
  expect(checkApplicationNames([{ cluster: 'c'.repeat(9), namespace: 'n'.repeat(53), chart: true }])).toEqual([]);
});

test('a name that is too long for a label is reported with the excess', () => {
  expect(checkApplicationNames([{ cluster: 'c'.repeat(40), namespace: 'n'.repeat(25) }])).toMatchObject([
    { code: 'name-too-long', parameters: { length: 66, most: 63, excess: 3 } },
  ]);
});

test('a namespace that is too long for a release name matters for charts only', () => {
  const namespace = 'n'.repeat(54);
  expect(checkApplicationNames([{ cluster: 'c', namespace, chart: true }])).toMatchObject([
    { code: 'name-too-long', parameters: { folder: `c/${namespace}`, length: 54, most: 53, excess: 1 } },
  ]);
  expect(checkApplicationNames([{ cluster: 'c', namespace }])).toEqual([]);
});

test('folders whose names join to the same are reported', () => {
  const folders = [
    { cluster: 'eu', namespace: 'west-shop' },
    { cluster: 'eu-west', namespace: 'shop' },
  ];
  const parameters = { one: 'eu/west-shop', other: 'eu-west/shop', name: 'eu-west-shop' };
  expect(checkApplicationNames(folders)).toMatchObject([{ code: 'application-name-collision', parameters }]);
});

test('a bad name of a namespace is reported once, however many clusters have it', () => {
  const folders = ['a', 'b'].map((cluster) => ({ cluster, namespace: 'Shop' }));
  expect(checkApplicationNames(folders)).toMatchObject([
    { code: 'name-invalid', parameters: { field: 'namespace', proposed: 'shop' } },
  ]);
});
