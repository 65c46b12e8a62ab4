import { checkKeyMaterial } from '#kubernetes/objects/key-material';
import { facts } from '#test/support/findings';

const KEY = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const object = (kind: string, fields: object, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  metadata: { name: 'anchor', namespace: 'linkerd' },
  ...fields,
});
const problems = (...of: Parameters<typeof object>) => checkKeyMaterial(object(...of)).map(facts);

test.each([
  ['Secret', { data: { key: base64(KEY) } }, ['data.key']],
  ['Secret', { data: { key: base64(`bag attributes\n${KEY}`) } }, ['data.key']],
  ['Secret', { stringData: { key: KEY } }, ['stringData.key']],
  ['Secret', { stringData: { 'tls.key': 'MHcCAQEE' } }, ['stringData["tls.key"]']],
  ['Secret', { data: { 'ca.key': 'MHcCAQEE', 'ca.crt': 'MIIB' } }, ['data["ca.key"]']],
  ['ConfigMap', { data: { 'ca.pem': KEY } }, ['data["ca.pem"]']],
  ['ConfigMap', { binaryData: { it: base64(KEY) } }, ['binaryData.it']],
])('checkKeyMaterial finds a private key in a %s: %j', (kind, fields, [path]) => {
  expect(problems(kind, fields)).toMatchObject([{ finding: 'private-key-found/object', path }]);
});

test.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'OPENSSH PRIVATE KEY'])(
  'checkKeyMaterial finds %s at any path of a custom resource',
  (name) => {
    const fields = { spec: { values: [{ pem: `-----BEGIN ${name}-----\n` }] } };
    expect(problems('Tenant', fields, 'example.com/v1')).toMatchObject([{ path: 'spec.values[0].pem' }]);
  },
);

test.each([
  ['Secret', { data: { 'tls.key': '', 'tls.crt': base64('-----BEGIN CERTIFICATE-----') } }],
  ['Secret', { stringData: { 'tls.key': '', user: 'me' } }],
  ['ConfigMap', { data: { pem: '-----BEGIN PUBLIC KEY-----' } }],
  ['ConfigMap', { data: { about: 'what stands between BEGIN and PRIVATE KEY----- is secret' } }],
])('checkKeyMaterial finds no private key in a %s: %j', (kind, fields) => expect(problems(kind, fields)).toEqual([]));

test('checkKeyMaterial does not show the private key that it finds', () => {
  expect(JSON.stringify(checkKeyMaterial(object('Secret', { stringData: { key: KEY } })))).not.toContain('MHcCAQEE');
});
