import { checkIssuer } from '#lib/constructs/pki/issuer-reference';

test.each([
  { name: 'vault' },
  { name: 'vault', kind: 'Issuer' },
  { name: 'vault', kind: 'ClusterIssuer', group: 'cert-manager.io' },
  { name: 'aws', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' },
])('synth accepts the issuer %j', (issuer) => expect(checkIssuer(issuer)).toEqual([]));

test.each([
  ['Clusterissuer', 'ClusterIssuer'],
  ['issuer', 'Issuer'],
  ['AWSPCAClusterIssuer', 'ClusterIssuer or Issuer'],
])('synth refuses the kind %s, which cert-manager does not have', (kind, kinds) =>
  expect(checkIssuer({ name: 'vault', kind })).toMatchObject([
    { code: 'trust-anchor-refused', parameters: { kind, kinds } },
  ]),
);

test('synth checks the name of an issuer', () =>
  expect(checkIssuer({ name: 'My Vault', kind: 'Vault' })).toMatchObject([
    { code: 'name-invalid', parameters: { field: 'trustAnchor.issuer.name' } },
    { code: 'trust-anchor-refused', parameters: { kind: 'Vault' } },
  ]));
