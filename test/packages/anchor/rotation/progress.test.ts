import type { AnchorMemory, RememberedIssuer, Rotation } from '#anchor/memory';
import type { ObservedTrust, PodGroup } from '#anchor/observed';
import type { Milestone, Phase } from '#anchor/plan';
import { milestonesOf, type Progress, phaseOf, progressOf } from '#anchor/rotation/progress';
import { leavesTurnedBy, settledBy, spreadBy, takenUpBy } from '#anchor/times';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from '../fixture';
import { BRIDGED, facts, LOST, OLD, pod, SHORT, shared, TURNED } from './rotation-fixture';

const SIGNED = { signer: 2, issuer: issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 }) };
const SEEN: RememberedIssuer = { revision: 2, signer: 'B', notAfter: 100_000, since: 4000, seen: NOW - 9 };
const TAKEN: RememberedIssuer = { ...SEEN, takenUp: NOW - 5 };
const STEADY: RememberedIssuer = { ...TAKEN, steady: NOW - 3 };
const POD: PodGroup = { workload: 'a/Deployment/b', pods: 3, since: 0, hash: 'A', restartable: true };
const ABORT = { policy: { ...POLICY, abort: true } };

/** A rotation whose new anchor is made and announced. */
function progress(
  more: Partial<ObservedTrust> = {},
  change: Partial<Rotation> = {},
  issuer: RememberedIssuer = SEEN,
): Progress {
  const rotation: Rotation = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, adopted: 0, ...change };
  const bundles = [
    { hash: 'A', keys: ['A'], since: 0 },
    { hash: 'AB', keys: ['A', 'B'], since: 100 },
  ];
  const before: AnchorMemory = { ...memory(), bundles, issuer, rotation };
  const seen = observed({
    memory: before,
    anchors: [OLD, anchor(2)],
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    ...more,
  });
  return progressOf({ observed: seen, memory: before, rotation, now: NOW });
}

/** The rotation without the new anchor in the bundle. */
function unannounced(more: Partial<ObservedTrust> = {}): Progress {
  return progress({ bundle: bundleOf('A'), ...more }, { announced: undefined, adopted: undefined });
}

/** Each as its reason, with a plus where it is passed. */
function reasons(milestones: readonly Milestone[]): string {
  return milestones.map(({ status, reason }) => `${status ? '+' : ''}${reason}`).join(' ');
}

const bridged = { anchors: [OLD, BRIDGED] };
const signed = { ...bridged, ...SIGNED };

describe('a rotation', () => {
  test.each<[string, Progress, Phase, string]>([
    [
      'that begins',
      unannounced({ anchors: [OLD, LOST] }),
      'Stable',
      'Issuing Spreading Certifying NotSigned Living Laggards Needed',
    ],
    ['whose anchor is made', unannounced(), 'Minted', '+Issued Spreading Certifying NotSigned Living Laggards Needed'],
    [
      'whose anchor is in the bundle, and made again',
      progress({ anchors: [OLD, anchor(2, { state: 'issuing' })] }, { announced: NOW }),
      'Stable',
      '+Issued Spreading Certifying NotSigned Living Laggards Needed',
    ],
    ['that has spread', progress(), 'Announced', '+Issued +InBundle Certifying NotSigned Living +AllKnow Needed'],
    [
      'with pods that do not know it',
      progress({ pods: [POD] }),
      'Announced',
      '+Issued +InBundle Certifying NotSigned Living Laggards Needed',
    ],
    [
      'that goes the long way',
      progress({ anchors: [SHORT, anchor(2)], pods: [POD] }),
      'Announced',
      '+Issued +InBundle LongWay NotSigned Living Laggards Needed',
    ],
    ['with a bridge', progress(bridged), 'Bridged', '+Issued +InBundle +Certified NotSigned Living +AllKnow Needed'],
    ['that signed', progress(signed), 'Bridged', '+Issued +InBundle +Certified Signed Living +AllKnow Needed'],
    [
      'that identity has taken up',
      progress(signed, {}, TAKEN),
      'Signing',
      '+Issued +InBundle +Certified +TakenUp Living +AllKnow Needed',
    ],
    [
      'that is steady, with an issuer that is not taken up',
      progress(signed, {}, { ...SEEN, steady: NOW - 3 }),
      'Signing',
      '+Issued +InBundle +Certified Signed Living +AllKnow Needed',
    ],
    [
      'whose leaves have turned',
      progress({ ...signed, pods: [POD] }, { signing: TURNED }, STEADY),
      'LeavesTurned',
      '+Issued +InBundle +Certified +TakenUp +Expired Laggards Needed',
    ],
    [
      'that all know besides',
      progress({ ...signed, unseen: ['Link mc/east'] }, { signing: TURNED }, STEADY),
      'Adopted',
      '+Issued +InBundle +Certified +TakenUp +Expired +AllKnow UnseenProxies',
    ],
    [
      'whose old anchor goes, without the bridge of before',
      progress({ ...SIGNED, unseen: ['Link mc/east'] }, { signing: TURNED, retiring: true }, STEADY),
      'Adopted',
      '+Issued +InBundle +Certified +TakenUp +Expired +AllKnow Removing',
    ],
    [
      'whose old anchor goes as the new one’s key is lost',
      progress({ anchors: [OLD, LOST] }, { retiring: true }),
      'Adopted',
      '+Issued Spreading +Certified NotSigned Living Laggards Removing',
    ],
    [
      'that is taken back',
      progress(ABORT),
      'Aborting',
      'Returning +Issued +InBundle Certifying NotSigned Living +AllKnow Needed',
    ],
    [
      'that has been taken back',
      progress({ ...ABORT, issuer: issued('A') }, { aborting: true, returned: TURNED }, { ...SEEN, steady: 0 }),
      'Aborting',
      'Removing +Issued +InBundle Certifying NotSigned Living +AllKnow Needed',
    ],
    [
      'to a first anchor',
      progress({ anchors: [LOST], bundle: undefined, issuer: { state: 'missing' } }, { from: undefined, to: 2 }),
      'Pending',
      'Issuing NotSigned',
    ],
    [
      'to a first anchor that is made',
      progress({ anchors: [anchor(2)], bundle: bundleOf('B'), issuer: { state: 'missing' } }, { from: undefined }),
      'Pending',
      '+Issued NotSigned',
    ],
    [
      'to a first anchor that signed',
      progress({ anchors: [anchor(2)], bundle: bundleOf('B'), ...SIGNED }, { from: undefined }),
      'Pending',
      '+Issued +Signed',
    ],
  ])('%s reports its phase', (_, facts, phase, listed) => {
    const milestones = milestonesOf(facts);
    expect([phaseOf(facts), reasons(milestones)]).toEqual([phase, listed]);
    const going = ['Announced', 'Bridged', 'Signing', 'LeavesTurned', 'Adopted', 'Retired'];
    expect(milestones.map(({ type }) => type)).toEqual([
      ...(facts.rotation.aborting ? ['Returned'] : []),
      'Minted',
      ...(facts.isFirst ? ['Signing'] : going),
    ]);
  });
});

