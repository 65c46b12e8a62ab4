import { checkTarget } from '../../../lib/gitops/argocd/target';

test.each([
  { server: 'https://kubernetes.default.svc' },
  { server: 'https://10.0.0.1:6443' },
  { name: 'in-cluster' },
  { name: 'arn:aws:eks:eu-west-1:123456789012:cluster/home' },
])('%p is a destination', (destination) => {
  expect(checkTarget({ cluster: 'home', destination })).toEqual([]);
});

test.each([
  { server: '' },
  { server: '10.0.0.1:6443' },
  { server: 'https://*' },
  { server: 'https://[fd00::1]:6443' },
  { name: '' },
  { name: '*' },
  { name: '{{.name}}' },
])('%p is none', (destination) => {
  const [[field, value] = []] = Object.entries(destination);
  expect(checkTarget({ cluster: 'home', destination })).toMatchObject([
    { code: 'destination-refused', parameters: { cluster: 'home', field, value } },
  ]);
});

test('the name of the folder must be a DNS label', () => {
  expect(checkTarget({ cluster: 'a.b', destination: { name: 'x' } })).toMatchObject([
    { code: 'name-invalid', parameters: { field: 'The name of a cluster', proposed: 'a-b' } },
  ]);
});

test('labels of a fleet are checked, keys and values', () => {
  expect(checkTarget({ clusterLabels: { 'example.com/mesh': 'linkerd' } })).toEqual([]);
  expect(checkTarget({ clusterLabels: { 'not a key': 'not a value' } })).toHaveLength(2);
});

test('a destination has one address', () => {
  const destination = { server: 'https://10.0.0.1:6443', name: 'home' };
  // @ts-expect-error the compiler refuses it as well
  expect(checkTarget({ cluster: 'home', destination })).toMatchObject([
    { code: 'destination-refused', parameters: { cluster: 'home', ...destination } },
  ]);
});
