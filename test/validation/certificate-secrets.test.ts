import { checkCertificateSecrets } from '../../lib/validation/certificate-secrets';

const certificate = (name: string, namespace: string, secretName?: string) => ({
  path: `home/${name}`,
  object: {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name, namespace },
    spec: { secretName },
  },
});

test('two Certificates that write one Secret are refused, at the second', () => {
  expect(checkCertificateSecrets([certificate('a', 'shop', 'tls'), certificate('b', 'shop', 'tls')])).toEqual([
    {
      path: 'home/b',
      message: expect.stringContaining(
        'Certificate shop/b writes Secret shop/tls, as Certificate shop/a of home/a does',
      ),
    },
  ]);
});

test.each([
  ['in two namespaces', [certificate('a', 'shop', 'tls'), certificate('a', 'till', 'tls')]],
  ['with Secrets of their own', [certificate('a', 'shop', 'a'), certificate('b', 'shop', 'b')]],
  ['without any', [certificate('a', 'shop'), certificate('b', 'shop')]],
  [
    'that are one and the same, which is reported as such',
    [certificate('a', 'shop', 'a'), certificate('a', 'shop', 'a')],
  ],
])('Certificates %s', (_, certificates) => {
  expect(checkCertificateSecrets(certificates)).toEqual([]);
});