describe('a rotation without a bridge waits for proxies that the operator cannot see', () => {
  const long = { anchors: [SHORT, anchor(2)], unseen: ['Link mc/east'] };
  const call = issued('A', { chain: { ...chain('A'), notAfter: NOW + 1 } });

  test.each<[string, Progress, string]>([
    ['when all pods know the new anchor', progress(long), 'UnseenProxies'],
    ['but not without them', progress({ ...long, unseen: [], policy: { ...POLICY, members: ['x'] } }), 'NotSigned'],
    ['nor over a bridge', progress({ unseen: long.unseen }), 'NotSigned'],
    ['nor before pods know it', progress({ ...long, pods: [POD] }), 'NotSigned'],
    ['nor once it signed', progress({ ...long, ...SIGNED }), 'Signed'],
    ['nor at the last call', progress({ ...long, anchors: [anchor(2)], signer: undefined, issuer: call }), 'NotSigned'],
  ])('%s', (_, facts, reason) => {
    expect(milestonesOf(facts)).toContainEqual(expect.objectContaining({ type: 'Signing', reason }));
  });
});

describe('a milestone says until when it waits', () => {
  const until = (facts: Progress) =>
    Object.fromEntries(milestonesOf(facts).flatMap((one) => ('until' in one ? [[one.type, one.until]] : [])));

  test.each<[string, Progress, Record<string, number>]>([
    ['nothing, before anything has begun', unannounced(), {}],
    ['nothing, before it signs', progress(bridged), {}],
    ['the bundle', progress({}, { announced: NOW }), { Announced: spreadBy(NOW, POLICY) }],
    ['identity', progress(signed), { Signing: takenUpBy(SEEN.seen, POLICY) }],
    [
      'leaves, from when no identity pod can start with the earlier issuer',
      progress(signed, {}, TAKEN),
      { LeavesTurned: leavesTurnedBy(settledBy(TAKEN.seen, POLICY), POLICY) },
    ],
    [
      'leaves, from when identity was steady',
      progress(signed, { signing: NOW - 50 }, STEADY),
      { LeavesTurned: leavesTurnedBy(NOW - 50, POLICY) },
    ],
  ])('%s', (_, facts, times) => expect(until(facts)).toEqual(times));
});

describe('the message of a milestone', () => {
  const text = (name: string, facts: Progress) => milestonesOf(facts).find(({ type }) => type === name)?.message;

  test('says which generation cert-manager creates, and why', () => {
    expect(text('Minted', progress())).toBe('cert-manager issued generation 2, because test');
    const begins = unannounced({ anchors: [OLD, LOST] });
    expect(text('Minted', begins)).toBe('waiting for cert-manager to issue generation 2, because test');
  });
});

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

test('the status names three proxies whose roots the operator cannot see, and counts the rest', () => {
  const text = (count: number) => milestonesOf(progress({ unseen: names(count) })).at(-1)?.message;
  expect(text(1)).toContain('the proxies of n0 know. Give them the roots of ConfigMap');
  expect(text(3)).toContain('n0, n1, n2 know.');
  expect(text(5)).toContain('n0, n1, n2 and 2 more know.');
});

test.each<[string, keyof Progress, Parameters<typeof facts>]>([
  ['announced', 'announced', [{}, { announced: NOW }]],
  ['bridged', 'maySign', [{ anchors: [OLD, anchor(2)] }]],
  ['adopted-first', 'maySign', [{ anchors: [SHORT, anchor(2)], pods: [pod()] }]],
  ['taken-up', 'signing', [{}, {}, { issuer: undefined }]],
  ['leaves-turned', 'leavesTurned', [{}, { signing: NOW }]],
  ['adopted', 'adopted', [{ pods: [pod()] }]],
  ['settled', 'adopted', [{}, { adopted: NOW }]],
  ['signer-moved', 'mayCommit', [{ signer: 1 }]],
  ['members-adopted', 'mayRetire', [shared('east')]],
  [
    'committed',
    'hasWayBack',
    [{ policy: { ...POLICY, members: ['east'], abort: true } }, { committed: true, signing: NOW }],
  ],
  ['returned', 'hasReturned', [{ policy: { ...POLICY, abort: true }, issuer: issued('A') }, { aborting: true }]],
])('a false condition "%s" prevents the milestones that depend on it', (_, fact, [more, change, remembered]) => {
  expect(facts(more, change, remembered)[fact]).toBe(false);
});
