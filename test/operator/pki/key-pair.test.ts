import { keyPairOf, type Secret } from '#operator/src/pki/key-pair';
import { issueCertificate } from '../../support/cluster/certificates';

const anchor = issueCertificate({ commonName: 'anchor', ca: true });
const issuer = issueCertificate({ commonName: 'issuer', ca: true, issuer: anchor });

function secret(data: Readonly<Record<string, string>>): Secret {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { metadata: { name: 'issuer' }, data: Object.fromEntries(encoded) };
}

test('the reader of key pairs returns further certificates as the chain', () => {
  const pair = keyPairOf(secret({ 'tls.crt': `${issuer.cert}\n${anchor.cert}`, 'tls.key': issuer.key }));
  expect(pair?.chain.map(({ subject }) => subject)).toEqual(['CN=issuer', 'CN=anchor']);
  expect(pair?.problem).toBeUndefined();
});

test('the fingerprint of a pair covers only its certificate', () => {
  const one = keyPairOf(secret({ 'tls.crt': issuer.cert, 'tls.key': issuer.key }));
  const sameWithoutKey = keyPairOf(secret({ 'tls.crt': issuer.cert }));
  const other = keyPairOf(secret({ 'tls.crt': anchor.cert, 'tls.key': anchor.key }));
  expect(sameWithoutKey?.fingerprint).toBe(one?.fingerprint);
  expect(other?.fingerprint).not.toBe(one?.fingerprint);
});

test.each([
  ['a missing Secret', undefined],
  ['an empty Secret', secret({})],
  ['a Secret with only a key', secret({ 'tls.key': issuer.key })],
  ['an empty certificate', secret({ 'tls.crt': '' })],
])('the reader of pairs finds no pair in %s', (_, subject) => expect(keyPairOf(subject)).toBeUndefined());

test.each([
  ['the key of another certificate', { 'tls.crt': issuer.cert, 'tls.key': anchor.key }, /^tls.key is not the key of/],
  ['a missing key', { 'tls.crt': issuer.cert }, /^tls.crt or tls.key cannot be read: /],
  ['a broken key', { 'tls.crt': issuer.cert, 'tls.key': 'key' }, /^tls.crt or tls.key cannot be read: /],
  ['invalid PEM', { 'tls.crt': 'certificate', 'tls.key': issuer.key }, /^tls.crt holds no certificate$/],
  [
    'a broken certificate',
    { 'tls.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'tls.key': issuer.key },
    /^tls.crt or tls.key cannot be read: /,
  ],
])('the reader of pairs reports %s', (_, data: Record<string, string>, problem) => {
  expect(keyPairOf(secret(data))?.problem).toMatch(problem);
});
