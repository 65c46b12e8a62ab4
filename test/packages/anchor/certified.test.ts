import { certifierOf } from '#anchor/certified';
import type { CaCertificate } from '#anchor/chain';
import { doMembersKnow } from '#anchor/members';
import type { AnchorMemory } from '#anchor/memory';
import type { AnchorPolicy, GivenCertificate, ObservedAnchor, ObservedMember, ObservedTrust } from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { settledBy } from '#anchor/times';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

/** The east signs and certifies with E; this cluster signs with A. */
const EAST: ObservedMember = { name: 'east', signing: ['E'], roots: ['E'], adopted: ['E'], certifier: 'E' };

const MEMBER: AnchorPolicy = { ...POLICY, members: ['east'], bridgeSigner: 'request', certifiedBy: 'east' };

const REQUEST = { key: 'A', publicKey: 'A', subject: '' };

const given = (signer: string, more: Partial<GivenCertificate> = {}): GivenCertificate => ({
  ...ca('A', signer, { notAfter: 500_000 }),
  id: `A<${signer}`,
  publicKey: 'A',
  subject: '',
  isCa: true,
  isForTls: true,
  ...more,
});

const answers = (...certificates: GivenCertificate[]) => [{ place: 'member', certificates } as const];

const ASKING: ObservedAnchor = anchor(1, { askedSigner: 'request', state: 'issuing', request: REQUEST });
const CERTIFIED: ObservedAnchor = anchor(1, { askedSigner: 'request', certificate: ca('A', 'E') });

function west(more: Partial<ObservedTrust> = {}, change: Partial<AnchorMemory> = {}): ObservedTrust {
  return observed({
    policy: MEMBER,
    members: [EAST],
    bundle: bundleOf('A', 'E'),
    kept: ['A', 'E'],
    memory: memory({ bundles: [{ hash: 'AE', keys: ['A', 'E'], since: 4000 }], ...change }),
    ...more,
  });
}

const milestone = (trust: ObservedTrust, now = NOW) =>
  next(trust, now).milestones.find(({ type }) => type === 'Certified');

