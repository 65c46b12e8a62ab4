import { checkIssuer } from '#lib/constructs/pki/issuer-reference';

test.each([
  { name: 'vault' },
  { name: 'vault', kind: 'Issuer' },
  { name: 'vault', kind: 'ClusterIssuer', group: 'cert-manager.io' },
  { name: 'aws', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' },
])('%j is an issuer', (issuer) => expect(checkIssuer(issuer)).toEqual([]));

test.each([
  ['Clusterissuer', 'ClusterIssuer'],
  ['issuer', 'Issuer'],
  ['AWSPCAClusterIssuer', 'ClusterIssuer or Issuer'],
])('cert-manager has no %s of its own', (kind, kinds) =>
  expect(checkIssuer({ name: 'vault', kind })).toMatchObject([
    { code: 'trust-anchor-refused', parameters: { kind, kinds } },
  ]),
);

test('its name is checked as well', () =>
  expect(checkIssuer({ name: 'My Vault', kind: 'Vault' })).toMatchObject([
    { code: 'name-invalid', parameters: { field: 'trustAnchor.issuer.name' } },
    { code: 'trust-anchor-refused', parameters: { kind: 'Vault' } },
  ]));
