import type { AnchorMemory, Rotation } from '#anchor/memory';
import type {
  AnchorPolicy,
  MemberRequest,
  ObservedCertification,
  ObservedMember,
  ObservedTrust,
} from '#anchor/observed';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, memory, NOW, observed, POLICY } from './fixture';

const CERTIFIES: AnchorPolicy = { ...POLICY, members: ['west'], certifies: [{ cluster: 'west' }] };

const REQUEST: MemberRequest = { key: 'W', subject: 'CN=1.root.west', isKeySupported: true };

/** The west signs with W and requests a certificate; this cluster signs with A. */
const WEST: ObservedMember = { name: 'west', signing: ['W'], roots: ['W'], adopted: ['W', 'A'], request: REQUEST };

const MADE: ObservedCertification = {
  cluster: 'west',
  key: 'W',
  generation: 1,
  state: 'issued',
  since: 4000,
  certificate: ca('W', 'A'),
};

function east(more: Partial<ObservedTrust> = {}, change: Partial<AnchorMemory> = {}): ObservedTrust {
  return observed({
    policy: CERTIFIES,
    anchors: [anchor(1, { hasIssuer: true })],
    members: [WEST],
    kept: ['A', 'W'],
    bundle: bundleOf('A', 'W'),
    memory: memory({ bundles: [{ hash: 'AW', keys: ['A', 'W'], since: 4000 }], ...change }),
    ...more,
  });
}

const certifying = (trust: ObservedTrust) =>
  next(trust, NOW).actions.filter((one) => one.do === 'certify' || one.do === 'withdraw-certificate');
const refused = (trust: ObservedTrust) => next(trust, NOW).milestones.find(({ type }) => type === 'Certifies');