describe('a cluster that another cluster certifies', () => {
  test('sends a request once the other cluster names an anchor, and not before', () => {
    expect(next(west(), NOW).actions).toEqual([
      { do: 'apply-anchor', generation: 1, signer: 'request', bundled: true },
    ]);
    const { certifier: _, ...silent } = EAST;
    for (const members of [[], [silent], [{ ...EAST, roots: [] }], [{ ...EAST, name: 'north' }]]) {
      expect(next(west({ members, kept: ['A'] }), NOW).actions.filter((one) => one.do === 'apply-anchor')).toEqual([]);
    }
  });

  test('sends a request while the other cluster signs with its next anchor and certifies with the previous one', () => {
    const changing: ObservedMember = { ...EAST, signing: ['F'], roots: ['F', 'E'] };
    const trust = west({
      members: [changing],
      anchors: [ASKING],
      bundle: bundleOf('A', 'E', 'F'),
      kept: ['A', 'E', 'F'],
    });
    expect(milestone(trust)).toMatchObject({ reason: 'Asked' });
    expect(next({ ...trust, answers: answers(given('E')) }, NOW).actions).toMatchObject([{ do: 'answer-request' }]);
    expect(next(trust, NOW).report).toMatchObject({ certifiers: ['E'] });
    // A report without the certificate, as from an older operator, is incomplete.
    expect(milestone(west({ members: [{ ...changing, roots: ['F'] }] }))?.message).toMatch(/lacks the certificate/);
  });

  test('does not change an anchor that is older than the operator', () => {
    const anchors = [anchor(0, { certificate: ca('A') })];
    expect(next(west({ anchors, signer: 0 }), NOW).actions).toEqual([]);
  });

  test('publishes its request, and passes the answer on to cert-manager', () => {
    const trust = west({ anchors: [ASKING] });
    expect(next(trust, NOW)).toMatchObject({ actions: [], report: { asks: 1, certifiers: ['E'], certified: [] } });
    expect(milestone(trust)).toMatchObject({ status: false, reason: 'Asked' });
    expect(next({ ...trust, answers: answers(given('E')) }, NOW).actions).toEqual([
      { do: 'answer-request', generation: 1, certificates: ['A<E'], signer: 'E' },
    ]);
  });

  test.each<[string, GivenCertificate]>([
    ['of another anchor', given('X')],
    ['that is no CA', given('E', { isCa: false })],
    ['with a path length of 0', given('E', { pathLength: 0 })],
    ['that is constrained to another trust domain', given('E', { constrained: true, permits: ['north.example'] })],
    ['that ends too soon', given('E', { notAfter: NOW + 10 })],
  ])('refuses an answer %s', (_, answer) => {
    expect(next(west({ anchors: [ASKING], answers: answers(answer) }), NOW).actions).toEqual([]);
  });

  test('renews the issuer once its anchor is certified', () => {
    const trust = west({ anchors: [CERTIFIED] });
    expect(next(trust, NOW).actions).toEqual([{ do: 'renew-issuer', revision: 1 }]);
  });

  test('reports that all chains lead to the other cluster once earlier leaves have expired', () => {
    const issuer = issued('A', { chain: chain('A', [ca('A', 'E')]), revision: 1 });
    const trust = west({ anchors: [CERTIFIED], issuer });
    const first = next(trust, NOW);
    expect(first.report).toMatchObject({ signing: ['A'], certifiers: ['E'], certified: [] });
    expect(first.memory.certification).toEqual({ since: NOW, by: [{ key: 'E', since: NOW }] });
    expect(first.again).toBeLessThanOrEqual(NOW + 1012);
    const later = next({ ...trust, memory: first.memory }, NOW + 1012);
    expect(later.report).toMatchObject({ certifiers: ['E'], certified: ['E'], isCovered: true });
    expect(milestone({ ...trust, memory: first.memory }, NOW + 1012)).toMatchObject({ status: true });
  });

  test('does not rely on an issuer while a replica of identity may start with the previous one', () => {
    const issuer = issued('A', { chain: chain('A', [ca('A', 'E')]) });
    const taken = { revision: 1, signer: 'A', notAfter: 100_000, since: NOW, seen: NOW, takenUp: NOW };
    const trust = west({ anchors: [CERTIFIED], issuer }, { issuer: taken });
    const since = settledBy(NOW, MEMBER);
    expect(next(trust, since - 1).memory.certification).toEqual({ by: [{ key: 'E' }] });
    expect(next(trust, since).memory.certification).toEqual({ since, by: [{ key: 'E', since }] });
  });
});

describe('a certified cluster, while the other cluster rotates,', () => {
  const NEXT: ObservedMember = { ...EAST, signing: ['F'], roots: ['F'], adopted: ['E', 'F'], certifier: 'F' };
  const led = issued('A', { chain: chain('A', [ca('A', 'E')]) });
  const known = { since: 2000, by: [{ key: 'E', since: 2000 }] };
  const bundle = bundleOf('A', 'E', 'F');

  test('requests another certificate, and uses the old one until then', () => {
    const trust = west({ anchors: [CERTIFIED], issuer: led, members: [NEXT], bundle }, { certification: known });
    const { actions, report } = next(trust, NOW);
    expect(actions).toContainEqual({ do: 'renew-anchor', generation: 1 });
    expect(report).toMatchObject({ certifiers: ['E'], isCovered: true });
  });

  const anchors = [anchor(1, { askedSigner: 'request', certificate: ca('A', 'F') })];
  const moved = issued('A', { chain: chain('A', [ca('A', 'F')]) });

  test('reports the old certificate until no chain leads to it, and then never uses it again', () => {
    const trust = west({ anchors, issuer: moved, members: [NEXT], bundle }, { certification: known });
    const first = next(trust, NOW);
    expect(first.report).toMatchObject({ certifiers: ['E', 'F'], certified: [], isCovered: true });
    const later = next({ ...trust, memory: first.memory }, NOW + 1012);
    expect(later.report).toMatchObject({ certifiers: ['F'], certified: ['F'] });
    // An old report arrives late.
    const late = { ...trust, members: [EAST], memory: later.memory };
    expect(certifierOf(late, later.memory)).toBeUndefined();
    expect(next(late, NOW + 2000).actions.filter((one) => one.do === 'renew-anchor')).toEqual([]);
  });

  test('assumes that an anchor with an unknown signer may still lead to the old certificate', () => {
    const lost = issued('A', { chain: chain('A', [ca('A', 'unknown:A')]) });
    const unknown = [anchor(1, { askedSigner: 'request', certificate: ca('A', 'unknown:A') })];
    const trust = west({ anchors: unknown, issuer: lost, members: [NEXT], bundle }, { certification: known });
    expect(next(trust, NOW).report?.certifiers).toEqual(['E']);
  });

  test('does not accept a late observation as a proof', () => {
    const trust = west({ anchors, issuer: moved, members: [NEXT], bundle, isLate: true }, { certification: known });
    expect(next(trust, NOW).memory.certification).toEqual({ ...known, by: [...known.by, { key: 'F' }] });
  });
});

