import { checkApplicationNames } from '../../../lib/gitops/argocd/application-names';

const whats = (...args: Parameters<typeof checkApplicationNames>) =>
  checkApplicationNames(...args).map(({ what }) => what);

test('names of the longest kind pass', () => {
  expect(checkApplicationNames([{ cluster: 'c'.repeat(9), namespace: 'n'.repeat(53), chart: true }])).toEqual([]);
});

test('a name that is too long for a label is reported with the excess', () => {
  const [problem] = checkApplicationNames([{ cluster: 'c'.repeat(40), namespace: 'n'.repeat(25) }]);
  expect(problem?.what).toContain('66 characters long');
  expect(problem?.fix).toContain('3 characters shorter');
});

test('a namespace that is too long for a release name matters for charts only', () => {
  const namespace = 'n'.repeat(54);
  expect(whats([{ cluster: 'c', namespace, chart: true }])).toEqual([
    expect.stringContaining('The Helm release of c/n'),
  ]);
  expect(whats([{ cluster: 'c', namespace }])).toEqual([]);
});

test('folders whose names join to the same are reported', () => {
  const folders = [
    { cluster: 'eu', namespace: 'west-shop' },
    { cluster: 'eu-west', namespace: 'shop' },
  ];
  expect(whats(folders)).toEqual([
    'The folders eu/west-shop and eu-west/shop would both be the Application "eu-west-shop"',
  ]);
});

test('a bad name of a namespace is reported once, however many clusters have it', () => {
  const folders = ['a', 'b'].map((cluster) => ({ cluster, namespace: 'Shop' }));
  expect(whats(folders)).toEqual(['A namespace is "Shop"']);
});
