import { type CertificateRequest, certificateSpec } from '../../../lib/constructs/pki/certificate';
import { hours } from './mesh';

const REQUEST: CertificateRequest = {
  purpose: 'root',
  secretName: 'secret',
  issuerRef: { name: 'issuer' },
  validity: hours(48, 25),
};

test('says everything that cert-manager would otherwise decide', () => {
  expect(certificateSpec(REQUEST)).toMatchObject({
    secretName: 'secret',
    secretTemplate: { labels: { 'app.kubernetes.io/part-of': 'Linkerd' } },
    issuerRef: { name: 'issuer' },
    isCA: true,
    usages: ['cert sign', 'crl sign'],
    privateKey: { algorithm: 'ECDSA', size: 256, encoding: 'PKCS1', rotationPolicy: 'Always' },
    revisionHistoryLimit: 3,
  });
});

test.each([
  ['root', true, ['cert sign', 'crl sign']],
  ['intermediate', true, ['cert sign', 'crl sign', 'server auth', 'client auth']],
  ['server', false, ['server auth']],
] as const)('a certificate for %s', (purpose, isCA, usages) => {
  expect(certificateSpec({ ...REQUEST, purpose })).toMatchObject({ isCA, usages });
});

test('renewal is left to cert-manager without a word, as older CRDs know no other', () => {
  expect(certificateSpec(REQUEST)).not.toHaveProperty('renewal');
  expect(certificateSpec({ ...REQUEST, manualRenewal: false })).not.toHaveProperty('renewal');
});

test('or disabled', () => {
  expect(certificateSpec({ ...REQUEST, manualRenewal: true }).renewal).toEqual({ policy: 'Disabled' });
});

test('the Secret gets further labels', () => {
  expect(certificateSpec({ ...REQUEST, secretLabels: { a: 'b' } }).secretTemplate?.labels).toEqual({
    'app.kubernetes.io/part-of': 'Linkerd',
    a: 'b',
  });
});
