import { configWarnings } from '#operator/src/config/webhooks/routes';
import { linkerdConfig } from '#test/support/operator/config-fixture';

test('the webhook warns about a LinkerdConfig for the control plane of another operator', () => {
  expect(configWarnings(linkerdConfig({ spec: { controlPlaneNamespace: 'there' } }), 'here')).toEqual([
    'the operator serves the control plane in here, not in there',
  ]);
});

test('the webhook warns about trust anchors if proxies read theirs from elsewhere', () => {
  const values = { identityTrustAnchorsPEM: '-----BEGIN CERTIFICATE-----' };
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([
    expect.stringMatching(/^spec\.values\.identityTrustAnchorsPEM does not reach .* linkerd-identity-trust-roots/),
  ]);
});

test('the webhook warns that no workload restarts for values of components', () => {
  const values = { controllerReplicas: 3, identity: { issuer: { clockSkewAllowance: '20s' } }, proxy: { cores: 2 } };
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([
    expect.stringContaining('uses spec.values.{controllerReplicas,identity.issuer}: set them'),
  ]);
});
