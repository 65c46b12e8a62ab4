import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { acceptedAnswer, answerFlaw } from '#anchor/answers';
import { BRIDGE_CONFIG_MAP, TRUST_ANCHOR_DEFAULTS, type TrustAnchorSpec } from '#anchor/trust-anchor';
import { givenAnswers, observeAnswers } from '#operator/src/anchor/observe/observe-answers';
import { caCertificate, knownCertificates, knownRequest } from '#operator/src/pki/known-certificate';
import { observed } from '../../packages/anchor/fixture';
import { createSigningRequest } from '../../support/anchor/cert-manager/signing-request';
import { signedBridge } from '../../support/anchor/signed-bridge';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';
import * as der from '../../support/cluster/der';
import { pem } from '../../support/cluster/pem';
import { signCertificate } from '../../support/cluster/sign-certificate';
import { basicConstraints, extendedKeyUsage, keyUsage, nameConstraints } from '../../support/cluster/x509-extensions';

const CN = '2.root.linkerd.cluster.local';
const root = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
const next = issueCertificate({ commonName: CN, ca: true });
const request = createSigningRequest({ commonName: CN, isCA: true, usages: ['cert sign', 'crl sign'] }, next.key);
const CA = [keyUsage(['cert sign', 'crl sign']), basicConstraints(true)];
const BY_REQUEST = { signedBy: 'Request', ifUnsigned: 'Restart' } as const;

const known = knownCertificates(root.cert + next.cert);
const [from, to] = known.map(({ key }) => key);

/** How the operator judges a text that answers the request. */
function outcome(text: string): readonly string[] | string | undefined {
  const answers = observeAnswers([{ place: 'spec', pem: text }], known);
  const { key = '', publicKey = '' } = knownRequest(request) ?? {};
  const policy = { ...observed().policy, skew: 1_000, patience: 1_000, lag: 1_000, restartTime: 1_000 };
  const bundle = { hash: '', anchors: known.slice(0, 1).map((one) => caCertificate(one, known)) };
  const asked = { observed: observed({ policy, bundle, answers }), rotation: { from }, now: Date.now() };
  const waiting = { key, publicKey, subject: `CN=${CN}` };
  return acceptedAnswer(waiting, asked)?.map(({ subject }) => subject) ?? answerFlaw(waiting, asked)?.cause;
}

/** Signs another subject or key than the request's. */
function signedAs(subject: Buffer, key: string, { cert, key: signer }: KeyPair): string {
  const publicKey = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' });
  const times = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const template = { subject, publicKey, ca: true, ...times, extensions: CA };
  return pem('CERTIFICATE', signCertificate(template, { cert: new X509Certificate(cert).raw, key: signer }));
}

test('a signing request has the key of its anchor', () => {
  expect(knownRequest(request)).toMatchObject({ key: to, pem: request });
  expect(knownRequest('nothing')).toBeUndefined();
  expect(knownRequest(pem('CERTIFICATE REQUEST', Buffer.from('nothing')))).toBeUndefined();
  const other = createSigningRequest({ commonName: '3.root.linkerd.cluster.local' }, next.key);
  expect(knownRequest(other)?.key).not.toBe(to);
});

test('the operator accepts a certificate by the old anchor, whatever else the answer contains', () => {
  const bridge = signedBridge(request, root);
  expect(outcome(bridge)).toEqual([`CN=${CN}`]);
  expect(outcome(`subject=CN = 2.root\n${next.cert}\n${root.cert}\r\n${bridge}`)).toEqual([`CN=${CN}`]);
  expect(
    outcome(signedBridge(request, root, { extensions: [keyUsage(['cert sign']), basicConstraints(true, 1)] })),
  ).toEqual([`CN=${CN}`]);
});

test("the operator accepts a certificate by a CA below the old anchor with that CA's certificate", () => {
  const between = issueCertificate({
    commonName: 'between',
    ca: true,
    issuer: root,
    notAfter: new Date(Date.now() + 7_200_000),
  });
  const bridge = signedBridge(request, between, { notAfter: new Date(Date.now() + 3_600_000) });
  expect(outcome(bridge + between.cert)).toEqual([`CN=${CN}`, 'CN=between']);
  expect(outcome(bridge)).toBe('signed-by-other');
});

