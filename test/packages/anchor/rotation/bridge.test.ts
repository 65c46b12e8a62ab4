import type { AnchorMemory, Rotation } from '#anchor/memory';
import type { AnchorPolicy, GivenAnswer, ObservedAnchor, ObservedTrust } from '#anchor/observed';
import { bridgeActions } from '#anchor/rotation/bridge';
import { bridgeDeadline } from '#anchor/rotation/bridged';
import { next } from '#anchor/rotation/next';
import { milestonesOf, progressOf, rotationActions } from '#anchor/rotation/progress';
import { timeNeeded } from '#anchor/rotation-target';
import { anchor, bundleOf, ca, issued, memory, NOW, observed, POLICY } from '../fixture';
import { OLD, actions as rotated } from './rotation-fixture';

const BY_REQUEST: AnchorPolicy = { ...POLICY, bridgeSigner: 'request' };
const REQUEST = { key: 'B', publicKey: 'key of B', subject: 'CN=2.root' };
const REQUESTED: Partial<ObservedAnchor> = { askedSigner: 'request', state: 'issuing', request: REQUEST };

const answerOf = (signer: string): GivenAnswer => ({
  place: 'spec',
  certificates: [
    { ...ca('B', signer), id: `B<${signer}`, publicKey: 'key of B', subject: 'CN=2.root', isCa: true, isForTls: true },
  ],
});

const apply = (signer: unknown) => ({ do: 'apply-anchor', generation: 2, signer, bundled: true });
const answer = { do: 'answer-request', generation: 2, certificates: ['B<A'], signer: 'A' };

/** A rotation from an anchor with an external key and an issuer without renewal. The next anchor is announced. */
function rotating(
  to: Partial<ObservedAnchor>,
  { current = { key: 'A' }, ...more }: Partial<ObservedTrust> & Pick<AnchorMemory, 'current'> = {},
  change: Partial<Rotation> = {},
  now = NOW,
) {
  const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, ...change };
  const bundles = [
    { hash: 'A', keys: ['A'], since: 0 },
    { hash: 'AB', keys: ['A', 'B'], since: 100 },
  ];
  const before: AnchorMemory = { ...memory({ current }), bundles, rotation };
  const { signer: _, ...rest } = observed();
  const seen: ObservedTrust = {
    ...rest,
    policy: BY_REQUEST,
    memory: before,
    anchors: [anchor(2, to)],
    issuer: issued('A', { chain: { signer: 'A', notBefore: 0, notAfter: 900_000, bridges: [] } }),
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    ...more,
  };
  return progressOf({ observed: seen, memory: before, rotation, now });
}

const actions = (...args: Parameters<typeof rotating>) => bridgeActions(rotating(...args));
const bridgeMilestone = (...args: Parameters<typeof rotating>) =>
  milestonesOf(rotating(...args)).find(({ type }) => type === 'Bridged');

describe('a bridge by request', () => {
  test('is requested once new pods trust the next anchor', () => {
    expect(actions({})).toEqual([apply('request')]);
    expect(actions({ state: 'issuing' })).toEqual([]);
    expect(actions({}, { bundle: bundleOf('A') }, { announced: undefined })).toEqual([]);
    expect(actions(REQUESTED)).toEqual([]);
    expect(actions({ ...REQUESTED, request: undefined })).toEqual([]);
  });

  test('is given up for a lost key, even after it was signed', () => {
    const lost = { ...REQUESTED, request: { ...REQUEST, key: "B'" } };
    expect(actions(lost)).toEqual([apply('self')]);
    expect(actions({ ...lost, certificate: ca('B', 'A') })).toEqual([apply('self')]);
    expect(actions({ ...lost, certificate: undefined }, {}, { announced: undefined })).toEqual([apply('self')]);
  });

  test('is withdrawn if the policy names no signer', () => {
    expect(actions(REQUESTED, { policy: POLICY })).toEqual([apply('self')]);
    expect(actions({ askedSigner: 'other', state: 'issuing' }, { policy: POLICY })).toEqual([apply('self')]);
  });

  test('is signed by the key itself, if that is added to the cluster', () => {
    const anchors = [anchor(1, { hasIssuer: true }), anchor(2, REQUESTED)];
    expect(actions({}, { anchors, signer: 1 })).toEqual([apply(1)]);
    expect(actions({}, { anchors: [anchor(1), anchor(2, REQUESTED)], signer: 1 })).toEqual([
      { do: 'apply-issuer', generation: 1 },
    ]);
  });

  test('needs no action once it exists', () => {
    expect(actions({ askedSigner: 'request', certificate: ca('B', 'A') })).toEqual([]);
    const above = [ca('I', 'A')];
    expect(rotating({ askedSigner: 'request', certificate: ca('B', 'I'), above }).bridged).toBe(true);
    expect(rotating({ askedSigner: 'request', certificate: ca('B', 'I') }).bridged).toBe(false);
    expect(rotating({ askedSigner: 'request', certificate: ca('B', 'A', { pathLength: 0 }) }).bridged).toBe(false);
    expect(rotating({ askedSigner: 'request', certificate: ca('B', 'A', { notAfter: NOW }) }).bridged).toBe(false);
  });
});

