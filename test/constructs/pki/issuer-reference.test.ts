import { checkIssuer } from '../../../lib/constructs/pki/issuer-reference';

test.each([
  { name: 'vault' },
  { name: 'vault', kind: 'Issuer' },
  { name: 'vault', kind: 'ClusterIssuer', group: 'cert-manager.io' },
  { name: 'aws', kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io' },
])('%j is an issuer', (issuer) => expect(checkIssuer(issuer)).toEqual([]));

test.each([
  ['Clusterissuer', 'set kind to ClusterIssuer, or group to that of the external issuer'],
  ['issuer', 'set kind to Issuer, or group to that of the external issuer'],
  ['AWSPCAClusterIssuer', 'set kind to ClusterIssuer or Issuer, or group to that of the external issuer'],
])('cert-manager has no %s of its own', (kind, fix) =>
  expect(checkIssuer({ name: 'vault', kind })).toEqual([
    expect.objectContaining({ what: `trustAnchor.issuer.kind is "${kind}", in the group cert-manager.io`, fix }),
  ]),
);

test('its name is checked as well', () =>
  expect(checkIssuer({ name: 'My Vault', kind: 'Vault' }).map(({ what }) => what)).toEqual([
    'trustAnchor.issuer.name is "My Vault"',
    'trustAnchor.issuer.kind is "Vault", in the group cert-manager.io',
  ]));
