import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { certificateWindow, checkSigner, signersAmong } from '#lib/checks/certificate-chains';
import { checkBundle, checkCertificate, checkCertificateSecrets, issuedSecrets } from '#lib/checks/certificate-checks';

describe('checkCertificate', () => {
  const certificate = (spec: unknown, apiVersion = 'cert-manager.io/v1') => ({
    apiVersion,
    kind: 'Certificate',
    metadata: { name: 'api', namespace: 'shop' },
    spec,
  });
  const problems = (spec: unknown) => checkCertificate(certificate(spec));

  test.each([
    [{}],
    [{ duration: '1h', renewBefore: '5m' }],
    [{ renewBefore: '2159h59m' }],
    [{ duration: '24h', renewBeforePercentage: 30 }],
    [{ renewal: { policy: 'Disabled' } }],
    // The schema refuses these types.
    [{ duration: 24 }],
    ['none'],
  ])('accepts %j', (spec) => expect(problems(spec)).toEqual([]));

  test.each<[object, string, object]>([
    [{ duration: '24' }, 'duration', { field: 'duration', value: '24' }],
    [{ renewBefore: '30d' }, 'duration', { field: 'renewBefore', value: '30d' }],
    [{ duration: '' }, 'duration', { field: 'duration', value: '' }],
    [{ duration: '59m' }, 'duration-short', { duration: '59m' }],
    [{ duration: '24h', renewBefore: '4m59s' }, 'window', { renewBefore: '4m59s', duration: '24h' }],
    [{ duration: '24h', renewBefore: '24h' }, 'window', { renewBefore: '24h', duration: '24h' }],
    [{ renewBefore: '2160h' }, 'window', { renewBefore: '2160h', duration: '2160h' }],
    [{ renewBefore: '1h', renewBeforePercentage: 30 }, 'renewal-twice', {}],
    [{ renewal: {} }, 'renewal-empty', {}],
  ])('refuses %j: %s', (spec, cause, parameters) => {
    expect(problems(spec)).toMatchObject([
      { code: 'certificate-refused', cause, place: 'Certificate shop/api', parameters },
    ]);
  });

  test('reports all problems at once', () => {
    expect(problems({ duration: '30d', renewBefore: '24', renewal: {} })).toHaveLength(3);
  });

  test('ignores Certificates of other API groups', () => {
    expect(checkCertificate(certificate({ duration: '30d' }, 'networking.internal.knative.dev/v1'))).toEqual([]);
  });
});

describe('checkCertificateSecrets', () => {
  const certificate = (name: string, namespace: string, secretName?: string) => ({
    path: `home/${name}`,
    object: {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name, namespace },
      spec: { secretName },
    },
  });

  test('reports the second of two Certificates that write the same Secret', () => {
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
    ['with different Secrets', [certificate('a', 'shop', 'a'), certificate('b', 'shop', 'b')]],
    ['without Secrets', [certificate('a', 'shop'), certificate('b', 'shop')]],
    ['of the same name, which another check reports', [certificate('a', 'shop', 'a'), certificate('a', 'shop', 'a')]],
  ])('accepts Certificates %s', (_, certificates) => expect(checkCertificateSecrets(certificates)).toEqual([]));

  const ingress = (
    annotations: Record<string, string> | undefined,
    ...secretNames: readonly (string | undefined)[]
  ) => ({
    path: 'home/ingress',
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', namespace: 'shop', annotations },
      spec: { tls: secretNames.map((secretName) => ({ secretName })) },
    },
  });

  test.each(['cert-manager.io/cluster-issuer', 'cert-manager.io/issuer', 'kubernetes.io/tls-acme'])(
    'includes the certificate that the annotation %s requests for an Ingress',
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
    ['has an existing Secret', ingress(undefined, 'tls')],
    ['has other annotations', ingress({ 'nginx.org/x': 'y' }, 'tls')],
    ['has one Secret for two hosts', ingress({ 'cert-manager.io/issuer': 'x' }, 'web', 'web')],
    ['has no Secret', ingress({ 'cert-manager.io/issuer': 'x' }, undefined)],
  ])('accepts an Ingress that %s', (_, placed) => {
    expect(checkCertificateSecrets([certificate('a', 'shop', 'tls'), placed])).toEqual([]);
  });
});