describe('a cluster that certifies another cluster', () => {
  test('makes cert-manager sign the request only until its own anchor expires', () => {
    expect(certifying(east())).toEqual([{ do: 'certify', cluster: 'west', generation: 1, duration: 945_250 }]);
    expect(next(east(), NOW).report).toMatchObject({ certifier: 'A', answers: [] });
    const without = east({ anchors: [anchor(1)] });
    expect(next(without, NOW).actions).toEqual([{ do: 'apply-issuer', generation: 1 }]);
  });

  test('does not rely on a bridge that outlives its anchor, as other clusters do not have this bridge', () => {
    const anchors = [ca('A', 'A', { notAfter: 900_000 }), ca('A', 'Z'), ca('W')];
    const trust = east({ bundle: { hash: 'AW', anchors } });
    expect(certifying(trust)).toMatchObject([{ duration: 850_250 }]);
  });

  test('certifies only clusters that its policy names, and only on request', () => {
    const { request: _, ...silent } = WEST;
    expect(certifying(east({ policy: { ...CERTIFIES, certifies: [] } }))).toEqual([]);
    expect(certifying(east({ policy: { ...CERTIFIES, certifies: [{ cluster: 'north' }] } }))).toEqual([]);
    expect(certifying(east({ members: [silent] }))).toEqual([]);
    expect(next(east({ policy: { ...CERTIFIES, certifies: [] } }), NOW).report).toEqual({
      signing: ['A'],
      adopted: ['A', 'W'],
    });
  });

  test('certifies no cluster with a leaked key', () => {
    const trust = east({ policy: { ...CERTIFIES, compromised: ['A'] } });
    expect(certifying(trust)).toEqual([]);
    expect(next(trust, NOW).report).not.toHaveProperty('certifier');
  });

  test.each<[string, Partial<MemberRequest>, Partial<ObservedMember>]>([
    ['for a key with which the other cluster does not sign', { key: 'X' }, {}],
    ['for a key that proxies do not accept', { isKeySupported: false }, {}],
    ['with the subject of another CA', { isNamesake: true }, {}],
  ])('refuses a request %s', (_, request, more) => {
    const trust = east({ members: [{ ...WEST, ...more, request: { ...REQUEST, ...request } }] });
    expect(certifying(trust)).toEqual([]);
    expect(refused(trust)).toMatchObject({ status: false, reason: 'Refused', isWrong: true });
  });

  test('publishes the signed certificate until the request has another key or another anchor certifies', () => {
    const given = east({ certifications: [MADE] });
    expect(certifying(given)).toEqual([]);
    expect(next(given, NOW).report?.answers).toEqual(['west']);
    const withdraw = [{ do: 'withdraw-certificate', cluster: 'west' }];
    expect(certifying(east({ certifications: [{ ...MADE, key: 'V' }] }))).toEqual(withdraw);
    expect(certifying(east({ certifications: [{ ...MADE, generation: 2 }] }))).toEqual(withdraw);
    const short = { ...MADE, certificate: ca('W', 'A', { notAfter: NOW + 1000 }) };
    expect(certifying(east({ certifications: [short] }))).toEqual([]);
  });

  test('withholds and renews a certificate that cert-manager signed so late that it outlives the anchor', () => {
    const late = { ...MADE, certificate: ca('W', 'A', { notAfter: 1_000_001 }) };
    const trust = east({ certifications: [late] });
    expect(certifying(trust)).toEqual([{ do: 'withdraw-certificate', cluster: 'west' }]);
    const { request: _, ...silent } = WEST;
    for (const member of [WEST, silent]) {
      expect(next({ ...trust, members: [member] }, NOW).report?.answers).toEqual([]);
    }
    const [made] = certifying(east());
    const slow = made?.do === 'certify' ? NOW + 5 * POLICY.lag + made.duration : Number.NaN;
    const certificate = ca('W', 'A', { notAfter: slow });
    expect(next(east({ certifications: [{ ...MADE, certificate }] }), NOW).report?.answers).toEqual(['west']);
  });

  test.each<[string, Partial<ObservedCertification>]>([
    ['failed', { state: 'failed' }],
    ['is for another key', { certificate: ca('V', 'A') }],
    ['is by another key', { certificate: ca('W', 'X') }],
    ['cannot sign an issuer', { certificate: ca('W', 'A', { pathLength: 0 }) }],
  ])('publishes no certificate that %s', (_, change) => {
    const since = NOW - 10 * POLICY.patience + 1;
    const trust = east({ certifications: [{ ...MADE, since, ...change }] });
    expect(next(trust, NOW).report?.answers).toEqual([]);
    expect(refused(trust)).toMatchObject({ isWrong: true });
    // The operator withdraws the certificate later: this cluster's anchor may have lost its key and have a new one.
    expect(certifying(trust)).toEqual([]);
    expect(next(trust, NOW + 1).actions).toContainEqual({ do: 'withdraw-certificate', cluster: 'west' });
  });
});

describe('a cluster that certifies with a name constraint', () => {
  const policy = { ...CERTIFIES, certifies: [{ cluster: 'west', trustDomain: 'west.example' }] };
  const asking = (permits?: readonly string[], uris: Pick<MemberRequest, 'limitsUris'> = URIS) => [
    { ...WEST, request: { ...REQUEST, ...(permits && { permits }), ...uris } },
  ];
  const URIS = { limitsUris: true } as const;

  test.each([undefined, [], ['example'], ['west.example', 'east.example']])('refuses the constraint %p', (permits) => {
    expect(certifying(east({ policy, members: asking(permits) }))).toEqual([]);
  });

  test('refuses a request with unconstrained URIs, and publishes no such certificate', () => {
    expect(certifying(east({ policy, members: asking(['west.example'], {}) }))).toEqual([]);
    const certificate = ca('W', 'A', { constrained: true, permits: ['west.example'] });
    const members = asking(['west.example']);
    const made = east({ policy, members, certifications: [{ ...MADE, certificate }] });
    expect(next(made, NOW).report?.answers).toEqual([]);
  });

  test('publishes no certificate without the constraint', () => {
    const members = asking(['west.example']);
    expect(certifying(east({ policy, members }))).toHaveLength(1);
    const bare = east({ policy, members, certifications: [MADE] });
    expect(next(bare, NOW).report?.answers).toEqual([]);
    const certificate = ca('W', 'A', { constrained: true, permits: ['west.example'], ...URIS });
    const right = east({ policy, members, certifications: [{ ...MADE, certificate }] });
    expect(next(right, NOW).report?.answers).toEqual(['west']);
  });

  test('keeps an unconstrained root until all certificates of the constrained cluster lead to its own anchor', () => {
    const roots = (member: Partial<ObservedMember>) =>
      next(east({ members: [{ ...WEST, ...member }] }), NOW).actions.filter((one) => one.do === 'keep-roots');
    expect(roots({ certifiers: ['A'] })).toEqual([]);
    expect(roots({ certifiers: [], isCovered: true })).toEqual([]);
    expect(roots({ certifiers: ['A', 'X'], isCovered: true })).toEqual([]);
    expect(roots({ certifiers: ['A'], isCovered: true })).toEqual([{ do: 'keep-roots', keys: ['A'] }]);
  });
});

