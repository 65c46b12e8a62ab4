import { configValueProblems } from '../../lib/reconciler/config-value-rules';

const INSTALLED = { clusterDomain: 'cluster.local', proxy: { resources: { memory: { limit: '250Mi' } } } };
const wrong = (values: Parameters<typeof configValueProblems>[0], installed = INSTALLED) =>
  configValueProblems(values, installed).map(({ what }) => what);

test.each([
  ['clusterDomain', { clusterDomain: 'example.org' }],
  ['cniEnabled', { cniEnabled: false }],
  ['identityTrustDomain', { identityTrustDomain: 'example.org' }],
  ['identity', { identity: { issuer: { issuanceLifetime: '72h' } } }],
])('%s is decided elsewhere', (path, values) => {
  expect(wrong(values)).toEqual([`values sets ${path}`]);
});

test('what the proxy would not understand is refused as in the installation', () => {
  expect(wrong({ proxy: { logLevel: 'verbose' } })).toEqual([expect.stringContaining('values.proxy.logLevel')]);
  expect(wrong({ proxy: { resources: { memory: { limit: '64mb' } } } })).toHaveLength(1);
});

test('values count together with those of the installation', () => {
  expect(wrong({ proxy: { resources: { memory: { request: '300Mi' } } } })).toEqual([
    expect.stringContaining('more than values.proxy.resources.memory.limit of 250Mi'),
  ]);
});

test('what the installation is wrong about is not said again', () => {
  const installed = { ...INSTALLED, proxy: { resources: { memory: { limit: 'much' } } } };
  expect(wrong({ proxy: { logLevel: 'info' } }, installed)).toEqual([]);
});
