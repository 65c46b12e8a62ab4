import { X509Certificate } from 'node:crypto';
import { verifies } from '#anchor/chain';
import type { PresentedChain } from '#anchor/observed';
import { HOUR } from '#base/time-units';
import { presentedChain, readPresented } from '#operator/src/anchor/observe/presented';
import { knownCertificates } from '#operator/src/pki/known-certificate';
import { verifyChain } from '../../support/anchor/trust';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';

const NAME = 'web.shop.serviceaccount.identity.linkerd.cluster.local';
const target = { pod: 'shop/web', isTrusted: false, identity: NAME };
const root = issueCertificate({ commonName: '1.root', ca: true });
const next = issueCertificate({ commonName: '2.root', ca: true });
const bridge = issueCertificate({ commonName: '2.root', ca: true, issuer: root, key: next.key });
const issuerOf = (signer: KeyPair, more: object = {}): KeyPair =>
  issueCertificate({ commonName: 'identity', ca: true, issuer: signer, ...more });
const leafOf = (issuer: KeyPair, more: object = {}): KeyPair =>
  issueCertificate({ commonName: NAME, dnsNames: [NAME], issuer, ...more });
const known = knownCertificates(root.cert + next.cert);
const [oldKey, nextKey] = known.map(({ key }) => key) as [string, string];

function presented(...chain: readonly KeyPair[]): PresentedChain {
  const read = readPresented(
    target,
    chain.map(({ cert }) => new X509Certificate(cert)),
  );
  return presentedChain(read, known);
}

const ROOTS: readonly (readonly [string, string, ReadonlySet<string>])[] = [
  ['the old root', root.cert, new Set([oldKey])],
  ['the new root', next.cert, new Set([nextKey])],
  ['both roots', root.cert + next.cert, new Set([oldKey, nextKey])],
];
const [oldIssuer, newIssuer] = [issuerOf(root), issuerOf(next)];
const stranger = issueCertificate({ commonName: '2.root', ca: true });
const limited = issueCertificate({ commonName: '2.root', ca: true, issuer: root, key: next.key, pathLength: 0 });

/** Chains for which the rotation and the verifier of proxies must agree under each set of roots. */
const CHAINS: readonly (readonly [string, readonly KeyPair[]])[] = [
  ['of the old anchor', [leafOf(oldIssuer), oldIssuer]],
  ['of the new anchor', [leafOf(newIssuer), newIssuer]],
  ['over the bridge', [leafOf(newIssuer), newIssuer, bridge]],
  ['over the bridge, with the root', [leafOf(newIssuer), newIssuer, bridge, root]],
  ['over the bridge, in another order', [leafOf(newIssuer), newIssuer, root, bridge]],
  ['over a bridge with a path length of 0', [leafOf(newIssuer), newIssuer, limited]],
  ['of a foreign CA with the name of an anchor', [leafOf(issuerOf(stranger)), issuerOf(stranger), stranger]],
  ['without its issuer', [leafOf(oldIssuer)]],
  ['whose issuer is no CA', [leafOf(leafOf(oldIssuer)), leafOf(oldIssuer), oldIssuer]],
  ['whose leaf has expired', [leafOf(oldIssuer, { notAfter: new Date(Date.now() - HOUR) }), oldIssuer]],
];

describe.each(CHAINS)('a chain %s', (_, chain) => {
  test.each(ROOTS)('gets the same verdict as from proxies under %s', (__, bundle, keys) => {
    const { chain: seen } = presented(...chain);
    const accepts = seen !== undefined && verifies(seen, keys, Date.now());
    expect(accepts).toBe(verifyChain(chain.map(({ cert }) => cert).join(''), bundle) === undefined);
  });
});

test('the verifier rejects a certificate for another name, a wildcard, or only a common name', () => {
  expect(
    presented(leafOf(oldIssuer, { dnsNames: ['db.shop.serviceaccount.identity.linkerd.cluster.local'] }), oldIssuer),
  ).toEqual({ pod: 'shop/web' });
  expect(presented(leafOf(oldIssuer, { dnsNames: [NAME.replace('web', '*')] }), oldIssuer)).toEqual({
    pod: 'shop/web',
  });
  expect(presented(leafOf(oldIssuer, { dnsNames: undefined }), oldIssuer)).toEqual({ pod: 'shop/web' });
});

test('the verifier rejects an empty chain, and one that is too long for proxies', () => {
  expect(presented()).toEqual({ pod: 'shop/web' });
  expect(presented(leafOf(newIssuer), newIssuer, bridge, bridge, bridge, bridge, bridge).chain).toBeDefined();
  expect(presented(leafOf(newIssuer), newIssuer, bridge, bridge, bridge, bridge, bridge, bridge).chain).toBeUndefined();
});

test('a chain is valid while both the certificate and its issuer are valid', () => {
  const soon = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + HOUR);
  const short = issuerOf(root, { notAfter: soon });
  expect(presented(leafOf(short), short).chain?.notAfter).toBe(soon.getTime());
  expect(presented(leafOf(oldIssuer, { notAfter: soon }), oldIssuer).chain?.notAfter).toBe(soon.getTime());
});
