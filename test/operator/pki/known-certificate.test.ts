import { certificateFields } from '#operator/src/pki/certificate-fields';
import { caCertificate, knownCertificates, signerOf } from '#operator/src/pki/known-certificate';
import { type CertificateRequest, issueCertificate, type KeyPair } from '../../support/cluster/certificates';

const a = issueCertificate({ commonName: '1.root', ca: true });
const b = issueCertificate({ commonName: '2.root', ca: true });

function known({ cert }: Pick<KeyPair, 'cert'>) {
  const [certificate] = knownCertificates(cert);
  if (certificate === undefined) throw new Error('It cannot be read.');
  return certificate;
}

function pathLengthOf(request: Partial<CertificateRequest>): number | undefined {
  return known(issueCertificate({ commonName: 'x', ca: true, ...request })).pathLength;
}

test('the reader of certificates returns the path length limit, or its absence', () => {
  expect(pathLengthOf({})).toBeUndefined();
  expect(pathLengthOf({ pathLength: 0 })).toBe(0);
  expect(pathLengthOf({ pathLength: 1 })).toBe(1);
  expect(pathLengthOf({ ca: false })).toBeUndefined();
});

test('the reader of certificates detects name constraints, with the path length limit', () => {
  const limited = known(
    issueCertificate({ commonName: 'x', ca: true, pathLength: 1, permittedDomains: ['example.org'] }),
  );
  expect(limited).toMatchObject({ constrained: true, pathLength: 1 });
  expect(caCertificate(limited, [])).toMatchObject({ signer: limited.key, constrained: true, pathLength: 1 });
  expect(limited.x509.ca).toBe(true);
  expect(caCertificate(known(a), [])).not.toHaveProperty('constrained');
});

test('the reader of certificates finds the signer by the signature', () => {
  const issuer = known(issueCertificate({ commonName: 'identity', ca: true, issuer: a }));
  expect(signerOf(issuer, [known(b), known(a)])).toBe(known(a).key);
  expect(signerOf(issuer, [known(b)])).toBeUndefined();
});

test('the reader of certificates does not accept another CA of the same name as the signer', () => {
  const issuer = known(issueCertificate({ commonName: 'identity', ca: true, issuer: a }));
  const impostor = known(issueCertificate({ commonName: '1.root', ca: true }));
  expect(signerOf(issuer, [impostor])).toBeUndefined();
  expect(signerOf(issuer, [impostor, known(a)])).toBe(known(a).key);
});

test("the reader of certificates finds no signer if it does not have the signer's certificate", () => {
  const issuer = known(issueCertificate({ commonName: 'identity', ca: true, issuer: a }));
  expect(caCertificate(issuer, []).signer).toMatch(/^unknown:/);
  expect(caCertificate(known(a), []).signer).toBe(known(a).key);
});

test.each([
  ['an empty text', ''],
  ['PEM without a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['a truncated certificate', `${a.cert.slice(0, 200)}\n-----END CERTIFICATE-----\n`],
])('the reader of certificates finds no certificate in %s', (_, text) => {
  expect(knownCertificates(`${text}${b.cert}`).map(({ subject }) => subject)).toEqual(['CN=2.root']);
});

test('the reader of certificates finds no certificate in other bytes or in a truncated certificate', () => {
  const { raw } = known(a).x509;
  expect(certificateFields(Buffer.alloc(0))).toBeUndefined();
  for (let length = 0; length < raw.length; length++) {
    expect(certificateFields(raw.subarray(0, length))).toBeUndefined();
  }
  expect(certificateFields(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))).toBeUndefined();
});
