import { checkTarget } from '../../../lib/gitops/argocd/target';

const whats = (...args: Parameters<typeof checkTarget>) => checkTarget(...args).map(({ what }) => what);

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
  expect(whats({ cluster: 'home', destination })).toEqual([
    expect.stringContaining('The destination of cluster home has the'),
  ]);
});

test('the name of the folder must be a DNS label', () => {
  expect(whats({ cluster: 'a.b', destination: { name: 'x' } })).toEqual(['The name of a cluster is "a.b"']);
});

test('labels of a fleet are checked, keys and values', () => {
  expect(checkTarget({ clusterLabels: { 'example.com/mesh': 'linkerd' } })).toEqual([]);
  expect(checkTarget({ clusterLabels: { 'not a key': 'not a value' } })).toHaveLength(2);
});

test('a destination has one address', () => {
  const destination = { server: 'https://10.0.0.1:6443', name: 'home' };
  // @ts-expect-error the compiler refuses it as well
  expect(whats({ cluster: 'home', destination })).toEqual([
    'The destination of cluster home has both the server "https://10.0.0.1:6443" and the name "home"',
  ]);
});
