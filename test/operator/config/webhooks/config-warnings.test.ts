import { configWarnings } from '#operator/src/config/webhooks/routes';
import { linkerdConfig } from '#test/support/operator/config-fixture';

test('one for the control plane of another operator is told so', () => {
  expect(configWarnings(linkerdConfig({ spec: { controlPlaneNamespace: 'there' } }), 'here')).toEqual([
    'the operator serves the control plane in here, not in there',
  ]);
});

test('one with trust anchors is told where proxies have theirs from', () => {
  const values = { identityTrustAnchorsPEM: '-----BEGIN CERTIFICATE-----' };
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([
    expect.stringMatching(/^spec\.values\.identityTrustAnchorsPEM does not reach .* linkerd-identity-trust-roots/),
  ]);
});

test('one with values that only components have is told that nothing follows them', () => {
  const values = { controllerReplicas: 3, identity: { issuer: { clockSkewAllowance: '20s' } }, proxy: { cores: 2 } };
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([
    expect.stringContaining('follows spec.values.{controllerReplicas,identity.issuer}: set them'),
  ]);
});
