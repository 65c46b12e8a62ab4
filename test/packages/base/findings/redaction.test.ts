import { generateKeyPairSync } from 'node:crypto';
import { findingsAt } from '#base/findings/finding';
import { describeProblem } from '#base/findings/problem';
import { redact } from '#base/findings/redaction';
import { SynthError } from '#lib/gitops/platform/report';
import { expectLinear } from '#test/support/growth';

const { privateKey: PEM } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const BODY = PEM.split('\n')[1] ?? '';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['in PEM', PEM],
  ['in JSON', JSON.stringify(PEM)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(PEM))],
  ['without its end', PEM.slice(0, 70)],
  ['without its beginning', PEM.slice(40)],
  ['without its beginning, in JSON', JSON.stringify(PEM).slice(40)],
  ['two of them', `${PEM} and ${PEM}`],
  ['of PGP', PEM.replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
])('a message shows no private key: %s', (_how, text) => {
  const redacted = redact(`values.tap is ${text}, not a map`);
  expect(redacted).toContain('<private key>');
  for (let start = 0; start + 12 < BODY.length; start += 6)
    expect(redacted).not.toContain(BODY.slice(start, start + 12));
});

test.each([
  ['base64', base64(PEM)],
  ['base64 after one letter', base64(`a${PEM}`)],
  ['base64 after two letters', base64(`ab${PEM}`)],
  ['base64 after a slash', `/${base64(PEM)}`],
  ['the start of it in base64', base64(PEM).slice(0, 60)],
])('a message shows no private key in %s', (_how, text) => {
  const redacted = redact(`values.key is "${text}"`);
  expect(redacted).not.toContain(base64(PEM).slice(40, 56));
  expect(redacted).toContain('<private key>');
});

test.each([
  ['https://ci:hunter2@git.example.com/a.git', 'hunter2'],
  ['https://ci:hun@ter2@git.example.com/a.git', 'ter2'],
  ['https://ci:hun/ter2@git.example.com/a.git', 'ter2'],
  ['https://ghp_0123456789abcdef@github.com/a/b', 'ghp_'],
  ['https://ghp_0123456789abcdef:x-oauth-basic@github.com/a/b', 'ghp_'],
  ['ssh://git:hunter2@git.example.com/a.git', 'hunter2'],
  ['postgres://app:hunter2@db:5432/shop', 'hunter2'],
  ['admin:hunter2@prometheus:9090', 'hunter2'],
  ['https://git.example.com/a.git?private_token=hunter2&a=b', 'hunter2'],
])('a message shows no credentials of %s', (url, secret) => {
  expect(redact(`url is "${url}"`)).not.toContain(secret);
  expect(redact(`write it as (${url})`)).toContain('<credentials>');
});

test.each([
  'values.smtp.password is "hunter2", not a map',
  'values.password is 20261122, not a string',
  "password to 'hunter2'",
  '{"clientSecret":"hunter2"}',
  '"password" is no map but "hunter2"',
])('a message hides a value with the name of a secret: %s', (text) => {
  const redacted = redact(text);
  expect(redacted).toContain('<hidden>');
  expect(redacted).not.toMatch(/hunter2|20261122/);
});

test.each([
  'repoUrl is "git.example.com/platform.git"',
  'repoUrl contains a password',
  'ssh://git@git.example.com:2222/platform.git and git@github.com:org/platform.git',
  'http://prometheus:9090/a@b',
  'image is "registry.example.com/linkerd/proxy:edge-26.8.3@sha256:0123456789abcdef"',
  'automountServiceAccountToken is "yes", not true or false',
  'ingress.basicAuthSecret is "Viz_Auth"',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'Error: no (/srv/app/node_modules/@scope/a.js:10:5)',
])('the redaction does not change harmless text: %s', (text) => expect(redact(text)).toBe(text));

test.each(['MIIB', 'a.', 'https://a:', 'a:b'])('the redaction of many repetitions of %s takes linear time', (piece) => {
  expectLinear((count) => redact(piece.repeat(count)), 15_000);
});

test.each([
  ['password=hunter2hunter2', 'password=<hidden>'],
  ['the API_KEY=hunter2hunter2 and more', 'the API_KEY=<hidden> and more'],
  ['DB_PASS=hunter2hunter2', 'DB_PASS=<hidden>'],
  ['values.db.pwd is "hunter2", not a map', 'values.db.pwd is <hidden>, not a map'],
  ['--bypass=all', '--bypass=all'],
  [`ghp_${'aB3'.repeat(12)}`, '<credentials>'],
  [`Bearer eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.abc-_d`, 'Bearer <credentials>'],
  ['linkerd/user:hunter2@host', 'linkerd/<credentials>@host'],
  ['app.kubernetes.io/name=web', 'app.kubernetes.io/name=web'],
  ['ghcr.io/linkerd/proxy:edge-26.8.3', 'ghcr.io/linkerd/proxy:edge-26.8.3'],
  [`glpat-${'aB3'.repeat(12)}`, '<credentials>'],
  ['--global-egress-network-namespace=linkerd-egress', '--global-egress-network-namespace=linkerd-egress'],
  ['curl -H "Authorization: Bearer hunter2" a', 'curl -H "Authorization: Bearer <credentials>" a'],
  ['{"authorization":"Basic aHVudGVyMg=="}', '{"authorization":"Basic <credentials>"}'],
  ['Basic aHVudGVyMjpodW50ZXIy', 'Basic <credentials>'],
  ['Basic authentication', 'Basic authentication'],
  ['Bearer tokens are not supported here', 'Bearer tokens are not supported here'],
])('a message shows %s as %s', (text, redacted) => expect(redact(text)).toBe(redacted));

test.each([
  [PEM, `write it as "${PEM.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 63)}"`],
  ['user:hunter2hunter2@host', 'write it as "user-hunter2hunter2-host"'],
  ['password=hunter2hunter2', 'write it as "password-hunter2hunter2"'],
])('a message proposes no fix that contains a secret', (secret, fix) => {
  const [finding] = findingsAt('home', [
    { severity: 'error', code: 'refused', what: `label is "${secret}"`, why: 'It is refused', fix },
  ]);
  expect(finding?.problem.fix).toBe('write it as "…"');
  expect(describeProblem({ severity: 'error', code: 'refused', what: secret, why: 'It is refused', fix })).toMatch(
    /write it as "…"\.$/,
  );
});

test('a message hides a secret in the name of a construct', () => {
  const problem = {
    severity: 'error',
    code: 'refused',
    what: 'It is refused',
    why: 'It breaks',
    fix: 'mend it',
  } as const;
  const error = new SynthError([{ severity: 'error', path: `home/${PEM.replaceAll('/', '-')}`, problem }]);
  expect(error.findings[0]?.path).toMatch(/^home\/<private key>/);
  expect(error.message).toContain('It breaks');
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(BODY.slice(0, 20));
});
