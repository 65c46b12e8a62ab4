import type { Values } from '#base/values';
import { effectiveValues, proxyVersionOf, trustAnchorsOf } from '#operator/src/config/values/effective-values';

const INSTALLED: Values = {
  linkerdVersion: 'edge-26.8.3',
  identityTrustAnchorsPEM: 'PEM',
  proxy: { image: { name: 'proxy', version: 'v1' }, uid: 2102 },
  identity: { issuer: { tls: { crtPEM: 'CRT' } } },
};

test.each<[string, Values]>([
  ['empty trust anchors', { identityTrustAnchorsPEM: '' }],
  ['null trust anchors', { identityTrustAnchorsPEM: null }],
  ['an empty proxy version', { proxy: { image: { version: '' } } }],
  ['a null proxy version', { proxy: { image: { version: null } } }],
  ['empty private keys', { identity: { issuer: { tls: { keyPEM: '' } } }, proxyInjector: { keyPEM: '' } }],
  ['empty CA bundles', { profileValidator: { caBundle: '' } }],
])('for %s, the operator keeps the values in use', (_name, over) => {
  const { proxyInjector: _injector, profileValidator: _validator, ...values } = effectiveValues(INSTALLED, over);
  expect(values).toEqual(INSTALLED);
});

test('the operator writes no private keys or CA bundles, even if the schema accepted them', () => {
  const over = { proxyInjector: { keyPEM: 'KEY', caBundle: 'CA', crtPEM: 'CRT' } };
  expect(effectiveValues({}, over)).toEqual({ proxyInjector: { crtPEM: 'CRT' } });
});

test('the operator uses given trust anchors and a given proxy version', () => {
  expect(
    effectiveValues(INSTALLED, { identityTrustAnchorsPEM: 'NEW', proxy: { image: { version: 'v2' } } }),
  ).toMatchObject({ identityTrustAnchorsPEM: 'NEW', proxy: { image: { name: 'proxy', version: 'v2' } } });
});

test.each<[Values, string | undefined]>([
  [INSTALLED, 'v1'],
  [{ linkerdVersion: 'edge-26.8.3', proxy: { image: { version: '' } } }, 'edge-26.8.3'],
  [{ linkerdVersion: 'edge-26.8.3' }, 'edge-26.8.3'],
  [{ proxy: 1, linkerdVersion: '' }, undefined],
])('the version of proxies with the configuration %j is %j', (values, version) =>
  expect(proxyVersionOf(values)).toBe(version),
);

test.each<[Values, string | undefined]>([
  [INSTALLED, 'PEM'],
  [{ identityTrustAnchorsPEM: ' \n' }, undefined],
  [{}, undefined],
])('the trust anchors of proxies with the configuration %j are %j', (values, anchors) => {
  expect(trustAnchorsOf(values)).toBe(anchors);
});
