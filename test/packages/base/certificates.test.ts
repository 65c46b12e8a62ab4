import { oneLine, pemCertificates, readCertificates } from '#base/certificates';
import { issueCertificate } from '../../support/cluster/certificates';

const [one, other] = ['one', 'other'].map((commonName) => issueCertificate({ commonName, ca: true }).cert);
const BROKEN = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n';

const namesIn = (pem: string, most?: number) => readCertificates(pem, most).map(({ subject }) => oneLine(subject));

test.each([
  ['none', 'text', []],
  ['several, among other text', `# roots\r\n${one?.replaceAll('\n', '\r\n')} and ${other}`, ['CN=one', 'CN=other']],
  ['one after a block without its end', `${one?.slice(0, 80)}\n${other}`, ['CN=other']],
  ['one after an invalid one', `${BROKEN}${one}`, ['CN=one']],
  ['one after a key', `${KEY}${one}`, ['CN=one']],
])('the reader of certificates finds in a text: %s', (_, text, names) => expect(namesIn(text)).toEqual(names));

test('the reader of certificates limits the number of blocks, valid or not', () => {
  expect(pemCertificates(`${BROKEN}${one}${other}`)).toHaveLength(3);
  expect(namesIn(`${BROKEN}${one}${other}`, 2)).toEqual(['CN=one']);
});

test('the reader of certificates returns a name without line breaks', () => {
  expect(oneLine('C=DE\nO=Acme\nCN=root')).toBe('C=DE, O=Acme, CN=root');
});
