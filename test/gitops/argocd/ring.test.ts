import { checkRings } from '../../../lib/gitops/argocd/ring';

const codes = (...args: Parameters<typeof checkRings>) => checkRings(...args).map(({ code }) => code);

test('rings by name, by revision and by folder are good', () => {
  expect(
    codes([{ name: 'canary' }, { name: 'early', revision: 'ring/early' }, { name: 'rest', path: 'promoted/rest' }]),
  ).toEqual([]);
  expect(
    codes([
      { name: 'early', path: 'promoted' },
      { name: 'rest', path: 'promoted' },
    ]),
  ).toEqual([]);
});

test.each([
  [[{ name: 'Canary' }], 'name-invalid'],
  [[{ name: '' }], 'name-invalid'],
  [[{ name: 'rest' }, { name: 'rest' }], 'ring-refused'],
  [[{ name: 'rest', revision: ' v1' }], 'repository-refused'],
  [[{ name: 'rest', path: '../rest' }], 'repository-refused'],
])('%j is a problem', (rings, code) => {
  expect(codes(rings)).toEqual([code]);
});

test.each([
  ['dist', 'dist/rest'],
  ['dist/all', 'dist'],
  ['', 'promoted'],
])('with the output in "%s", a ring cannot be read from "%s"', (output, path) => {
  expect(codes([{ name: 'canary' }, { name: 'rest', path }], output)).toEqual(['ring-refused']);
});

test('a problem of a ring says of which', () => {
  expect(checkRings([{ name: 'rest', revision: '' }])).toMatchObject([
    { code: 'repository-refused', parameters: { field: 'revision of the ring rest', revision: '' } },
  ]);
});
