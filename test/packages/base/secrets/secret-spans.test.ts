import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { redact } from '#base/findings/redaction';
import { secretSpans } from '#base/secrets/secret-spans';
import { secretsIn } from '#base/secrets/secret-walk';
import { checkWrittenText } from '#lib/gitops/synth/output/written-text';
import { expectLinear } from '#test/support/growth';
import { HARMLESS_TEXTS, REFUSED_FORMS, SECRET_FORMS, TEXT_FORMS } from './secret-corpus';

const SECRET = 'hunter2aBcD3fGhIjKlM';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const leaks = (text: string) =>
  [
    'hunter',
    'HUNTER',
    base64(SECRET).slice(4, 20),
    base64(`me:${SECRET}`).slice(4, 20),
    base64(`u:${SECRET}`).slice(4, 20),
  ].filter((part) => text.includes(part));

test.each(TEXT_FORMS)('no message shows a secret in any form: %s', (_, text) => {
  const redacted = redact(text(SECRET));
  expect(leaks(redacted)).toEqual([]);
  expect(redact(redacted)).toBe(redacted);
  expect(leaks(redact(JSON.stringify({ message: text(SECRET) })))).toEqual([]);
});

test.each(SECRET_FORMS)('no message shows an object with a secret, in JSON or YAML: %s', (_, kind, fields) => {
  const object = { apiVersion: 'v1', kind, metadata: { name: 'a' }, ...fields(SECRET) };
  const json = JSON.stringify(object);
  const texts = [json, stringify(object), JSON.stringify({ message: json }), `Error from server: ${json} is refused`];
  expect(texts.flatMap((text) => leaks(redact(text)))).toEqual([]);
});

test.each(REFUSED_FORMS)('synth refuses to write a secret to Git: %s', (_, is, text) => {
  expect(secretsIn({ spec: { a: [text] } })).toEqual([{ path: ['spec', 'a', '0'], is }]);
  expect(checkWrittenText('a', text).map(({ problem }) => problem.code)).toEqual(['secret-in-file']);
  expect(redact(text)).not.toBe(text);
});

test.each(HARMLESS_TEXTS)('synth writes %j to Git', (text) => expect(secretSpans(text, 'refused')).toEqual([]));

test('no sentence of the catalogues resembles a secret', () => {
  const lines = readFileSync(join(__dirname, '../../../../docs/reference/findings.md'), 'utf8').split('\n');
  expect(lines.filter((line) => redact(line) !== line)).toEqual([]);
});

test.each([
  ...[
    'a=',
    'a: ',
    'password=',
    'password: "',
    'https://a:',
    'a@',
    '://',
    'x: |\n ',
    'tokens:\n - a',
    'jdbc:a?',
    '"\\"',
    '\\\\"',
  ],
  ...[
    'kty d:',
    'kind: Secret\ndata:\n',
    'kind: List tls.key:',
    'authorization ',
    'mysql ',
    `${'A'.repeat(64)} `,
    '0f'.repeat(24),
  ],
])('the detector reads many repetitions of %j in linear time', (piece) => {
  expectLinear((count) => redact(piece.repeat(count)), 1_000);
});
