import { certificatesIn, rootsOf } from '../../../lib/review/status/x509';
import { issueCertificate } from '../../support/cluster/certificates';

const root = issueCertificate({ commonName: 'root', ca: true });
const upper = issueCertificate({ commonName: 'upper', ca: true, issuer: root });
const lower = issueCertificate({ commonName: 'lower', ca: true, issuer: upper });
const leaf = issueCertificate({ commonName: 'leaf', issuer: lower });

const roots = certificatesIn(root.cert);
const rootsOver = (...chain: readonly { readonly cert: string }[]) =>
  rootsOf(certificatesIn(chain.map(({ cert }) => cert).join('')), roots);

test('a chain leads to its root over several intermediates, in any order, and only over all of them', () => {
  expect(rootsOver(leaf, lower, upper)).toEqual(roots);
  expect(rootsOver(leaf, upper, lower)).toEqual(roots);
  expect(rootsOver(leaf, lower)).toEqual([]);
  expect(rootsOver(leaf, upper)).toEqual([]);
});
