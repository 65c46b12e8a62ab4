import { type CaCertificate, type IssuerChain, isBridge, verifies } from '#anchor/chain';
import { isAccepted } from '#anchor/check/x509';
import { HOUR } from '#base/time-units';
import { verifyChain } from '../../support/anchor/trust';
import { verifyWithGo } from '../../support/anchor/verify-with-go';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';
import { ca } from './fixture';

const NOW = new Date();
const at = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);

/** Anchors A and B, and the unrelated C. */
const ANCHORS: Readonly<Record<string, KeyPair>> = Object.fromEntries(
  ['A', 'B', 'C'].map((name) => [name, issueCertificate({ commonName: name, ca: true, notAfter: at(100) })]),
);

interface Made {
  readonly abstract: CaCertificate;
  readonly real: KeyPair;
}

/** A certificate for an anchor's key, signed by another anchor, for some hours. */
function bridge(key: string, signer: string, from: number, to: number): Made {
  const [own, issuer] = [ANCHORS[key], ANCHORS[signer]];
  const times = { notBefore: at(from), notAfter: at(to) };
  return {
    abstract: { key, signer, notBefore: at(from).getTime(), notAfter: at(to).getTime() },
    real: issueCertificate({
      commonName: key,
      ca: true,
      ...(own && { key: own.key }),
      ...(issuer && { issuer }),
      ...times,
    }),
  };
}

const BRIDGES = [
  bridge('B', 'A', -1, 50),
  bridge('B', 'A', -3, -1),
  bridge('B', 'A', 1, 2),
  bridge('A', 'B', -1, 50),
  bridge('C', 'B', -1, 50),
];
const ISSUERS = ['A', 'B', 'C'].flatMap((signer) =>
  [50, -1].map((end) => ({ signer, end, times: { notBefore: at(-2), notAfter: at(end) } })),
);

function subsets<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** list.length }, (_, bits) => list.filter((_, index) => bits & (1 << index)));
}

const text = (pairs: readonly KeyPair[]): string => pairs.map(({ cert }) => cert).join('');

/** All combinations of an issuer, sent bridges and roots, with the model's result and the real chain. */
const COMBINATIONS = ISSUERS.flatMap(({ signer, times }) => {
  const issuer = ANCHORS[signer];
  const real = issueCertificate({
    commonName: 'identity',
    ca: true,
    pathLength: 0,
    ...(issuer && { issuer }),
    ...times,
  });
  const leaf = issueCertificate({ commonName: 'web', dnsNames: ['web'], issuer: real });
  return subsets(BRIDGES).flatMap((bridges) => {
    const abstract: IssuerChain = {
      signer,
      notBefore: times.notBefore.getTime(),
      notAfter: times.notAfter.getTime(),
      bridges: bridges.map((one) => one.abstract),
    };
    return subsets(['A', 'B', 'C']).map((roots) => ({
      name: `${signer} with ${bridges.map(({ abstract: { key, signer: by } }) => key + by).join()} under ${roots.join('')}`,
      claimed: verifies(abstract, new Set(roots), NOW.getTime()),
      checked: isAccepted({ ...abstract, domain: '' }, roots, NOW.getTime()),
      chain: text([leaf, real, ...bridges.map((one) => one.real)]),
      roots: text(roots.flatMap((root) => ANCHORS[root] ?? [])),
      at: NOW,
    }));
  });
});

test("the operator's model of chains agrees with the rules of proxies for real certificates", () => {
  const wrong = COMBINATIONS.filter(
    ({ claimed, chain, roots }) => (verifyChain(chain, roots, { at: NOW.getTime() }) === undefined) !== claimed,
  );
  expect(COMBINATIONS.length).toBe(6 * 32 * 8);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("the operator's model of chains agrees with Go for valid roots", () => {
  const answers = verifyWithGo(COMBINATIONS);
  const wrong = COMBINATIONS.filter(({ claimed }, index) => (answers[index] === undefined) !== claimed);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('the independent checker accepts the same chains as the operator', () => {
  const wrong = COMBINATIONS.filter(({ claimed, checked }) => claimed !== checked);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

/** Limits of a bridge: names and path length. */
const LIMITS = [{}, { pathLength: 0 }, { pathLength: 1 }, { pathLength: 2 }].flatMap((length) =>
  [{}, { domain: 'west.example' }, { domain: 'example' }].map((names) => ({ ...length, ...names })),
);

/** East certifies West, and West certifies West1, each within limits. */
const LIMITED = LIMITS.flatMap((upper) =>
  LIMITS.flatMap((lower) =>
    ['west.example', 'a.west.example', 'northwest.example'].flatMap((domain) => limited([upper, lower], domain)),
  ),
);

type Limits = { readonly pathLength?: number; readonly domain?: string };

function limitedBridge(key: string, signer: string, { pathLength, domain }: Limits): Made {
  const [own, issuer] = [ANCHORS[key], ANCHORS[signer]];
  const length = pathLength === undefined ? {} : { pathLength };
  return {
    abstract: {
      ...{ key, signer, notBefore: at(-1).getTime(), notAfter: at(50).getTime(), ...length },
      ...(domain !== undefined && { constrained: true, permits: [domain] }),
    },
    real: issueCertificate({
      ...{ commonName: key, ca: true, notBefore: at(-1), notAfter: at(50), ...length },
      ...(own && { key: own.key }),
      ...(issuer && { issuer }),
      ...(domain !== undefined && { permittedDomains: [domain] }),
    }),
  };
}

function limited([upper, lower]: readonly [Limits, Limits], domain: string) {
  const bridges = [limitedBridge('C', 'B', lower), limitedBridge('B', 'A', upper)];
  const issuer = ANCHORS.C as KeyPair;
  const name = `web.shop.serviceaccount.identity.linkerd.${domain}`;
  const real = issueCertificate({ commonName: 'identity', ca: true, pathLength: 0, issuer, notAfter: at(50) });
  const leaf = issueCertificate({ commonName: name, dnsNames: [name], issuer: real });
  const presented = { domain, signer: 'C', notAfter: at(50).getTime(), bridges: bridges.map((one) => one.abstract) };
  return ['A', 'B', 'C'].map((root) => ({
    name: `${JSON.stringify([upper, lower])} for ${domain} under ${root}`,
    checked: isAccepted(presented, [root], NOW.getTime()),
    chain: text([leaf, real, ...bridges.map((one) => one.real)]),
    roots: text([ANCHORS[root] as KeyPair]),
    at: NOW,
  }));
}

test('the checker agrees with Go on name constraints and path lengths of two bridges in one chain', () => {
  const answers = verifyWithGo(LIMITED);
  const wrong = LIMITED.filter(({ checked }, index) => (answers[index] === undefined) !== checked);
  expect(wrong.map(({ name }) => name)).toEqual([]);
  expect(new Set(LIMITED.map(({ checked }) => checked)).size).toBe(2);
});

test('only a certificate signed by another anchor is a bridge', () => {
  expect([isBridge(ca('A')), isBridge(ca('B', 'A'))]).toEqual([false, true]);
});
