import { generateKeyPairSync } from 'node:crypto';
import { parseAnchors } from '#lib/constructs/pki/trust-roots';
import { fixture } from './mesh';

const FIELD = 'trustAnchor.certificates';

function problemsOf(pem: string) {
  return parseAnchors(FIELD, pem).problems;
}

function privateKey(type: 'pkcs8' | 'sec1'): string {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return key.export({ format: 'pem', type }).toString();
}

test('synth reads PEM certificates in their order', () => {
  const { anchors, problems } = parseAnchors(FIELD, fixture('anchor') + fixture('previous-anchor'));
  expect(problems).toEqual([]);
  expect(anchors.map(({ subject }) => subject)).toEqual([
    'CN=root.linkerd.cluster.local',
    'CN=previous.linkerd.cluster.local',
  ]);
  expect(anchors[0]?.notAfter.toISOString()).toBe('2126-10-28T07:02:51.000Z');
});

test('synth accepts an RSA 2048 anchor', () => expect(problemsOf(fixture('anchor-rsa2048'))).toEqual([]));

test('synth drops text around PEM certificates', () => {
  const { anchors, problems } = parseAnchors(
    FIELD,
    `# our root\r\n${fixture('anchor').replaceAll('\n', '\r\n')}\nthe end`,
  );
  expect(problems).toEqual([]);
  expect(anchors.map(({ pem }) => pem).join('')).toBe(fixture('anchor'));
});

test('synth warns of a duplicate anchor, and drops it', () => {
  const { anchors, problems } = parseAnchors(FIELD, fixture('anchor').repeat(2));
  expect(problems).toMatchObject([
    {
      severity: 'warning',
      code: 'trust-root-duplicate',
      parameters: { block: `block 2 of ${FIELD}`, subject: 'CN=root.linkerd.cluster.local' },
    },
  ]);
  expect(anchors).toHaveLength(1);
});

test.each([
  ['PKCS8', privateKey('pkcs8')],
  ['SEC1', privateKey('sec1')],
  [
    'encrypted',
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMA==\n-----END RSA PRIVATE KEY-----\n',
  ],
])('synth refuses a private key among anchors, and does not show it: %s', (_, key) => {
  const { anchors, problems } = parseAnchors(FIELD, fixture('anchor') + key);
  expect(problems).toMatchObject([
    { code: 'private-key-found', cause: 'roots', parameters: { block: `block 2 of ${FIELD}` } },
  ]);
  expect(JSON.stringify(problems)).not.toContain(key.split('\n')[1]);
  expect(anchors.map(({ pem }) => pem).join('')).not.toContain('PRIVATE');
});

test.each<[what: string, pem: string, parameters: object]>([
  ['that is not of a CA', fixture('leaf'), { subject: 'CN=leaf.linkerd.cluster.local' }],
  ['with a P-384 key', fixture('anchor-p384'), { subject: 'CN=p384.linkerd.cluster.local', key: 'ec secp384r1' }],
  ['that is a certificate request', fixture('request'), { label: 'CERTIFICATE REQUEST' }],
  ['that is damaged', fixture('anchor').replace('MII', 'AAA'), { label: 'CERTIFICATE' }],
])('synth refuses an anchor certificate %s', (_, pem, parameters) => {
  expect(problemsOf(pem)).toMatchObject([
    { code: 'trust-anchor-refused', parameters: { block: `block 1 of ${FIELD}`, ...parameters } },
  ]);
});

test.each([
  ['a PEM block without its end', fixture('previous-anchor') + fixture('anchor').split('-----END')[0]],
  ['no PEM certificate', ''],
  ['no PEM certificate', 'ca.crt'],
])('synth refuses PEM anchors with %s', (content, text) => {
  expect(problemsOf(text)).toMatchObject([{ code: 'trust-anchor-refused', parameters: { field: FIELD, content } }]);
});

test('synth reports all problems of PEM anchors at once', () => {
  expect(problemsOf(fixture('leaf') + fixture('anchor-p384') + fixture('request') + privateKey('pkcs8'))).toHaveLength(
    4,
  );
});
