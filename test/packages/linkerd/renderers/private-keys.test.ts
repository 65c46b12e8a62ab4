import { checkPrivateKeys } from '#linkerd/renderers/private-keys';
import { facts } from '#test/support/findings';

const KEY = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE';

test.each([
  ['values.extraObjects[1]', { extraObjects: ['kind: Secret', `tls.key: ${KEY}`] }],
  ['values.a.b.keyPEM', { a: { b: { keyPEM: 'MHcCAQEE' } } }],
])('checkPrivateKeys reports a private key in %s, and does not show it', (path, values) => {
  const problems = checkPrivateKeys(values);
  expect(problems.map(facts)).toMatchObject([{ finding: 'private-key-found/values', path }]);
  expect(JSON.stringify(problems)).not.toContain('MHcCAQEE');
});

test('checkPrivateKeys accepts certificates, public keys and blank texts', () => {
  const values = { a: '-----BEGIN CERTIFICATE-----', b: '-----BEGIN PUBLIC KEY-----', keyPEM: ' \n', c: null, d: 1 };
  expect(checkPrivateKeys(values)).toEqual([]);
});