describe('the milestone of a bridge', () => {
  const deadline = bridgeDeadline(rotating(REQUESTED).observed, rotating(REQUESTED).rotation);

  test('names the missing signature and its deadline', () => {
    expect(bridgeMilestone({})).toMatchObject({ status: false, reason: 'Requesting' });
    expect(bridgeMilestone(REQUESTED)).toMatchObject({ reason: 'SignatureNeeded', until: deadline });
    expect(bridgeMilestone(REQUESTED, { answers: [answerOf('A')] })).toMatchObject({ reason: 'Answered' });
    expect(bridgeMilestone(REQUESTED, { answers: [answerOf('X')] })).toMatchObject({
      isWrong: true,
      flaw: { cause: 'signed-by-other', place: 'spec' },
      until: deadline,
    });
    expect(bridgeMilestone({ certificate: ca('B', 'A') })).toMatchObject({ status: true, reason: 'Certified' });
  });

  test('reports when an answer becomes valid, and the operator reconciles at that time', () => {
    const [one] = answerOf('A').certificates;
    const answers: GivenAnswer[] = [{ place: 'spec', certificates: one ? [{ ...one, notBefore: NOW + 5 }] : [] }];
    expect(bridgeMilestone(REQUESTED, { answers })).toMatchObject({ flaw: { cause: 'not-yet-valid' }, until: NOW + 5 });
    expect(next(rotating(REQUESTED, { answers }).observed, NOW).again).toBe(NOW + 5);
    expect(actions(REQUESTED, { answers })).toEqual([]);
    expect(actions(REQUESTED, { answers }, {}, NOW + 5)).toEqual([answer]);
  });

  test.each<[string, Partial<AnchorPolicy>]>([
    ['a pause', { paused: true }],
    ['a request for a rollback', { abort: true }],
  ])('does not ask for a signature during %s', (_, change) => {
    const { observed: seen } = rotating(REQUESTED, { policy: { ...BY_REQUEST, ...change }, answers: [answerOf('X')] });
    const plan = next(seen, NOW);
    expect(plan.awaitedSignature).toBeUndefined();
    const milestone = plan.milestones.find(({ type }) => type === 'Bridged');
    expect(milestone).toMatchObject({ status: false, reason: 'Suspended' });
    expect(milestone?.isWrong).toBeUndefined();
  });

  test('reports the missing signature until an answer is valid', () => {
    const awaited = (more: Partial<ObservedTrust> = {}) => {
      const { observed: seen } = rotating(REQUESTED, more);
      return next(seen, NOW).awaitedSignature;
    };
    expect(awaited()).toEqual({ generation: 2, signer: 'A', until: deadline, end: 1_000_000 });
    expect(awaited({ answers: [answerOf('X')] })).toBeDefined();
    expect(awaited({ answers: [answerOf('A')] })).toBeUndefined();
    expect(awaited({ policy: POLICY })).toBeUndefined();
  });
});

describe('when only restarts can finish before the old anchor expires,', () => {
  const { observed: seen, rotation } = rotating(REQUESTED);
  const deadline = bridgeDeadline(seen, rotation) ?? 0;

  test('the operator keeps waiting with awaitsBridge, and the milestone reports it', () => {
    const policy = { ...BY_REQUEST, awaitsBridge: true };
    expect(rotating(REQUESTED, { policy }, {}, deadline).rotation.unbridged).toBeUndefined();
    expect(bridgeMilestone(REQUESTED, { policy }, {}, deadline)).toMatchObject({
      reason: 'SignatureLate',
      isWrong: true,
    });
  });

  test('the operator gives up the bridge at the latest when no anchor could sign any more', () => {
    const last = 900_000 - POLICY.lag - 2 * POLICY.patience;
    for (const policy of [
      { ...BY_REQUEST, awaitsBridge: true },
      { ...BY_REQUEST, abort: true },
    ]) {
      expect(rotating(REQUESTED, { policy }, {}, last - 1).rotation.unbridged).toBeUndefined();
      const late = rotating(REQUESTED, { policy }, {}, last);
      expect(late.rotation.unbridged).toBe(true);
      expect(rotationActions(late)).toContainEqual(apply('self'));
    }
    const external = { policy: { ...BY_REQUEST, awaitsBridge: true }, signer: 'other' as const };
    expect(rotating(REQUESTED, external, {}, last).rotation.unbridged).toBeUndefined();
  });

  test('the operator gives up the bridge at once if it created the old anchor and has lost its key', () => {
    const own = { key: 'A', generation: 1 };
    expect(rotating(REQUESTED, { current: own }).rotation.unbridged).toBe(true);
    expect(rotating(REQUESTED, { current: own }, { committed: true }).rotation.unbridged).toBeUndefined();
    expect(rotating(REQUESTED).rotation.unbridged).toBeUndefined();
  });

  test('the operator does nothing while the rotation is paused', () => {
    const policy = { ...BY_REQUEST, paused: true };
    expect(rotating(REQUESTED, { policy }, {}, 899_999).rotation.unbridged).toBeUndefined();
  });

  test('the operator keeps an existing bridge', () => {
    const made = { askedSigner: 'request', certificate: ca('B', 'A') } as const;
    expect(rotating(made, {}, {}, deadline)).toMatchObject({ way: 'bridge', rotation: { key: 'B' } });
    expect(rotating(made, {}, {}, deadline).rotation.unbridged).toBeUndefined();
  });
});