test('a first anchor waits for its certificate for a limited time, and then signs alone', () => {
  const rotation = { to: 1, key: 'A', began: NOW, why: '' };
  const trust = west(
    { signer: undefined, issuer: { state: 'issuing' }, identity: [], bundle: bundleOf('A', 'E') },
    { current: undefined, rotation, issuer: undefined },
  );
  expect(next(trust, NOW).actions).toContainEqual({
    do: 'apply-anchor',
    generation: 1,
    signer: 'request',
    bundled: true,
  });
  const asking = { ...trust, anchors: [ASKING] };
  const isPointed = (now: number, more: Partial<ObservedTrust> = {}): boolean =>
    next({ ...asking, ...more }, now).actions.some((one) => one.do === 'set-signer');
  expect([NOW, NOW + 99, NOW + 100].map((now) => isPointed(now))).toEqual([false, false, true]);
  expect(isPointed(NOW, { anchors: [CERTIFIED] })).toBe(true);
});

test('an anchor that is no longer certified signs itself again', () => {
  const { certifiedBy: _, bridgeSigner: __, ...policy } = MEMBER;
  const trust = west({ policy, anchors: [CERTIFIED] }, { certification: { by: [{ key: 'E', since: 4000 }] } });
  const { actions, report } = next(trust, NOW);
  expect(actions).toContainEqual({ do: 'apply-anchor', generation: 1, signer: 'self', bundled: true });
  expect(report?.certifiers).toEqual(['E']);
});

test('a cluster keeps the anchor that the other cluster offers, even if no chain leads to it', () => {
  const seen = { revision: 1, signer: 'A', notAfter: 100_000, since: 4000, seen: 4000, takenUp: 4000, steady: 4000 };
  const certification = { by: [{ key: 'E' }, { key: 'D' }] };
  const { memory: after } = next(west({}, { issuer: seen, certification }), NOW);
  expect(after.certification?.by).toEqual([{ key: 'E' }, { key: 'D', until: expect.any(Number) }]);
  const gone = { by: [{ key: 'E', until: NOW - 10 }] };
  expect(next(west({}, { issuer: seen, certification: gone }), NOW).memory.certification).toEqual(gone);
});

