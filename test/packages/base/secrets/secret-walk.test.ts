import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { secretReplacer, secretsIn } from '#base/secrets/secret-walk';
import { runs } from '#test/support/depth';

const { privateKey: PEM } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'sec1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const base64 = (text: string) => Buffer.from(text).toString('base64');
const inLines = (text: string, width = 76) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
const secret = (fields: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, ...fields });
const found = (data: unknown) => secretsIn(data).map(({ path, is }) => `${is} ${path.join('/')}`);

test.each<readonly [string, object, string]>([
  ['PEM', { a: { b: PEM } }, 'a/b'],
  ['PEM of PGP', { a: PEM.replaceAll(/EC PRIVATE KEY/g, 'PGP PRIVATE KEY BLOCK') }, 'a'],
  ['PEM in base64', { a: [base64(PEM)] }, 'a/0'],
  ['PEM in base64 in lines', { a: inLines(base64(PEM)) }, 'a'],
  ['PEM in base64 in short lines', { a: inLines(base64(PEM), 16) }, 'a'],
  ['PEM in base64 in base64', { a: base64(base64(PEM)) }, 'a'],
  ['PEM in base64 within a text', { a: `key: ${base64(PEM)} # mine` }, 'a'],
  ['PEM in base64 after a certificate', { a: base64(`-----BEGIN CERTIFICATE-----\nMIIB\n${PEM}`) }, 'a'],
  ['a key of a map', { a: { [PEM]: 1 } }, 'a/(a key)'],
  ['keyPEM', { tap: { keyPEM: 'MHcCAQEE' } }, 'tap/keyPEM'],
  [
    'a Secret in values',
    { extraObjects: [secret({ data: { 'tls.key': 'MHcCAQEE' } })] },
    'extraObjects/0/data/tls.key',
  ],
  [
    'a Secret in a List',
    { a: { kind: 'List', items: [secret({ stringData: { 'ca.key': 'MHcC' } })] } },
    'a/items/0/stringData/ca.key',
  ],
  [
    'a Secret in a SecretList',
    { apiVersion: 'v1', kind: 'SecretList', items: [{ metadata: { name: 'a' }, data: { 'tls.key': 'MHcC' } }] },
    'items/0/data/tls.key',
  ],
  ['base64 in stringData', secret({ stringData: { key: base64(PEM) } }), 'stringData/key'],
  [
    'a Secret as text',
    { extraObjects: ['apiVersion: v1\nkind: Secret\ndata:\n  tls.key: MHcCAQEE\n'] },
    'extraObjects/0',
  ],
  ['a Secret as text, in JSON', { a: JSON.stringify(secret({ data: { 'tls.key': 'MHcCAQEE' } })) }, 'a'],
  ['a template', { a: 'apiVersion: v1\nkind: Secret\n{{ if .x }}\ndata:\n  tls.key: MHcCAQEEIBase\n{{ end }}' }, 'a'],
  [
    'a Secret as text in a Secret as text',
    { a: JSON.stringify(secret({ stringData: { b: JSON.stringify(secret({ data: { 'tls.key': 'MHcC' } })) } })) },
    'a',
  ],
])('the detector finds a private key: %s', (_how, data, place) => {
  expect(found(data)).toEqual([`private key ${place}`]);
});

test.each([
  'https://ci:hunter2@git.example.com',
  'postgres://app:hunter2@db:5432/shop',
  'see https://ghp_0123456789abcdefghij@github.com/a/b for more',
  'https://abcdef0123456789abcdef@git.example.com/a',
])('the detector finds credentials: %s', (text) => {
  expect(found({ env: [{ value: text }] })).toEqual(['credentials env/0/value']);
});

test.each<readonly [string, unknown]>([
  ['a certificate', { a: base64('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n') }],
  ['a public key', { a: base64('-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n') }],
  ['a text about keys', { a: 'what stands between BEGIN and PRIVATE KEY----- is secret' }],
  ['a text about keys in base64', { a: base64('what stands between BEGIN and PRIVATE KEY----- is secret') }],
  ['an empty key', secret({ data: { 'tls.key': '' } })],
  ['a path under the name of a key', { config: { 'tls.key': '/etc/tls/tls.key' } }],
  ['a manifest without a key', { a: 'apiVersion: v1\nkind: Secret\nstringData:\n  user: me\n' }],
  ['a user name', { a: 'ssh://git@git.example.com/a.git', b: 'https://me@dev.azure.com/org/_git/a' }],
  ['credentials with placeholders', { a: 'https://$(USER):$(PASSWORD)@db', b: 'redis://:${PASSWORD}@db' }],
  ['a template', { a: 'https://{{ .user }}:{{ .password }}@db' }],
  [
    'the description of a CRD',
    { kind: 'CustomResourceDefinition', spec: { description: 'such as https://user:pass@example.com' } },
  ],
  ['a port and a path', { a: 'https://example.com:8080/a@b' }],
])('the detector finds no secret: %s', (_what, data) => expect(found(data)).toEqual([]));

test('a secret is replaced wherever data repeats it, even where a part of it was no secret before', () => {
  const shared = { user: 'hunter2', list: ['--verbose', 'hunter2'] };
  const { part } = fc.letrec<{ part: unknown }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(shared, shared.list, 'hunter2', '--password', 'kind: Secret\ndata: {a: b}\n', 7, null),
      fc.array(tie('part'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('data', 'items', 'password', 'name', 'value', 'spec'), tie('part'), { maxKeys: 3 }),
      fc.record({
        kind: fc.constantFrom('Secret', 'SecretList', 'ConfigMap', 'Pod'),
        data: tie('part'),
        items: tie('part'),
      }),
    ),
  }));
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), (all) => {
      const replace = secretReplacer(() => '<hidden>');
      for (const data of all) expect(replace(data)).toEqual(secretReplacer(() => '<hidden>')(structuredClone(data)));
    }),
    { numRuns: runs(300) },
  );
});
