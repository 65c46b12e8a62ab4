import { COMPONENT_VALUES } from '#operator/api/component-values';
import { configWarnings } from '#operator/src/config/webhooks/routes';
import { linkerdConfig } from '#test/support/operator/config-fixture';

const MAX_NAMESPACE_LENGTH = 'n'.repeat(63);

test('a LinkerdConfig that will be put in force as it is gets none', () => {
  const values = { identityTrustAnchorsPEM: '', proxy: { logLevel: 'debug' } };
  expect(configWarnings(linkerdConfig(), 'linkerd')).toEqual([]);
  expect(configWarnings(linkerdConfig({ spec: { values } }), 'linkerd')).toEqual([]);
});

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

test('all arrive whole', () => {
  const longest = COMPONENT_VALUES['edge-26.8.3']
    .filter((path) => !path.includes('.'))
    .toSorted((a, b) => b.length - a.length);
  const values = { identityTrustAnchorsPEM: 'x', ...Object.fromEntries(longest.slice(0, 5).map((path) => [path, 1])) };
  const spec = { controlPlaneNamespace: MAX_NAMESPACE_LENGTH, values };
  const warnings = configWarnings(linkerdConfig({ spec }), MAX_NAMESPACE_LENGTH.replace(/n$/, 'm'));
  expect(warnings.map((warning) => warning.length <= 256)).toEqual([true, true, true]);
});
