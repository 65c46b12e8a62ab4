import { checkTls, commonNameOf, issuerOf, tlsSecretOf } from '#lib/constructs/viz/dashboard-tls';

const long = `${'a'.repeat(60)}.example`;

test('the certificate of the dashboard has the issuer of its options', () => {
  expect(issuerOf({ clusterIssuer: 'ca-issuer' })).toEqual({ kind: 'ClusterIssuer', name: 'ca-issuer' });
  expect(issuerOf({ issuer: 'local' })).toEqual({ kind: 'Issuer', name: 'local' });
  expect(issuerOf({ secretName: 'mine' })).toBeUndefined();
});

test('the certificate of the dashboard has the host as common name, if it fits', () => {
  expect(commonNameOf({ clusterIssuer: 'a' }, 'linkerd.example.com')).toBe('linkerd.example.com');
  expect(commonNameOf({ clusterIssuer: 'a' }, long)).toBeUndefined();
  expect(commonNameOf({ clusterIssuer: 'a', commonName: 'viz' }, long)).toBe('viz');
});

describe('checkTls', () => {
  test('accepts valid options', () => {
    expect(checkTls({ clusterIssuer: 'ca-issuer', commonName: 'viz' })).toEqual([]);
    expect(tlsSecretOf({ issuer: 'a' })).toBe('linkerd-viz-tls');
  });

  test.each(['', long])('refuses the common name %j', (commonName) => {
    expect(checkTls({ clusterIssuer: 'a', commonName })).toMatchObject([
      { code: 'viz-value-refused', parameters: { name: commonName, length: commonName.length } },
    ]);
  });

  test('refuses invalid names', () => {
    expect(checkTls({ issuer: 'My Issuer', secretName: 'tls_secret' }).map(({ what }) => what)).toEqual([
      expect.stringContaining('ingress.tls.secretName is "tls_secret"'),
      expect.stringContaining('ingress.tls.issuer is "My Issuer"'),
    ]);
    expect(checkTls({ clusterIssuer: 'A' }).map(({ what }) => what)).toEqual([
      expect.stringContaining('ingress.tls.clusterIssuer is "A"'),
    ]);
  });
});
