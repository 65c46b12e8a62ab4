import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type PeerCertificate } from 'node:tls';
import { type CertificateRequest, issueCertificate, type KeyPair } from '../support/cluster/certificates';

const parsed = ({ cert }: KeyPair) => new X509Certificate(cert);

describe.each(['ec', 'rsa', 'ed25519'] as const)('%s', (keyType) => {
  const root = issueCertificate({ commonName: 'root', ca: true, keyType });
  const intermediate = issueCertificate({ commonName: 'intermediate', ca: true, issuer: root, keyType });
  const leaf = issueCertificate({ commonName: 'leaf', issuer: intermediate, keyType });

  it('signs itself, and others', () => {
    expect(parsed(root).checkIssued(parsed(root))).toBe(true);
    expect(parsed(root).verify(parsed(root).publicKey)).toBe(true);
    expect(parsed(intermediate).checkIssued(parsed(root))).toBe(true);
    expect(parsed(intermediate).verify(parsed(root).publicKey)).toBe(true);
    expect(parsed(leaf).checkIssued(parsed(intermediate))).toBe(true);
    expect(parsed(leaf).verify(parsed(root).publicKey)).toBe(false);
  });

  it('has the key to the certificate', () => {
    expect(parsed(leaf).checkPrivateKey(createPrivateKey(leaf.key))).toBe(true);
    expect(parsed(leaf).checkPrivateKey(createPrivateKey(root.key))).toBe(false);
  });

  it('says who may sign', () => {
    expect([root, intermediate, leaf].map((pair) => parsed(pair).ca)).toEqual([true, true, false]);
  });
});

it('says what it was asked to', () => {
  const certificate = parsed(
    issueCertificate({
      commonName: 'a name with ü',
      organizations: ['one', 'two'],
      dnsNames: ['a.example.com', '*.svc'],
      ips: ['127.0.0.1'],
      notBefore: new Date('2020-01-02T03:04:05Z'),
      notAfter: new Date('2060-06-07T08:09:10Z'),
    }),
  );
  expect(certificate.subject).toBe('O=one\nO=two\nCN=a name with ü');
  expect(certificate.subjectAltName).toBe('DNS:a.example.com, DNS:*.svc, IP Address:127.0.0.1');
  expect(certificate.validFromDate).toEqual(new Date('2020-01-02T03:04:05Z'));
  expect(certificate.validToDate).toEqual(new Date('2060-06-07T08:09:10Z'));
  // Server and client.
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

it('is valid now, and issues even what is expired', () => {
  const now = Date.now();
  const certificate = parsed(issueCertificate({ commonName: 'fresh' }));
  expect(certificate.validFromDate.getTime()).toBeLessThan(now);
  expect(certificate.validToDate.getTime()).toBeGreaterThan(now);
  const expired = issueCertificate({ commonName: 'old', ca: true, notAfter: new Date(now - 60_000) });
  expect(parsed(expired).validToDate.getTime()).toBeLessThan(now);
});

it('holds many names', () => {
  const dnsNames = Array.from({ length: 3_000 }, (_, index) => `host-${index}.example.com`);
  expect(parsed(issueCertificate({ commonName: 'many', dnsNames })).subjectAltName?.split(', ')).toHaveLength(3_000);
});

it('never issues the same serial number twice', () => {
  const serials = Array.from({ length: 50 }, () => parsed(issueCertificate({ commonName: 'x' })).serialNumber);
  expect(new Set(serials).size).toBe(50);
});

it('refuses what is no IPv4 address', () => {
  const request: CertificateRequest = { commonName: 'x', ips: ['::1'] };
  expect(() => issueCertificate(request)).toThrow('Expected an IPv4 address, got "::1".');
});

it('convinces both ends of a TLS connection', async () => {
  const root = issueCertificate({ commonName: 'root', ca: true });
  const intermediate = issueCertificate({ commonName: 'intermediate', ca: true, issuer: root });
  const serving = issueCertificate({ commonName: 'server', issuer: intermediate, ips: ['127.0.0.1'] });
  const client = issueCertificate({ commonName: 'jane', issuer: root });
  const users: string[] = [];
  const server = createServer(
    { cert: serving.cert + intermediate.cert, key: serving.key, ca: root.cert, requestCert: true },
    (socket) => {
      users.push(String(socket.getPeerCertificate().subject.CN));
      socket.end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const peer = await new Promise<PeerCertificate>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: root.cert, cert: client.cert, key: client.key });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      socket.resume().once('close', () => resolve(certificate));
    });
  });
  await new Promise((resolve) => server.close(resolve));

  expect(peer.subject.CN).toBe('server');
  expect(users).toEqual(['jane']);
});
