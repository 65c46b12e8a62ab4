import fc from 'fast-check';
import { describeChain, describeRoots, verifyChain } from '../support/anchor/trust';
import type { Verification } from '../support/anchor/verify-mesh';
import { verifyWithGo } from '../support/anchor/verify-with-go';
import { issueCertificate, type KeyPair } from '../support/cluster/certificates';

const NOW = new Date();
const at = NOW.getTime();
const ago = (ms: number) => new Date(at - ms);
const ahead = (ms: number) => new Date(at + ms);

const a = issueCertificate({ commonName: '1.root', ca: true });
const b = issueCertificate({ commonName: '2.root', ca: true });
const bridge = issueCertificate({ commonName: '2.root', ca: true, key: b.key, issuer: a });
const issuerOfA = issueCertificate({ commonName: 'identity', ca: true, issuer: a });
const issuerOfB = issueCertificate({ commonName: 'identity', ca: true, issuer: b });
const leafOf = (issuer: KeyPair) => issueCertificate({ commonName: 'web', dnsNames: ['web'], issuer });

/** The results of the proxies' verifier, of the rig's identity, and of Go: true if the chain is valid. */
function verdicts(chain: readonly KeyPair[], roots: readonly KeyPair[], moment = NOW) {
  const [text, bundle] = [chain, roots].map((list) => list.map(({ cert }) => cert).join('')) as [string, string];
  const own = (as: 'webpki' | 'go') => verifyChain(text, bundle, { at: moment.getTime(), as }) === undefined;
  const [refusal] = verifyWithGo([{ chain: text, roots: bundle, at: moment }]);
  return { webpki: own('webpki'), go: own('go'), oracle: refusal === undefined };
}

const YES = { webpki: true, go: true, oracle: true };
const NO = { webpki: false, go: false, oracle: false };

describe('a bridge', () => {
  const chain = [leafOf(issuerOfB), issuerOfB, bridge];
  it.each([
    ['the old root', [a]],
    ['the new root', [b]],
    ['both', [a, b]],
    ['itself', [bridge]],
  ])('makes the verifier of proxies accept a leaf of the new root under %s', (_, roots) => {
    expect(verdicts(chain, roots)).toEqual(YES);
  });

  it('is necessary for a leaf of the new root to verify under the old root', () => {
    expect(verdicts(chain.slice(0, 2), [a])).toEqual(NO);
    expect(verdicts(chain.slice(0, 2), [b])).toEqual(YES);
    expect(verdicts([leafOf(issuerOfA), issuerOfA], [b])).toEqual(NO);
    expect(verdicts([leafOf(issuerOfA), issuerOfA], [a, b])).toEqual(YES);
  });

  it('may have any position in the chain', () => {
    expect(verdicts([leafOf(issuerOfB), bridge, issuerOfB], [a])).toEqual(YES);
  });

  it('does not verify after its expiry', () => {
    const short = issueCertificate({ commonName: '2.root', ca: true, key: b.key, issuer: a, notAfter: ahead(1_000) });
    const withShort = [leafOf(issuerOfB), issuerOfB, short];
    expect(verdicts(withShort, [a])).toEqual(YES);
    expect(verdicts(withShort, [a], ahead(2_000))).toEqual(NO);
    expect(verdicts(withShort, [b], ahead(2_000))).toEqual(YES);
  });

  it('must respect the path length of a root, for verifiers that check it', () => {
    const limited = (pathLength: number) => {
      const root = issueCertificate({ commonName: '1.root', ca: true, pathLength });
      const to = issueCertificate({ commonName: '2.root', ca: true, key: b.key, issuer: root });
      return { root, to };
    };
    const none = limited(0);
    // Go, which identity uses, applies the path length of a root to the CAs below it. Proxies ignore it.
    expect(verdicts([issuerOfB, none.to], [none.root])).toEqual({ webpki: true, go: false, oracle: false });
    const one = limited(1);
    expect(verdicts([issuerOfB, one.to], [one.root])).toEqual(YES);
    expect(verdicts([leafOf(issuerOfB), issuerOfB, one.to], [one.root])).toEqual({
      webpki: true,
      go: false,
      oracle: false,
    });
  });
});

