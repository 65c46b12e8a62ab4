import { configWarnings } from '#operator/src/config/webhooks/routes';
import { linkerdConfig } from '#test/support/operator/config-fixture';

test('a LinkerdConfig for the control plane of another operator gets a warning', () => {
  expect(configWarnings(linkerdConfig({ spec: { controlPlaneNamespace: 'there' } }), 'here')).toEqual([
    'the operator serves the control plane in here, not in there',
  ]);
});

test('a LinkerdConfig with trust anchors gets a warning where proxies read theirs', () => {
  const values = { identityTrustAnchorsPEM: '-----BEGIN CERTIFICATE-----' };
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([
    expect.stringMatching(/^spec\.values\.identityTrustAnchorsPEM does not reach .* linkerd-identity-trust-roots/),
  ]);
});

test('a LinkerdConfig with values of components gets a warning that no workload follows them', () => {
  const values = { controllerReplicas: 3, identity: { issuer: { clockSkewAllowance: '20s' } }, proxy: { cores: 2 } };
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([
    expect.stringContaining('follows spec.values.{controllerReplicas,identity.issuer}: set them'),
  ]);
});