describe('a bridge that expires before the old anchor', () => {
  const pods = [{ workload: 'shop/Deployment/web', pods: 1, since: 0, hash: 'A', restartable: true }];
  const policy: AnchorPolicy = { ...BY_REQUEST, laggards: 'Report' };
  const end = 500_000;
  const made: Partial<ObservedAnchor> = { askedSigner: 'request', certificate: ca('B', 'I'), above: [ca('I', 'A')] };
  const short = { ...made, above: [ca('I', 'A', { notAfter: end })] };
  const restarts = (to: Partial<ObservedAnchor>, now: number) =>
    rotationActions(rotating(to, { pods, policy }, {}, now)).some((action) => action.do === 'restart-laggards');

  test('causes restarts, before it expires, of pods that do not trust the next anchor', () => {
    const last = end - timeNeeded(rotating(short, { pods, policy }).observed, 'bridge', 1);
    expect(restarts(short, last - 1)).toBe(false);
    expect(restarts(short, last)).toBe(true);
    expect(restarts(made, last)).toBe(false);
  });

  test('limits the slack of the rotation', () => {
    const slack = (to: Partial<ObservedAnchor>) => next(rotating(to, { pods, policy }).observed, NOW).slack ?? 0;
    expect(slack(made) - slack(short)).toBe(900_000 - end);
  });
});

test.each<[string, Partial<ObservedTrust>]>([
  ['an issuer without renewal', {}],
  ['the anchor', { signer: 'other', bundle: { hash: 'A', anchors: [ca('A', 'A', { notAfter: 200_000 })] } }],
])('a rotation begins before the deadline of its bridge if %s expires, however short renewBefore is', (_, more) => {
  const { signer: _signer, ...rest } = observed();
  const issuer = issued('A', { chain: { signer: 'A', notBefore: 0, notAfter: 200_000, bridges: [] } });
  const policy = { ...BY_REQUEST, renewBefore: 1, duration: 300_000 };
  const seen = { ...rest, policy, issuer, anchors: [], memory: memory({ current: { key: 'A' } }), ...more };
  const deadline = bridgeDeadline(seen, { from: 'A', to: 2, began: 0, why: '' }) ?? 0;
  expect(next(seen, NOW).nextRotation).toBe(deadline - 150_000);
});

test('the new anchor signs itself again after a rotation, even if an unknown issuer signed it', () => {
  const retiring = { retiring: true, signing: 0, adopted: 0 };
  const signed = issued('B', { chain: { signer: 'B', notBefore: 0, notAfter: 900_000, bridges: [ca('B', 'A')] } });
  for (const askedSigner of ['request', 'other'] as const) {
    const progress = rotating(
      { askedSigner, certificate: ca('B', 'A') },
      { signer: 2, issuer: signed },
      retiring,
      50_000,
    );
    expect(rotationActions({ ...progress, mayRetire: true })).toEqual([apply('self')]);
  }
});

describe('a next anchor that waits for the signature of the old one', () => {
  const waiting = (old: readonly ObservedAnchor[], to: Partial<ObservedAnchor> = {}) =>
    rotated({ anchors: [...old, anchor(2, { askedSigner: 1, state: 'issuing', certificate: undefined, ...to })] });
  const lost = (asked: ObservedAnchor['askedSigner']) =>
    anchor(1, { askedSigner: asked, state: 'issuing', certificate: undefined, hasIssuer: true });

  test.each<[string, readonly ObservedAnchor[], Partial<ObservedAnchor>]>([
    ['key is lost, and another cluster certifies its replacement', [lost('request')], {}],
    ['key was lost after the creation of the next anchor', [lost('request')], { certificate: ca('B') }],
    ['objects are gone', [], {}],
  ])("signs itself if the old anchor's %s", (_, old, to) => expect(waiting(old, to)).toContainEqual(apply('self')));

  test('keeps waiting while cert-manager is about to sign it', () => {
    expect(waiting([OLD])).not.toContainEqual(apply('self'));
    expect(waiting([lost('self')])).not.toContainEqual(apply('self'));
  });
});