describe('a certified cluster that rotates', () => {
  const BRIDGE = ca('B', 'A');
  const ABOVE = ca('A', 'E');
  const rotation = {
    from: 'A',
    to: 2,
    key: 'B',
    began: 2000,
    why: '',
    announced: 2000,
    signing: 2000,
    adopted: 2000,
    committed: true,
    retiring: true,
  };
  const ending = (to: Partial<ObservedAnchor>, more: Partial<ObservedTrust> = {}): ObservedTrust =>
    west(
      {
        anchors: [
          { ...CERTIFIED, hasIssuer: true },
          anchor(2, { askedSigner: 1, certificate: BRIDGE, above: [ABOVE], ...to }),
        ],
        signer: 2,
        issuer: issued('B', { chain: { ...chain('B', [BRIDGE, ABOVE]), notBefore: 2000 }, revision: 2 }),
        bundle: bundleOf('A', 'B', 'E'),
        kept: ['A', 'B', 'E'],
        ...more,
      },
      {
        bundles: [{ hash: 'ABE', keys: ['A', 'B', 'E'], since: 2000 }],
        issuer: { revision: 2, signer: 'B', notAfter: 100_000, since: 2000, seen: 2000, takenUp: 2000, steady: 2000 },
        certification: { since: 2000, by: [{ key: 'E', since: 2000 }] },
        rotation,
      },
    );

  test('still chains to the other cluster over its old anchor', () => {
    expect(next(ending({}), NOW).report).toMatchObject({ certifiers: ['E'], certified: ['E'], isCovered: true });
  });

  test('gets its next anchor certified before the old one is removed, without self-signing it', () => {
    const { actions } = next(ending({}), NOW);
    expect(actions).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'request', bundled: true }]);
    const request = { key: 'B', publicKey: 'B', subject: '' };
    const asking = ending({ askedSigner: 'request', state: 'issuing', request });
    expect(next(asking, NOW)).toMatchObject({ actions: [], report: { asks: 2 } });
    const answer = given('E', { key: 'B', id: 'B<E', publicKey: 'B' });
    expect(next({ ...asking, answers: answers(answer) }, NOW).actions).toEqual([
      { do: 'answer-request', generation: 2, certificates: ['B<E'], signer: 'E' },
    ]);
    const certified = ending({ askedSigner: 'request', certificate: ca('B', 'E'), above: [] });
    expect(next(certified, NOW).actions).toEqual([{ do: 'delete-anchor', generation: 1 }]);
    const alone = { ...certified, anchors: certified.anchors.slice(1), kept: ['B', 'E'] };
    expect(next(alone, NOW)).toMatchObject({ phase: 'Retired', memory: { current: { key: 'B', generation: 2 } } });
  });

  test("gets its next anchor certified by the other cluster's next anchor, if the other cluster has rotated meanwhile", () => {
    const moved: ObservedMember = { ...EAST, signing: ['F'], roots: ['F'], certifier: 'F' };
    const { actions } = next(ending({}, { members: [moved] }), NOW);
    // Also keeps the root of the east: the east certifies with its previous anchor until pods here trust the next one.
    expect(actions).toEqual([
      { do: 'apply-anchor', generation: 2, signer: 'request', bundled: true },
      { do: 'keep-roots', keys: ['A', 'B', 'E', 'F'] },
    ]);
  });
});

describe('a certified cluster with a leaked key', () => {
  const bundles = [
    { hash: 'AE', keys: ['A', 'E'], since: 4000 },
    { hash: 'ABE', keys: ['A', 'B', 'E'], since: NOW - 60 },
  ];
  const next2 = (more: Partial<ObservedAnchor> = {}) => anchor(2, { askedSigner: 'request', ...more });
  const asking = next2({ state: 'issuing', request: { key: 'B', publicKey: 'B', subject: '' } });
  const leaking = (to: ObservedAnchor) =>
    west(
      {
        policy: { ...MEMBER, compromised: ['A'] },
        anchors: [anchor(1, { askedSigner: 'request', certificate: ca('A', 'E'), hasIssuer: true }), to],
        bundle: bundleOf('A', 'B', 'E'),
        kept: ['A', 'B', 'E'],
        identity: [{ name: 'identity-0', since: NOW - 10, issuerEnd: 100_000 }],
      },
      {
        bundles,
        rotation: { from: 'A', to: 2, key: 'B', began: 4500, why: 'test', announced: NOW - 60, adopted: NOW - 30 },
      },
    );

  test('gets its next anchor certified by the other cluster before the next anchor signs', () => {
    expect(next(leaking(anchor(2)), NOW).actions).toEqual([
      { do: 'apply-anchor', generation: 2, signer: 'request', bundled: true },
    ]);
    expect(next(leaking(asking), NOW).actions).toEqual([]);
    const certified = next2({ certificate: ca('B', 'E') });
    expect(next(leaking(certified), NOW).actions).toEqual([{ do: 'set-signer', generation: 2 }]);
  });

  test('requests a certificate of its next anchor, even while the old one requests a certificate for its lost Secret', () => {
    const trust = leaking(asking);
    const lost = anchor(1, {
      askedSigner: 'request',
      state: 'issuing',
      request: { key: 'X', publicKey: 'X', subject: '' },
    });
    expect(next({ ...trust, anchors: [lost, asking] }, NOW).report).toMatchObject({ asks: 2 });
  });

  test('waits for the certificate for a limited time, and keeps its request', () => {
    const late = NOW - 60 + MEMBER.patience;
    expect(next(leaking(asking), late).actions).toEqual([{ do: 'set-signer', generation: 2 }]);
    const answered = {
      ...leaking(asking),
      answers: answers({ ...given('E'), ...ca('B', 'E'), id: 'B<E', notAfter: 500_000 }),
    };
    expect(next(answered, late).actions).toContainEqual({
      do: 'answer-request',
      generation: 2,
      certificates: ['B<E'],
      signer: 'E',
    });
  });
});