test.each<[string, string, readonly Buffer[]]>([
  [
    'a key usage without cert sign',
    'not-ca',
    [keyUsage(['digital signature', 'key encipherment']), basicConstraints(true)],
  ],
  ['an extended key usage of TLS servers only', 'usage', [...CA, extendedKeyUsage(['server auth'])]],
  ['a path length of 0', 'path-length', [keyUsage(['cert sign']), basicConstraints(true, 0)]],
  ['constraints on names', 'constrained', [...CA, nameConstraints(['example.com'])]],
  ['a certificate that is not a CA', 'not-ca', [keyUsage(['cert sign']), basicConstraints(false)]],
])('the operator refuses %s', (_, cause, extensions) => {
  const text = signedBridge(request, root, { extensions });
  expect(outcome(text)).toBe(cause);
  const isUnusable = ['not-ca', 'usage'].includes(cause);
  expect(knownCertificates(text).map((one) => caCertificate(one, known).unusable)).toEqual([
    isUnusable ? true : undefined,
  ]);
});

test('the operator accepts extended key usages of both TLS client and server', () => {
  const extensions = [...CA, extendedKeyUsage(['server auth', 'client auth'])];
  expect(outcome(signedBridge(request, root, { extensions }))).toEqual([`CN=${CN}`]);
});

test('the operator compares subjects by their bytes, as proxies do', () => {
  const utf8 = der.sequence(der.setOf(der.sequence(der.identifier('2.5.4.3'), der.element(0x0c, Buffer.from(CN)))));
  const printable = der.sequence(
    der.setOf(der.sequence(der.identifier('2.5.4.3'), der.element(0x13, Buffer.from(CN)))),
  );
  const outcomes = [utf8, printable].map((subject) => outcome(signedAs(subject, next.key, root)));
  expect(outcomes).toContain('other-subject');
  expect(outcomes).toContainEqual([`CN=${CN}`]);
});

test('the operator names certificates of other keys in its refusal', () => {
  expect(outcome(next.cert)).toBe('self-signed');
  expect(outcome(issueCertificate({ commonName: CN, ca: true, issuer: root }).cert)).toBe('stale');
  const earlier = issueCertificate({ commonName: '1.root.linkerd.cluster.local', ca: true, issuer: root });
  expect(outcome(earlier.cert)).toBe('stale');
  expect(outcome(issueCertificate({ commonName: 'web', issuer: root }).cert)).toBe('other-key');
  const stranger = issueCertificate({ commonName: 'root.linkerd.cluster.local', ca: true });
  expect(outcome(signedBridge(request, stranger))).toBe('signed-by-other');
});

test('the operator refuses an answer without a certificate or with a private key', () => {
  expect(outcome('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toBe('unreadable');
  expect(outcome(request)).toBe('unreadable');
  expect(outcome(`${' '.repeat(20_000)}${signedBridge(request, root)}`)).toBe('unreadable');
  expect(outcome(signedBridge(request, root) + next.key)).toBe('private-key');
});

test('the operator looks for answers in the spec first, then in the other places of the policy', () => {
  const configMaps = [
    { metadata: { name: BRIDGE_CONFIG_MAP }, data: { 'tls.crt': 'two' } },
    { metadata: { name: 'other' }, data: { 'tls.crt': 'three' } },
  ];
  const given = (bridge: TrustAnchorSpec['bridge']) =>
    givenAnswers({ anchor: { spec: { ...TRUST_ANCHOR_DEFAULTS, ...(bridge && { bridge }) } }, configMaps });
  expect(given({ ...BY_REQUEST, certificate: 'one' })).toEqual([
    { place: 'spec', pem: 'one' },
    { place: 'config-map', pem: 'two' },
  ]);
  expect(given({ ...BY_REQUEST, certificate: ' \n' })).toEqual([{ place: 'config-map', pem: 'two' }]);
  expect(given({ ...BY_REQUEST, signedBy: 'Key' })).toEqual([]);
  expect(given(undefined)).toEqual([]);
});
