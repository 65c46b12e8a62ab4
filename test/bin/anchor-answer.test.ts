import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { signingGuide } from '#lib/cli/bridge-request';
import { temporaryDirectory } from '../gitops/synth/output/tree-on-disk';
import { createSigningRequest } from '../support/anchor/cert-manager/signing-request';
import { signedBridge } from '../support/anchor/signed-bridge';
import { issueCertificate } from '../support/cluster/certificates';
import { runInMemory } from './fake-terminal';

const root = issueCertificate({ commonName: 'root', ca: true });
const next = issueCertificate({ commonName: '1.root', ca: true });
const request = createSigningRequest({ commonName: '1.root', isCA: true }, next.key);
const directory = temporaryDirectory();

test.each([
  ['2', 1, 45],
  ['100', 95, 2_280],
  ['1000', 993, 23_832],
])(
  'signingGuide, %s days before expiry, prints the validity of a late signature: %d d, or %d h',
  (left, days, hours) => {
    const now = new Date('2030-01-01T00:00:00Z');
    const notAfter = new Date(now.getTime() + Number(left) * 86_400_000).toISOString();
    const guide = signingGuide(
      { generation: 1, request, subject: 'CN=1.root', signer: 'CN=root', pathLength: 1, notAfter, until: notAfter },
      now,
    );
    expect(guide).toContain(` -days ${days} `);
    expect(guide).toContain(` ttl=${hours}h `);
  },
);

describe('anchor answer', () => {
  const certificate = signedBridge(request, root);
  const answer = (text: string, ...args: readonly string[]) =>
    runInMemory(['anchor', 'answer', 'bridge.pem', ...args], { files: { 'bridge.pem': text } });

  test('prints a ConfigMap that contains only the certificates', async () => {
    const { code, stdout } = await answer(`subject=CN = 1.root\n${certificate}issuer\n${root.cert}`);
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({
      kind: 'ConfigMap',
      metadata: { name: 'linkerd-trust-anchor-bridge', namespace: 'cert-manager' },
      data: { 'tls.crt': certificate + root.cert },
    });
    expect(parse((await answer(certificate, '-n', 'certs')).stdout).metadata.namespace).toBe('certs');
  });

  test('prints an option for the program with --option, and writes a file with --out', async () => {
    const { stdout } = await answer(certificate, '--option');
    expect(stdout).toBe(`bridge: {\n  signedBy: 'Request',\n  certificate: \`\n${certificate}\`,\n},\n`);
    const out = join(directory.path, 'bridge.yaml');
    expect(await answer(certificate, '--out', out)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(parse(readFileSync(out, 'utf8')).kind).toBe('ConfigMap');
  });

  const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

  test.each<[string, string]>([
    ['a private key', certificate + next.key],
    ['no certificate', request],
    ['a certificate that cannot be read', BROKEN],
    ['a valid certificate before an unreadable one', `${certificate}${BROKEN}`],
    ['a leaf', issueCertificate({ commonName: 'web', issuer: root }).cert],
  ])('refuses an answer with %s, and does not print it', async (_, text) => {
    const { code, stdout, stderr } = await answer(text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[bridge-answer-refused]');
    expect(stderr).not.toContain('BEGIN PRIVATE KEY');
  });

  test('reports the name of a missing file', async () => {
    expect(await runInMemory(['anchor', 'answer', 'nothing.pem'])).toMatchObject({ code: 2 });
  });
});