test('a rotation ends after the certificate of the other cluster, whatever later reports contain', () => {
  const over = [ca('B', 'A'), ca('A', 'E')];
  const rotation = { from: 'A', to: 2, key: 'B', began: 100, why: 'x', announced: 100, signing: 200, adopted: 3000 };
  const retiring = (members: readonly ObservedMember[], policy = MEMBER) =>
    next(
      west(
        {
          policy,
          members,
          anchors: [
            anchor(1, { certificate: ca('A', 'E'), askedSigner: 'request', hasIssuer: true }),
            anchor(2, { certificate: ca('B', 'A'), above: [ca('A', 'E')], askedSigner: 1 }),
          ],
          signer: 2,
          bundle: bundleOf('A', 'B', 'E'),
          kept: ['A', 'B', 'E'],
          issuer: issued('B', { chain: chain('B', over), revision: 2 }),
          identity: [],
        },
        {
          rotation: { ...rotation, committed: true, retiring: true },
          certification: { since: 1000, by: [{ key: 'E', since: 1000 }] },
          issuer: { revision: 2, signer: 'B', notAfter: 100_000, since: 150, seen: 150, takenUp: 160, steady: 200 },
          bundles: [{ hash: 'ABE', keys: ['A', 'B', 'E'], since: 100 }],
        },
      ),
      NOW,
    ).actions;
  const all = { ...EAST, adopted: ['A', 'B', 'E'] };
  const { certifier: _, ...silent } = all;
  expect(retiring([all])).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'request', bundled: true }]);
  for (const report of [silent, { ...all, roots: [] }, { ...all, signing: ['F'], roots: ['F'] }]) {
    expect(retiring([report])).not.toContainEqual(expect.objectContaining({ do: 'apply-anchor' }));
  }
  const leaked: AnchorPolicy = { ...MEMBER, compromised: ['B'] };
  expect(retiring([all], leaked)).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'self', bundled: true }]);
  const ended: AnchorPolicy = { ...POLICY, members: ['east'] };
  expect(retiring([all], ended)).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'self', bundled: true }]);
});

describe('another cluster with the same certifying cluster', () => {
  const NORTH: ObservedMember = { name: 'north', signing: ['N'], roots: ['N'], adopted: ['N', 'E'] };
  const policy = { ...MEMBER, members: ['east', 'north'] };
  const kept = (north: Partial<ObservedMember>, more: Partial<AnchorPolicy> = {}) => {
    const members = [EAST, { ...NORTH, ...north }];
    const trust = west({
      policy: { ...policy, ...more },
      members,
      bundle: bundleOf('A', 'E', 'N'),
      kept: ['A', 'E', 'N'],
    });
    return next(trust, NOW).actions.find((one) => one.do === 'keep-roots')?.keys ?? ['A', 'E', 'N'];
  };

  test('is accepted without its root if all its chains lead to the certifier, and always if constrained', () => {
    expect(kept({})).toContain('N');
    expect(kept({ isCovered: true, certifiers: [] })).toContain('N');
    expect(kept({ isCovered: true, certifiers: ['E', 'X'] })).toContain('N');
    expect(kept({ isCovered: true, certifiers: ['E'] })).toEqual(['A', 'E']);
    expect(kept({}, { trustDomain: 'west.example' })).toEqual(['A', 'E']);
    expect(kept({}, { members: ['east'] })).toEqual(['A', 'E']);
  });

  test('may lack an anchor that leads to the certifier, if its pods trust the certifier', () => {
    const issuer = (...bridges: CaCertificate[]) => issued('A', { chain: chain('A', bridges) });
    const knows = (adopted: readonly string[], trust: Partial<ObservedTrust>) =>
      doMembersKnow(west({ policy, members: [EAST, { ...NORTH, adopted }], ...trust }), 'A', NOW);
    expect(knows(['A'], { issuer: issuer() })).toBe(true);
    expect(knows(['E'], { issuer: issuer() })).toBe(false);
    expect(knows(['E'], { issuer: issuer(ca('A', 'E')) })).toBe(true);
    expect(knows(['N'], { issuer: issuer(ca('A', 'E')) })).toBe(false);
    expect(knows(['E'], { issuer: issuer(), policy: { ...policy, trustDomain: 'west.example' } })).toBe(true);
  });
});
