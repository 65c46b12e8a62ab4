import type { Values } from '#base/values';
import { checkKeyMaterialValues } from '#lib/constructs/control-plane/key-material-rules';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { facts } from '../../support/findings';

const whats = (values: Values) => checkKeyMaterialValues(values).map(facts);

test.each(LINKERD_VERSIONS)('the default values of %s hold no key material', (version) => {
  expect(checkKeyMaterialValues(defaultsOf(releaseOf(version)).controlPlane)).toEqual([]);
});

test.each([
  ['values.identity.issuer.tls.keyPEM', { identity: { issuer: { tls: { keyPEM: 'MHcCAQEE' } } } }],
  ['values.proxyInjector.keyPEM', { proxyInjector: { keyPEM: 'MHcCAQEE' } }],
  [
    'values.proxy.additionalEnv[0].value',
    { proxy: { additionalEnv: [{ name: 'KEY', value: '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE' }] } },
  ],
])('synth refuses a private key in %s', (path, values) => {
  expect(whats(values)).toMatchObject([{ finding: 'private-key-found/values', path }]);
});

test('synth refuses an issuer certificate in values, which the chart ignores', () => {
  const crtPEM = '-----BEGIN CERTIFICATE-----';
  expect(checkKeyMaterialValues({ identity: { issuer: { tls: { crtPEM } } } })).toMatchObject([
    { code: 'certificate-source-conflict', parameters: { path: 'values.identity.issuer.tls.crtPEM' } },
  ]);
});

test('synth refuses anchors in values, which contradict the trust bundle', () => {
  const identityTrustAnchorsPEM = '-----BEGIN CERTIFICATE-----';
  expect(checkKeyMaterialValues({ identityTrustAnchorsPEM, identity: { externalCA: true } })).toMatchObject([
    { code: 'certificate-source-conflict', about: 'values.identityTrustAnchorsPEM' },
  ]);
  expect(whats({ identityTrustAnchorsPEM: '\n', identity: { externalCA: true } })).toEqual([]);
  expect(whats({ identityTrustAnchorsPEM, identity: { externalCA: false } })).toEqual([]);
});

test.each(['proxyInjector', 'profileValidator', 'policyValidator'])(
  'synth refuses two sources of the CA of %s',
  (webhook) => {
    const values = { [webhook]: { caBundle: '-----BEGIN CERTIFICATE-----', injectCaFromSecret: 'linkerd/x' } };
    expect(checkKeyMaterialValues(values)).toMatchObject([
      { code: 'certificate-source-conflict', parameters: { path: `${webhook}.caBundle` } },
      { code: 'certificate-source-conflict', parameters: { path: `${webhook}.injectCaFromSecret` } },
    ]);
  },
);

test('synth refuses a login in a URL', () => {
  expect(whats({ podAnnotations: { see: 'https://me:word@example.com' } })).toMatchObject([
    { finding: 'credentials-found/values', path: 'values.podAnnotations.see' },
  ]);
});

test('synth reports a private key in an unknown value as one problem', () => {
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE';
  const identity = { externalCA: true, issuer: { tls: { crtPEM: key } } };
  expect(whats({ identityTrustAnchorsPEM: key, identity, proxyInjector: { caBundle: key } })).toMatchObject([
    { finding: 'private-key-found/values', path: 'values.identityTrustAnchorsPEM' },
    { finding: 'private-key-found/values', path: 'values.identity.issuer.tls.crtPEM' },
    { finding: 'private-key-found/values', path: 'values.proxyInjector.caBundle' },
  ]);
});
