import { certificatesIn, issuedChain, rootsOf } from '#lib/review/status/x509';
import { issueCertificate } from '../../support/cluster/certificates';
import { certificate, request } from '../live/healthy-mesh';

const root = issueCertificate({ commonName: 'root', ca: true });
const upper = issueCertificate({ commonName: 'upper', ca: true, issuer: root });
const lower = issueCertificate({ commonName: 'lower', ca: true, issuer: upper });
const leaf = issueCertificate({ commonName: 'leaf', issuer: lower });

const roots = certificatesIn(root.cert);
const rootsOver = (...chain: readonly { readonly cert: string }[]) =>
  rootsOf(certificatesIn(chain.map(({ cert }) => cert).join('')), roots);

test('a chain leads to its root over several intermediates in any order, and only if none is missing', () => {
  expect(rootsOver(leaf, lower, upper)).toEqual(roots);
  expect(rootsOver(leaf, upper, lower)).toEqual(roots);
  expect(rootsOver(leaf, lower)).toEqual([]);
  expect(rootsOver(leaf, upper)).toEqual([]);
});

test('status reads the issued certificate from the accepted request of the latest revision', () => {
  const refused = { ...request('web', '', 4), refusal: { reason: 'Denied', message: 'no' } };
  const issued = [request('web', root.cert, 3), refused, request('web', leaf.cert, 4), request('web', root.cert, 5)];
  expect(issuedChain(certificate('web', { revision: 4 }), issued)).toEqual(certificatesIn(leaf.cert));
  expect(issuedChain(certificate('web', { revision: 4 }), [refused])).toEqual([]);
});
