import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { excludes } from '#anchor/chain';
import { caCertificate, knownCertificates, knownRequest } from '#operator/src/pki/known-certificate';
import { createSigningRequest } from '../../support/anchor/cert-manager/signing-request';
import { signedBridge } from '../../support/anchor/signed-bridge';
import { verifyWithGo } from '../../support/anchor/verify-with-go';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';
import * as der from '../../support/cluster/der';
import {
  basicConstraints,
  extension,
  keyUsage,
  NAME_CONSTRAINTS,
  nameConstraints,
} from '../../support/cluster/x509-extensions';

const EAST = issueCertificate({ commonName: '1.root.east.example', ca: true });
const WEST = issueCertificate({ commonName: '1.root.west.example', ca: true });

const request = (domains: readonly string[]): string =>
  createSigningRequest(
    {
      commonName: '1.root.west.example',
      isCA: true,
      usages: ['cert sign', 'crl sign'],
      nameConstraints: { permitted: { dnsDomains: domains, uriDomains: domains } },
    },
    WEST.key,
  );

const certified = (...constraints: readonly Buffer[]): string =>
  signedBridge(request([]), EAST, { extensions: [keyUsage(['cert sign']), basicConstraints(true), ...constraints] });

const BRIDGE = certified(nameConstraints(['west.example'], ['west.example']));

/** A proxy of the cluster west with a chain over the bridge. */
function proxy(
  trustDomain: string,
  names: Pick<Parameters<typeof issueCertificate>[0], 'dnsNames' | 'uris'> = {},
): KeyPair {
  const dnsNames = [`identity.linkerd.${trustDomain}`];
  const issuer = issueCertificate({ commonName: dnsNames[0] ?? '', ca: true, issuer: WEST, dnsNames });
  const name = `web.shop.serviceaccount.identity.linkerd.${trustDomain}`;
  const leaf = issueCertificate({ commonName: name, issuer, dnsNames: [name], ...names });
  return { cert: `${leaf.cert}${issuer.cert}${BRIDGE}`, key: leaf.key };
}

/** Whether the TLS client of Node.js (OpenSSL) accepts a server, with the root of the east as its only root. */
async function acceptsByNode({ cert, key }: KeyPair, servername: string): Promise<boolean> {
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', ca: EAST.cert, servername, rejectUnauthorized: false });
  await once(client, 'secureConnect');
  const { authorized } = client;
  client.destroy();
  server.close();
  return authorized;
}

test.each([
  ['west.example', true],
  ['east.example', false],
  ['west.example.org', false],
])(
  'whether proxies accept a certificate by a CA limited to west.example for the trust domain %s: %s',
  async (trustDomain, isAccepted) => {
    const pair = proxy(trustDomain);
    const [error] = verifyWithGo([{ chain: pair.cert, roots: EAST.cert, at: new Date() }]);
    expect(error === undefined).toBe(isAccepted);
    const name = `web.shop.serviceaccount.identity.linkerd.${trustDomain}`;
    expect(await acceptsByNode(pair, name)).toBe(isAccepted);
  },
  120_000,
);

test('a certified cluster issues no SPIFFE identities of another trust domain', () => {
  const accepted = ['spiffe://west.example/web', 'spiffe://east.example/web'].map((uri) => {
    const { cert } = proxy('west.example', { dnsNames: [], uris: [uri] });
    const [error] = verifyWithGo([{ chain: cert, roots: EAST.cert, at: new Date() }]);
    return error === undefined;
  });
  expect(accepted).toEqual([true, false]);
}, 120_000);

test('the reader of certificates accepts only critical constraints on DNS domains and URIs alone', () => {
  const permits = (...constraints: readonly Buffer[]) => {
    const [read] = knownCertificates(certified(...constraints));
    return { constrained: read?.constrained, permits: read?.permits, limitsUris: read?.limitsUris };
  };
  const subtree = (tag: number, value: string): Buffer => der.sequence(der.implicit(tag, Buffer.from(value)));
  const [dns, mail, other] = [subtree(2, 'west.example'), subtree(1, 'west.example'), subtree(2, 'a.example')];
  const [permitted, excluded] = [(all: Buffer) => der.explicit(0, all), (all: Buffer) => der.explicit(1, all)];
  const critical = (...parts: readonly Buffer[]): Buffer => extension(NAME_CONSTRAINTS, der.sequence(...parts), true);
  expect(permits()).toEqual({});
  expect(permits(critical(permitted(dns)))).toEqual({ constrained: true, permits: ['west.example'] });
  expect(permits(critical(permitted(Buffer.concat([dns, other]))))).toEqual({
    constrained: true,
    permits: ['west.example', 'a.example'],
  });
  const [uri, otherUri] = [subtree(6, 'west.example'), subtree(6, 'b.example')];
  expect(permits(critical(permitted(Buffer.concat([dns, uri]))))).toEqual({
    constrained: true,
    permits: ['west.example'],
    limitsUris: true,
  });
  expect(permits(critical(permitted(Buffer.concat([dns, uri, otherUri]))))).toEqual({
    constrained: true,
    permits: ['west.example'],
  });
  const unclear = [
    extension(NAME_CONSTRAINTS, der.sequence(permitted(dns))),
    critical(permitted(Buffer.concat([dns, mail]))),
    critical(permitted(dns), excluded(other)),
    critical(excluded(dns)),
    critical(permitted(uri)),
    critical(),
  ];
  for (const one of unclear) expect(permits(one)).toEqual({ constrained: true });
});

test('a constraint excludes all trust domains except the permitted ones and their subdomains', () => {
  const [known] = knownCertificates(BRIDGE);
  const bridge = known && caCertificate(known, []);
  const isExcluded = (domain?: string) => bridge === undefined || excludes(bridge, domain);
  expect([undefined, 'east.example', 'example', 'notwest.example'].map(isExcluded)).toEqual([true, true, true, true]);
  expect(['west.example', 'a.west.example'].map(isExcluded)).toEqual([false, false]);
});

test('a signing request shows its requested constraint, and whether proxies accept its key', () => {
  expect(knownRequest(request([]))).not.toHaveProperty('permits');
  expect(knownRequest(request(['west.example']))).toMatchObject({
    permits: ['west.example'],
    limitsUris: true,
    isKeySupported: true,
  });
  const odd = issueCertificate({ commonName: 'odd', keyType: 'ed25519', ca: true });
  const asked = knownRequest(createSigningRequest({ commonName: 'odd', isCA: true }, odd.key));
  expect(asked).toMatchObject({ isKeySupported: false });
});