describe('checkBundle', () => {
  const issuer = (kind: string, name: string, spec: object, namespace?: string): KubernetesObject => ({
    apiVersion: 'cert-manager.io/v1',
    kind,
    metadata: { name, namespace },
    spec,
  });
  const certificate = (issuerRef: object): KubernetesObject => ({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: 'ca', namespace: 'cert-manager' },
    spec: { secretName: 'roots', issuerRef },
  });
  const bundle = (source: object): KubernetesObject => ({
    apiVersion: 'trust.cert-manager.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'roots' },
    spec: { sources: [source] },
  });
  const ISSUERS = [
    issuer('ClusterIssuer', 'mesh', { ca: { secretName: 'anchor' } }),
    issuer('Issuer', 'vault', { vault: {} }, 'cert-manager'),
    issuer('Issuer', 'self', { selfSigned: {} }, 'cert-manager'),
  ];
  const check = (object: KubernetesObject, ref: object, trustNamespace = 'cert-manager') =>
    checkBundle(object, issuedSecrets([...ISSUERS, certificate(ref)]), trustNamespace);
  const BY_NAME = bundle({ secret: { name: 'roots', key: 'ca.crt' } });

  test.each([[{ kind: 'ClusterIssuer', name: 'mesh' }], [{ name: 'vault' }], [{ kind: 'Issuer', name: 'vault' }]])(
    'refuses the Secret of a Certificate from %j as a source by name',
    (ref) => {
      const parameters = {
        bundle: 'Bundle roots',
        field: 'spec.sources[0].secret',
        secret: 'cert-manager/roots, key ca.crt',
        certificate: 'Certificate cert-manager/ca',
      };
      expect(check(BY_NAME, ref)).toMatchObject([{ code: 'bundle-of-issued-certificate', parameters }]);
    },
  );

  test('refuses a ClusterBundle of an issued certificate', () => {
    const spec = { sourceRefs: [{ kind: 'Secret', name: 'roots', key: '*' }] };
    const object = { ...BY_NAME, apiVersion: 'trust-manager.io/v1alpha2', kind: 'ClusterBundle', spec };
    expect(check(object, { name: 'vault' })).toHaveLength(1);
  });

  test.each([
    ['a self-signed anchor', BY_NAME, { name: 'self' }],
    ['an unknown issuer', BY_NAME, { kind: 'ClusterIssuer', name: 'elsewhere' }],
    ['an Issuer of another namespace', BY_NAME, { name: 'mesh' }],
    ['another Secret', bundle({ secret: { name: 'others', key: 'ca.crt' } }), { name: 'vault' }],
    ['a selector', bundle({ secret: { selector: { matchLabels: { a: 'b' } }, key: 'ca.crt' } }), { name: 'vault' }],
    ['a ConfigMap named roots', bundle({ configMap: { name: 'roots', key: 'ca.crt' } }), { name: 'vault' }],
  ])('accepts %s', (_, object, ref) => expect(check(object, ref)).toEqual([]));

  test('ignores a Secret outside trust-manager’s namespace', () => {
    expect(check(BY_NAME, { name: 'vault' }, 'trust')).toEqual([]);
  });
});

describe('certificateWindow', () => {
  const HOUR = 3_600_000;
  const window = (spec: unknown) =>
    certificateWindow({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'a' }, spec });

  test.each<[object, number, number]>([
    [{}, 2160, 720],
    [{ duration: '48h', renewBefore: '25h' }, 48, 25],
    [{ duration: '1h30m' }, 1.5, 0.5],
    [{ duration: '48h', renewBeforePercentage: 25 }, 48, 12],
    [{ duration: null, renewBefore: null }, 2160, 720],
    [{ renewBefore: '24h', renewal: { policy: 'Disabled' } }, 2160, 24],
  ])('returns for %j a duration of %d h and a renewal %d h before expiry', (spec, duration, renewBefore) => {
    expect(window(spec)).toEqual({ duration: duration * HOUR, renewBefore: renewBefore * HOUR });
  });

  test.each([
    { duration: '59m' },
    { duration: '2d' },
    { duration: 48 },
    { duration: '48h', renewBefore: '48h' },
    { renewBefore: '1m' },
    { renewBefore: '24h', renewBeforePercentage: 30 },
    { renewBeforePercentage: 100 },
    { renewal: { policy: 'Disabled' } },
  ])('returns undefined for %j', (spec) => expect(window(spec)).toBeUndefined());
});