it('the verifier refuses intermediates beyond a path length limit', () => {
  const narrow = issueCertificate({ commonName: '2.root', ca: true, pathLength: 0, key: b.key, issuer: a });
  expect(verdicts([leafOf(issuerOfB), issuerOfB, narrow], [a])).toEqual(NO);
  expect(verdicts([issuerOfB, narrow], [a])).toEqual(YES);
});

it('the verifier accepts expired roots like proxies, unlike Go', () => {
  const old = issueCertificate({ commonName: 'old', ca: true, notAfter: ago(60_000), notBefore: ago(90_000) });
  const issuer = issueCertificate({ commonName: 'identity', ca: true, issuer: old });
  expect(verdicts([leafOf(issuer), issuer], [old])).toEqual({ webpki: true, go: false, oracle: false });
});

it('the verifier reports the reason for a refusal', () => {
  const expired = issueCertificate({ commonName: 'web', issuer: issuerOfA, notAfter: ago(5_000) });
  expect(verifyChain(expired.cert + issuerOfA.cert, a.cert, { at })).toMatch(/^"web" has been expired for [56]\.\d s$/);
  expect(verifyChain(leafOf(issuerOfB).cert + issuerOfB.cert, a.cert)).toBe(
    'the signer of "identity", "2.root", is unknown; roots: 1.root',
  );
  expect(describeChain(leafOf(issuerOfB).cert + issuerOfB.cert + bridge.cert)).toBe(
    'web <- identity (by 2.root) <- 2.root (by 1.root)',
  );
  expect(describeRoots(a.cert + b.cert)).toMatch(/^\{1\.root#[0-9a-f]{6}, 2\.root#[0-9a-f]{6}\}$/);
});

it('the verifier agrees with Go on meshes of any shape', () => {
  const keys = Array.from({ length: 3 }, () => issueCertificate({ commonName: 'any', ca: true }).key);
  const ca = fc.record({
    key: fc.nat(2),
    signer: fc.option(fc.nat(2), { nil: undefined }),
    pathLength: fc.option(fc.nat(1), { nil: undefined }),
    isCurrent: fc.boolean(),
  });
  const mesh = fc.record({
    cas: fc.array(ca, { minLength: 2, maxLength: 5 }),
    roots: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
    chain: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
  });
  const asked: { own: string | undefined; question: Verification }[] = [];
  fc.assert(
    fc.property(mesh, ({ cas, roots, chain }) => {
      const self = keys.map((key, index) => issueCertificate({ commonName: `ca-${index}`, ca: true, key }));
      const made = cas.map(({ key, signer, pathLength, isCurrent }) =>
        issueCertificate({
          commonName: `ca-${key}`,
          ca: true,
          key: keys[key],
          pathLength,
          ...(signer !== undefined && { issuer: self[signer] }),
          notBefore: ago(60_000),
          notAfter: isCurrent ? ahead(60_000) : ago(1_000),
        }),
      );
      const certOf = (index: number) => made[index % made.length]?.cert ?? '';
      const question = { chain: chain.map(certOf).join(''), roots: roots.map(certOf).join(''), at: NOW };
      asked.push({ own: verifyChain(question.chain, question.roots, { at, as: 'go' }), question });
    }),
    { numRuns: 300 },
  );
  const answers = verifyWithGo(asked.map(({ question }) => question));
  const differences = asked
    .map(({ own }, index) => ({ own, oracle: answers[index] }))
    .filter(({ own, oracle }) => (own === undefined) !== (oracle === undefined));
  expect(differences).toEqual([]);
  expect(answers.filter((answer) => answer === undefined).length).toBeGreaterThan(50);
  expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(50);
});
