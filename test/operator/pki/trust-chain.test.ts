import { X509Certificate } from 'node:crypto';
import { checkChain } from '#operator/src/pki/trust-chain';
import { issueCertificate } from '../../support/cluster/certificates';

const NOW = new Date();
const ca = (commonName: string, more: Partial<Parameters<typeof issueCertificate>[0]> = {}) =>
  issueCertificate({ commonName, ca: true, ...more });
const x509 = ({ cert }: { readonly cert: string }) => new X509Certificate(cert);

const anchor = ca('root.linkerd.cluster.local');
const other = ca('other.root');
const intermediate = ca('intermediate', { issuer: anchor });
const deeper = ca('deeper', { issuer: intermediate });
const issuer = ca('identity.linkerd.cluster.local', { issuer: anchor });
const deepIssuer = ca('identity.linkerd.cluster.local', { issuer: deeper });

test.each([
  ['signed by the anchor', [issuer], anchor.cert],
  ['signed by one of several anchors', [issuer], `${other.cert}\n${anchor.cert}`],
  ['signed over intermediates', [deepIssuer, intermediate, deeper], anchor.cert],
  ['that is an anchor itself', [anchor], anchor.cert],
  ['with an unreadable anchor', [issuer], `-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n${anchor.cert}`],
])('a certificate %s chains to the anchor', (_, chain, bundle) => {
  expect(checkChain(chain.map(x509), bundle, NOW)).toBeUndefined();
});

test.each([
  [
    'signed by another root',
    [issuer],
    other.cert,
    { is: 'other signer', signer: 'CN=root.linkerd.cluster.local', anchors: ['CN=other.root'] },
  ],
  ['without its intermediates', [deepIssuer, deeper], anchor.cert, { is: 'other signer', signer: 'CN=deeper' }],
  ['in second place', [other, issuer], anchor.cert, { is: 'other signer', signer: 'CN=other.root' }],
  ['without anchors', [issuer], '', { is: 'no valid anchor' }],
  ['that is missing', [], anchor.cert, { is: 'no certificate' }],
])('a certificate %s does not chain to the anchor', (_, chain, bundle, fault) => {
  expect(checkChain(chain.map(x509), bundle, NOW)).toMatchObject(fault);
});

test('a certificate that only names the anchor as issuer does not chain to the anchor', () => {
  const impostor = ca('root.linkerd.cluster.local');
  expect(checkChain([x509(issuer)], impostor.cert, NOW)).toMatchObject({
    is: 'other signer',
    anchors: ['CN=root.linkerd.cluster.local'],
  });
});

test('a certificate that has expired, or is not valid yet, chains to no anchor', () => {
  const late = new Date(NOW.getTime() + 2 * 86_400_000);
  const early = new Date(NOW.getTime() - 86_400_000);
  expect(checkChain([x509(issuer)], anchor.cert, late)).toEqual({ is: 'no valid anchor' });
  expect(checkChain([x509(issuer)], anchor.cert, early)).toEqual({ is: 'no valid anchor' });
});

test('an expired intermediate chains to no anchor', () => {
  const expired = ca('intermediate', { issuer: anchor, notAfter: new Date(NOW.getTime() - 1000) });
  const leaf = ca('leaf', { issuer: expired });
  expect(checkChain([leaf, expired].map(x509), anchor.cert, NOW)).toMatchObject({ signer: 'CN=intermediate' });
});

test('the search for a chain ends if intermediates sign each other', () => {
  const first = ca('loop');
  const second = ca('loop', { issuer: first });
  expect(checkChain([second, first, second].map(x509), anchor.cert, NOW)).toMatchObject({ signer: 'CN=loop' });
});