describe('checkSigner', () => {
  const ca = (namespace: string, spec: object = {}) =>
    of(
      'Certificate',
      { name: 'ca', namespace },
      { secretName: 'ca', isCA: true, issuerRef: { name: 'self' }, ...spec },
    );
  const leaf = (spec: object = {}) =>
    of('Certificate', { name: 'web', namespace: 'shop' }, { secretName: 'tls', issuerRef: { name: 'ca' }, ...spec });
  const issuer = of('Issuer', { name: 'ca', namespace: 'shop' }, { ca: { secretName: 'ca' } });
  const global = of('ClusterIssuer', { name: 'ca' }, { ca: { secretName: 'ca' } });
  const byGlobal = { issuerRef: { name: 'ca', kind: 'ClusterIssuer' } };

  function of(kind: string, metadata: { name: string; namespace?: string }, spec: object) {
    return { apiVersion: 'cert-manager.io/v1', kind, metadata, spec };
  }
  const found = (objects: readonly KubernetesObject[], clusterIssuers?: string) =>
    signersAmong(objects, clusterIssuers).flatMap(checkSigner);
  const outlived = { code: 'certificate-outlives-issuer', cause: 'signed' };

  test('refuses a certificate that is valid for longer than the renewBefore of its signer', () => {
    expect(found([leaf({ duration: '721h' }), leaf(), issuer, ca('shop')])).toMatchObject([
      {
        ...outlived,
        parameters: {
          signer: 'Certificate shop/ca',
          certificate: 'Certificate shop/web',
          renewBefore: '720h (30 days)',
          duration: '2160h (90 days)',
          proposedDuration: '2184h',
          proposedRenewBefore: '2160h',
        },
      },
    ]);
    expect(found([leaf({ duration: '720h' }), issuer, ca('shop')])).toEqual([]);
  });

  test.each<[string, readonly KubernetesObject[], string | undefined, number]>([
    ['a ClusterIssuer with one possible CA', [leaf(byGlobal), global, ca('certs')], undefined, 1],
    ['a ClusterIssuer with two CAs and a set namespace', [leaf(byGlobal), global, ca('a'), ca('b')], 'b', 1],
    ['a ClusterIssuer with two possible CAs', [leaf(byGlobal), global, ca('a'), ca('b')], undefined, 0],
    ['a ClusterIssuer with a CA in another namespace', [leaf(byGlobal), global, ca('shop')], 'cert-manager', 0],
    ['an Issuer in another namespace', [leaf(), issuer, ca('certs')], undefined, 0],
    ['an issuer outside of the output', [leaf(), ca('shop')], undefined, 0],
    ['an issuer without a CA', [leaf(), { ...issuer, spec: { selfSigned: {} } }, ca('shop')], undefined, 0],
    [
      'an issuer of another group',
      [leaf({ issuerRef: { name: 'ca', group: 'aws' } }), issuer, ca('shop')],
      undefined,
      0,
    ],
    ['a certificate that signs itself', [ca('shop', { issuerRef: { name: 'ca' } }), issuer], undefined, 0],
    ['a signer with an invalid duration', [leaf(), issuer, ca('shop', { duration: '2d' })], undefined, 0],
    ['a certificate with an invalid duration', [leaf({ duration: '9999d' }), issuer, ca('shop')], undefined, 0],
    ['a certificate without a spec', [{ ...leaf(), spec: null }, issuer, ca('shop')], undefined, 0],
  ])('compares a certificate only with a certain signer: %s', (_, objects, clusterIssuers, count) => {
    expect(found(objects, clusterIssuers)).toHaveLength(count);
  });
});
