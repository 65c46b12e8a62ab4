import { checkCertificateSecrets } from '../../../lib/kubernetes/checks/certificate-checks';

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
  const parameters = {
    certificate: 'Certificate shop/b',
    secret: 'shop/tls',
    other: 'Certificate shop/a',
    path: 'home/a',
  };
  expect(checkCertificateSecrets([certificate('a', 'shop', 'tls'), certificate('b', 'shop', 'tls')])).toMatchObject([
    { severity: 'error', path: 'home/b', problem: { code: 'certificate-secret-shared', parameters } },
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

const ingress = (annotations: Record<string, string> | undefined, ...secretNames: readonly (string | undefined)[]) => ({
  path: 'home/ingress',
  object: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: { tls: secretNames.map((secretName) => ({ secretName })) },
  },
});

test.each(['cert-manager.io/cluster-issuer', 'cert-manager.io/issuer', 'kubernetes.io/tls-acme'])(
  'the certificate that %s makes for an Ingress counts',
  (annotation) => {
    const parameters = { certificate: 'Ingress shop/web', secret: 'shop/tls' };
    expect(
      checkCertificateSecrets([certificate('a', 'shop', 'tls'), ingress({ [annotation]: 'x' }, 'tls')]),
    ).toMatchObject([
      { severity: 'error', path: 'home/ingress', problem: { code: 'certificate-secret-shared', parameters } },
    ]);
  },
);

test.each([
  ['has a Secret from elsewhere', ingress(undefined, 'tls')],
  ['has other annotations', ingress({ 'nginx.org/x': 'y' }, 'tls')],
  ['has a Secret of its own, for two hosts', ingress({ 'cert-manager.io/issuer': 'x' }, 'web', 'web')],
  ['has none', ingress({ 'cert-manager.io/issuer': 'x' }, undefined)],
])('an Ingress that %s', (_, placed) => {
  expect(checkCertificateSecrets([certificate('a', 'shop', 'tls'), placed])).toEqual([]);
});
