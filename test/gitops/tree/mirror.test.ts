import { checkMirror, type Mirror } from '#lib/gitops/tree/mirror';

const codes = (mirror: unknown) => checkMirror(mirror as Mirror).map(({ code }) => code);

test.each([
  { charts: 'oci://registry.example.com/charts' },
  { charts: 'https://charts.example.com:8443', images: 'registry.example.com:5000/mirror' },
  { images: { 'cr.l5d.io': 'registry.example.com/l5d', 'docker.io': 'registry.example.com/hub' } },
  { images: { 'localhost:5000': 'registry.example.com/l', localhost: 'registry.example.com/l' } },
  { charts: 'https://charts.example.com/' },
  {},
])('a mirror accepts %j', (mirror) => expect(codes(mirror)).toEqual([]));

test.each([
  { charts: 'registry.example.com/charts' },
  'registry.example.com',
  { images: null },
  { images: { 'cr.l5d.io': 'REGISTRY/Mirror ' } },
  { images: { 'https://quay.io': 'registry.example.com/quay' } },
  { images: { 'quay.io/jetstack': 'registry.example.com/quay' } },
  { images: { 'index.docker.io': 'registry.example.com/hub' } },
  { images: { quay: 'registry.example.com/quay' } },
])('a mirror refuses %j', (mirror) => expect(codes(mirror)).toEqual(['mirror-refused']));

test('a mirror with a password is refused as a password', () => {
  expect(codes({ charts: 'https://me:pass@charts.example.com' })).toEqual(['credentials-found']);
});