describe('a rotation of a certifying anchor', () => {
  const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 4000, why: '', announced: 4000, signing: 2000 };
  const BRIDGE = ca('B', 'A');
  const CERTIFIED: ObservedMember = {
    name: 'west',
    signing: ['W'],
    roots: [],
    adopted: ['A', 'B', 'W'],
    certifiers: ['A'],
    certified: ['A'],
    isCovered: true,
  };
  const rotating = (member: Partial<ObservedMember>, change: Partial<Rotation> = {}): ObservedTrust =>
    east(
      {
        anchors: [anchor(1, { hasIssuer: true }), anchor(2, { askedSigner: 1, certificate: BRIDGE })],
        signer: 2,
        issuer: {
          state: 'issued',
          chain: { signer: 'B', notBefore: 2000, notAfter: 100_000, bridges: [BRIDGE] },
          revision: 2,
        },
        members: [{ ...CERTIFIED, ...member }],
        kept: ['A', 'B'],
        bundle: bundleOf('A', 'B'),
      },
      {
        bundles: [{ hash: 'AB', keys: ['A', 'B'], since: 2000 }],
        issuer: { revision: 2, signer: 'B', notAfter: 100_000, since: 2000, seen: 2000, takenUp: 2000, steady: 2000 },
        rotation: { ...rotation, adopted: 4000, ...change },
      },
    );

  test('certifies with the old anchor until pods of all clusters trust the next one, then with the next one', () => {
    const early = next(rotating({ adopted: ['A', 'W'] }), NOW);
    expect(early.memory.rotation).not.toHaveProperty('certifies');
    expect(early.report?.certifier).toBe('A');
    const late = next(rotating({}), NOW);
    expect(late.memory.rotation).toMatchObject({ committed: true, certifies: true });
    expect(late.report?.certifier).toBe('B');
    // The certifier does not return to the old anchor when the operator sees a pod late.
    const again = rotating({ adopted: ['A', 'W'] }, { committed: true, certifies: true });
    expect(next(again, NOW).report?.certifier).toBe('B');
  });

  test.each<[string, Partial<ObservedMember>, boolean]>([
    ['the old anchor certifies a member', {}, false],
    ['the certificates of a member may lead to the old anchor', { certifiers: ['A', 'B'], certified: ['B'] }, false],
    ['a member has no known certificate of the next anchor', { certifiers: ['B'], certified: [] }, false],
    ['a member was never certified', { certifiers: [], certified: [] }, false],
    ['all certificates of a member lead to the next anchor', { certifiers: ['B'], certified: ['B'] }, true],
  ])('reports whether the old anchor may retire while %s', (_, member, isRetiring) => {
    const { rotation: after } = next(rotating(member, { committed: true, certifies: true }), NOW).memory;
    expect(after?.retiring === true).toBe(isRetiring);
  });

  test('does not wait for a certificate by a leaked next anchor, which another rotation will replace', () => {
    const seen = rotating({}, { committed: true, certifies: true });
    const leaked = { ...seen, policy: { ...seen.policy, compromised: ['B'] } };
    expect(next(leaked, NOW).memory.rotation?.retiring).toBe(true);
    const old = { ...seen, policy: { ...seen.policy, compromised: ['A'] } };
    expect(next(old, NOW).memory.rotation?.retiring).toBeUndefined();
  });
});
