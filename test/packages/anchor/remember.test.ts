import type { IssuerChain } from '#anchor/chain';
import { anchorsKnownTo, heldSince } from '#anchor/knowledge';
import { MAX_BUNDLES, type RememberedIssuer } from '#anchor/memory';
import type { ObservedIdentity, ObservedTrust } from '#anchor/observed';
import { mistaken, remember, unproven } from '#anchor/remember';
import { bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

/** The first issuer of generation 2, which follows the first issuer of generation 1. */
const NEXT: IssuerChain = { ...chain('B'), notBefore: NOW, notAfter: 101_000 };
const SEEN: RememberedIssuer = {
  revision: 2,
  signer: 'B',
  notAfter: 101_000,
  since: NOW,
  seen: NOW,
  before: 100_000,
  hasty: false,
};
const SETTLED = NOW + 2 * POLICY.lag + POLICY.skew;

function replica(more: Partial<ObservedIdentity> = {}): ObservedIdentity {
  return { name: 'identity-0', since: 4000, ...more };
}

function looks(identity: readonly ObservedIdentity[], times: readonly number[], more: Partial<ObservedTrust> = {}) {
  let before = memory();
  for (const now of times) {
    const issuer = issued('B', { chain: NEXT, revision: 2 });
    before = remember(observed({ issuer, memory: before, identity, ...more }), now);
  }
  return before.issuer;
}

describe("bundles in the operator's memory", () => {
  test('begin at the time that the operator saw them', () => {
    const { bundles } = remember(observed({ memory: memory(), bundle: bundleOf('A', 'B') }), NOW);
    expect(bundles.at(-1)).toEqual({ hash: 'AB', keys: ['A', 'B'], since: NOW, ends: { A: 1_000_000, B: 1_000_000 } });
    expect(remember(observed({ memory: memory({ bundles }), bundle: bundleOf('A', 'B') }), NOW + 1).bundles).toBe(
      bundles,
    );
  });

  test('are forgotten, the oldest first', () => {
    const bundles = Array.from({ length: MAX_BUNDLES }, (_, index) => ({ hash: `${index}`, keys: [], since: index }));
    const after = remember(observed({ memory: memory({ bundles }) }), NOW).bundles;
    expect([after.length, after[0]?.hash, after.at(-1)?.hash]).toEqual([MAX_BUNDLES, '1', 'A']);
  });

  test('are kept if pods have them, or the control plane may have started with them', () => {
    const bundles = Array.from({ length: 3 * MAX_BUNDLES }, (_, index) => ({
      hash: `${index}`,
      keys: [`${index}`],
      since: 100 * index,
    }));
    const pod = { workload: 'a/Deployment/b', pods: 1, since: 0, restartable: true };
    const pods = [
      { ...pod, hash: '7' },
      { ...pod, workload: 'linkerd/Deployment/linkerd-identity', since: 1_205 },
    ];
    const after = remember(observed({ memory: memory({ bundles }), pods }), 10_000).bundles;
    expect(after.map(({ hash }) => hash).slice(0, 4)).toEqual(['7', '11', '12', '65']);
    expect(after).toHaveLength(3 + MAX_BUNDLES);
    // A pod that started at the time of forgotten bundles has unknown roots: no anchor was in all bundles.
    const same = after.map((bundle) => ({ ...bundle, keys: ['A'] }));
    const known = (start: number) => [...anchorsKnownTo({ since: start }, same, POLICY)];
    expect([known(750), known(1_205), known(1_305), known(6_400), known(6_600)]).toEqual([['A'], ['A'], [], [], ['A']]);
    expect(heldSince(same, ['A'])).toBe(6_500);
  });

  test('include the absence of a bundle', () => {
    expect(remember(observed({ bundle: undefined }), NOW).bundles).toEqual([
      { hash: '', keys: [], since: NOW, ends: {} },
    ]);
  });
});

test("the operator remembers the latest expiry of a bundle's certificates of one key", () => {
  const anchors = [3, 9, 5].map((notAfter) => ca('A', 'A', { notAfter }));
  expect(remember(observed({ bundle: { hash: 'x', anchors } }), NOW).bundles.at(-1)?.ends).toEqual({ A: 9 });
});

test('the operator keeps each bundle exactly while a control plane pod may have read it', () => {
  const bundles = Array.from({ length: 3 * MAX_BUNDLES }, (_, index) => ({
    hash: `${index}`,
    keys: [`${index}`],
    since: 100 * index,
  }));
  const kept = (since: number) =>
    remember(
      observed({ memory: memory({ bundles }), pods: [{ workload: 'w', pods: 1, since, restartable: true }] }),
      10_000,
    )
      .bundles.map(({ hash }) => hash)
      .slice(0, -MAX_BUNDLES);
  const { lag, skew } = POLICY;
  expect(kept(1_200 - skew - 1)).toEqual(['11']);
  expect(kept(1_200 - skew)).toEqual(['11', '12']);
  expect(kept(1_200 + lag + skew - 1)).toEqual(['11', '12']);
  expect(kept(1_200 + lag + skew)).toEqual(['12']);
});

describe('an identity issuer', () => {
  const seenAs = (signer: string, more: Partial<IssuerChain>, before: Partial<RememberedIssuer>, revision = 2) => {
    const issuer = { revision: 1, signer: 'A', notAfter: 100_000, since: 4000, seen: 4000, ...before };
    const next = issued(signer, { chain: { ...chain(signer), ...more }, revision });
    return remember(observed({ issuer: next, memory: memory({ issuer }) }), NOW).issuer;
  };

  test('has the time of its certificate, but not before its predecessor nor after its first observation', () => {
    expect(seenAs('A', { notBefore: 4500 }, {})).toMatchObject({ since: 4500, seen: NOW, before: 100_000 });
    expect(seenAs('A', { notBefore: 3000 }, { seen: 4600 })).toMatchObject({ since: 4000 });
    expect(seenAs('A', { notBefore: NOW + 7 }, {})).toMatchObject({ since: NOW });
    const first = remember(observed({ issuer: issued('A', { chain: { ...chain('A'), notBefore: 4500 } }) }), NOW);
    expect(first.issuer?.since).toBe(4500);
  });

  test('is hasty if it follows so soon that a proof of identity may be about either', () => {
    const { lag, skew } = POLICY;
    expect(seenAs('A', { notBefore: 4000 + lag + skew }, {})?.hasty).toBe(true);
    expect(seenAs('A', { notBefore: 4001 + lag + skew }, { seen: 4600 })?.hasty).toBe(false);
  });

  test('without a revision is followed by the first issuer with one', () => {
    const before = remember(observed({ issuer: issued('A', { revision: undefined }) }), 4500);
    expect(before.issuer).toMatchObject({ revision: 0, seen: 4500 });
    const after = remember(observed({ memory: before, issuer: issued('A') }), NOW);
    expect(after.issuer).toMatchObject({ revision: 1, seen: NOW });
    expect(after.issuer).not.toHaveProperty('missed');
  });

  test('is steady only once no replica can start with its predecessor', () => {
    const identity = [replica({ issuerEnd: 101_000 })];
    expect(looks(identity, [NOW, SETTLED - 1])?.steady).toBeUndefined();
    expect(looks(identity, [NOW, SETTLED])?.steady).toBe(SETTLED);
  });

  test('stays steady with a successor by the same signer, but not by another or after a missed one', () => {
    const renewed = (signer: string, revision: number) =>
      remember(observed({ memory: memory(), issuer: issued(signer, { chain: { ...NEXT, signer }, revision }) }), NOW);
    expect(renewed('A', 2).issuer?.steady).toBe(4030);
    expect(renewed('B', 2).issuer?.steady).toBeUndefined();
    expect(renewed('A', 3).issuer?.steady).toBeUndefined();
  });

  test('is no longer in use or steady once a replica has another one', () => {
    const issuer = { ...SEEN, takenUp: NOW, steady: SETTLED };
    const identity = [replica({ issuerEnd: 100_000 })];
    const seen = observed({ memory: memory({ issuer }), issuer: issued('B', { chain: NEXT, revision: 2 }), identity });
    const after = remember(seen, SETTLED + 1).issuer;
    expect(after).toEqual(SEEN);
  });

  test('is marked if the operator did not see it follow another one', () => {
    const at = (revision: number) => remember(observed({ issuer: issued('A', { revision }) }), NOW).issuer?.missed;
    expect([at(1), at(2)]).toEqual([undefined, true]);
  });
});

describe('the proof that identity uses an issuer', () => {
  const look = (identity: readonly ObservedIdentity[], issuer: Partial<RememberedIssuer>, now: number) => {
    const known = { ...SEEN, ...issuer };
    const seen = observed({
      memory: memory({ issuer: known }),
      issuer: issued('B', { chain: NEXT, revision: 2 }),
      identity,
    });
    return remember(seen, now).issuer;
  };
  const takenUp = NOW + 2;
  const edge = takenUp - POLICY.lag - POLICY.skew;

  test("counts from the operator's first observation of the issuer, however old the issuer is", () => {
    const old = { ...SEEN, since: 4000 };
    expect(look([replica()], { ...old, takenUp }, SETTLED - 1)).toStrictEqual({ ...old, takenUp });
    const deaf = [replica({ issuerEnd: 100_000 })];
    expect(look(deaf, { ...old, takenUp, steady: NOW - 1 }, SETTLED)).toEqual({ ...old, steady: NOW - 1 });
    expect(look([], old, NOW + POLICY.lag - 1)).toEqual(old);
    expect(look([], old, NOW + POLICY.lag)).toEqual({ ...old, takenUp: NOW + POLICY.lag });
  });

  test('is needed from each replica that may have started since, before the issuer counts as steady', () => {
    expect(look([replica({ since: edge - 1 })], { takenUp }, SETTLED)).toHaveProperty('takenUp');
    expect(look([replica({ since: edge })], { takenUp }, SETTLED)).toEqual(SEEN);
    expect(look([replica(), replica({ since: edge })], { takenUp }, SETTLED)).toEqual(SEEN);
    expect(look([replica({ since: edge, issuerEnd: 101_000 })], { takenUp }, SETTLED)).toHaveProperty('steady');
    expect(look([replica({ since: edge })], { takenUp }, SETTLED - 1)).toHaveProperty('takenUp');
    expect(look([replica({ since: edge })], { takenUp, steady: NOW }, SETTLED)).toHaveProperty('steady');
  });
});

describe('identity proves that it uses an issuer', () => {
  test('by Events of each replica without a metric, later than the start of those with a metric', () => {
    const open = (identity: readonly ObservedIdentity[], issuerUpdates: readonly number[]) =>
      unproven({ identity, issuerUpdates, policy: POLICY }, SEEN).map(({ name }) => name);
    const silent = replica({ name: 'silent' });
    const deaf = replica({ name: 'deaf', since: NOW + 5, issuerEnd: 100_000 });
    expect(open([silent, deaf], [NOW])).toEqual(['deaf']);
    expect(open([silent, deaf], [])).toEqual(['silent', 'deaf']);
    expect(open([silent, { ...silent, name: 'other' }], [NOW])).toEqual(['silent', 'other']);
  });

  const proves = (one: Partial<ObservedIdentity>, issuer: Partial<RememberedIssuer> = {}, updates: number[] = []) =>
    unproven({ identity: [replica(one)], issuerUpdates: updates, policy: POLICY }, { ...SEEN, ...issuer }).length === 0;

  test('by a metric with the expiry of this issuer within clock skew, if no earlier issuer can have it', () => {
    expect(proves({ issuerEnd: 101_002 })).toBe(true);
    expect(proves({ issuerEnd: 101_003 })).toBe(false);
    expect(proves({ issuerEnd: 101_000 }, { before: 101_000 - POLICY.skew })).toBe(false);
    expect(proves({ issuerEnd: 101_000 }, { before: 101_000 - POLICY.skew - 1 })).toBe(true);
    expect(proves({ issuerEnd: 101_000 }, { missed: true })).toBe(false);
    // The issuer of an installation may expire later than the operator's first issuer.
    expect(proves({ issuerEnd: 101_000 }, { before: 900_000 })).toBe(true);
    expect(proves({ issuerEnd: 101_000 }, { before: 101_000 + POLICY.skew })).toBe(false);
  });

  test('by a start long after the operator saw the issuer, whatever its date', () => {
    const long = NOW + POLICY.lag + POLICY.skew;
    expect(proves({ since: long })).toBe(true);
    expect(proves({ since: long - 1 })).toBe(false);
    expect(proves({ since: long - 1 }, { since: 4000 })).toBe(false);
    expect(proves({ since: long, issuerEnd: 100_000 })).toBe(false);
  });

  test('by an Event of each replica, later than the issuer and the start of all replicas', () => {
    expect(proves({}, {}, [NOW])).toBe(true);
    expect(proves({}, {}, [NOW - 1])).toBe(false);
    expect(proves({}, { hasty: true }, [NOW])).toBe(false);
    expect(proves({}, { missed: true }, [NOW])).toBe(false);
    expect(proves({ since: NOW }, {}, [NOW + POLICY.skew - 1])).toBe(false);
    expect(proves({ since: NOW }, {}, [NOW + POLICY.skew])).toBe(true);
    expect(proves({}, { seen: NOW + 50 }, [NOW])).toBe(true);
  });

  test('only if its metric has no expiry of an earlier issuer beyond clock skew', () => {
    const found = (issuerEnd: number | undefined, issuer: RememberedIssuer) =>
      mistaken({ identity: [replica({ ...(issuerEnd !== undefined && { issuerEnd }) })], policy: POLICY }, issuer)
        .length;
    const { before: _, ...first } = SEEN;
    expect([undefined, 101_500, 100_970, 100_969].map((end) => found(end, { ...first, notAfter: 101_000 }))).toEqual([
      0, 0, 0, 1,
    ]);
    const later = { ...first, notAfter: 101_000, before: 91_000 };
    expect([101_500, 96_000, 95_999, 91_000].map((end) => found(end, later))).toEqual([0, 0, 1, 1]);
    expect(found(95_999, { ...later, missed: true })).toBe(1);
    expect([100_970, 100_969].map((end) => found(end, { ...later, missed: true }))).toEqual([0, 1]);
    expect([100_970, 100_969].map((end) => found(end, { ...later, before: 101_000 }))).toEqual([0, 1]);
    expect([100_970, 100_969].map((end) => found(end, { ...later, before: 110_000 }))).toEqual([0, 1]);
    // The previous issuer, e.g. of an installation, expires later.
    expect([105_499, 105_501, 110_000].map((end) => found(end, { ...later, before: 110_000 }))).toEqual([0, 1, 1]);
  });
});
