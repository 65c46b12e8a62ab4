import { configWarnings } from '../../../../operator/src/linkerd-config/webhooks/config-warnings';
import { linkerdConfig } from '../fixture';

const LONGEST_NAMESPACE = 'n'.repeat(63);

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

test('all arrive whole', () => {
  const spec = { controlPlaneNamespace: LONGEST_NAMESPACE, values: { identityTrustAnchorsPEM: 'x' } };
  const warnings = configWarnings(linkerdConfig({ spec }), LONGEST_NAMESPACE.replace(/n$/, 'm'));
  expect(warnings.map((warning) => warning.length <= 256)).toEqual([true, true]);
});
