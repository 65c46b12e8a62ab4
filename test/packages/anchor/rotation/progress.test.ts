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

/** A rotation whose new anchor is issued and announced. */
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

/** The rotation before the new anchor is in the bundle. */
function unannounced(more: Partial<ObservedTrust> = {}): Progress {
  return progress({ bundle: bundleOf('A'), ...more }, { announced: undefined, adopted: undefined });
}

/** The reasons of the milestones, with a plus for each passed one. */
function reasons(milestones: readonly Milestone[]): string {
  return milestones.map(({ status, reason }) => `${status ? '+' : ''}${reason}`).join(' ');
}

const bridged = { anchors: [OLD, BRIDGED] };
const signed = { ...bridged, ...SIGNED };

describe('a rotation', () => {
  test.each<[string, Progress, Phase, string]>([
    [
      'begins',
      unannounced({ anchors: [OLD, LOST] }),
      'Stable',
      'Issuing Spreading Certifying NotSigned Living Laggards Needed',
    ],
    ['has issued its anchor', unannounced(), 'Minted', '+Issued Spreading Certifying NotSigned Living Laggards Needed'],
    [
      'issues again an anchor in the bundle',
      progress({ anchors: [OLD, anchor(2, { state: 'issuing' })] }, { announced: NOW }),
      'Stable',
      '+Issued Spreading Certifying NotSigned Living Laggards Needed',
    ],
    ['has spread its bundle', progress(), 'Announced', '+Issued +InBundle Certifying NotSigned Living +AllKnow Needed'],
    [
      'has pods without its anchor',
      progress({ pods: [POD] }),
      'Announced',
      '+Issued +InBundle Certifying NotSigned Living Laggards Needed',
    ],
    [
      'has no bridge',
      progress({ anchors: [SHORT, anchor(2)], pods: [POD] }),
      'Announced',
      '+Issued +InBundle LongWay NotSigned Living Laggards Needed',
    ],
    ['has a bridge', progress(bridged), 'Bridged', '+Issued +InBundle +Certified NotSigned Living +AllKnow Needed'],
    ['has signed', progress(signed), 'Bridged', '+Issued +InBundle +Certified Signed Living +AllKnow Needed'],
    [
      'has an issuer that identity uses',
      progress(signed, {}, TAKEN),
      'Signing',
      '+Issued +InBundle +Certified +TakenUp Living +AllKnow Needed',
    ],
    [
      'was steady, but has an issuer that identity does not use',
      progress(signed, {}, { ...SEEN, steady: NOW - 3 }),
      'Signing',
      '+Issued +InBundle +Certified Signed Living +AllKnow Needed',
    ],
    [
      'has only new leaves',
      progress({ ...signed, pods: [POD] }, { signing: TURNED }, STEADY),
      'LeavesTurned',
      '+Issued +InBundle +Certified +TakenUp +Expired Laggards Needed',
    ],
    [
      'has only new leaves and pods with its anchor',
      progress({ ...signed, unseen: ['Link mc/east'] }, { signing: TURNED }, STEADY),
      'Adopted',
      '+Issued +InBundle +Certified +TakenUp +Expired +AllKnow UnseenProxies',
    ],
    [
      'retires its old anchor after the bridge',
      progress({ ...SIGNED, unseen: ['Link mc/east'] }, { signing: TURNED, retiring: true }, STEADY),
      'Adopted',
      '+Issued +InBundle +Certified +TakenUp +Expired +AllKnow Removing',
    ],
    [
      'retires its old anchor when the new key is lost',
      progress({ anchors: [OLD, LOST] }, { retiring: true }),
      'Adopted',
      '+Issued Spreading +Certified NotSigned Living Laggards Removing',
    ],
    [
      'is being aborted',
      progress(ABORT),
      'Aborting',
      'Returning +Issued +InBundle Certifying NotSigned Living +AllKnow Needed',
    ],
    [
      'has been aborted',
      progress({ ...ABORT, issuer: issued('A') }, { aborting: true, returned: TURNED }, { ...SEEN, steady: 0 }),
      'Aborting',
      'Removing +Issued +InBundle Certifying NotSigned Living +AllKnow Needed',
    ],
    [
      'creates a first anchor',
      progress({ anchors: [LOST], bundle: undefined, issuer: { state: 'missing' } }, { from: undefined, to: 2 }),
      'Pending',
      'Issuing NotSigned',
    ],
    [
      'has issued a first anchor',
      progress({ anchors: [anchor(2)], bundle: bundleOf('B'), issuer: { state: 'missing' } }, { from: undefined }),
      'Pending',
      '+Issued NotSigned',
    ],
    [
      'has signed with a first anchor',
      progress({ anchors: [anchor(2)], bundle: bundleOf('B'), ...SIGNED }, { from: undefined }),
      'Pending',
      '+Issued +Signed',
    ],
  ])('that %s reports its phase and milestones', (_, facts, phase, listed) => {
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

describe('whether the milestone Signing waits for unseen proxies:', () => {
  const long = { anchors: [SHORT, anchor(2)], unseen: ['Link mc/east'] };
  const call = issued('A', { chain: { ...chain('A'), notAfter: NOW + 1 } });

  test.each<[string, Progress, string]>([
    ['true if all pods trust the new anchor without a bridge', progress(long), 'UnseenProxies'],
    [
      'false without unseen proxies',
      progress({ ...long, unseen: [], policy: { ...POLICY, members: ['x'] } }),
      'NotSigned',
    ],
    ['false over a bridge', progress({ unseen: long.unseen }), 'NotSigned'],
    ['false before pods trust the new anchor', progress({ ...long, pods: [POD] }), 'NotSigned'],
    ['false once the new anchor has signed', progress({ ...long, ...SIGNED }), 'Signed'],
    [
      'false at the last moment to sign',
      progress({ ...long, anchors: [anchor(2)], signer: undefined, issuer: call }),
      'NotSigned',
    ],
  ])('%s', (_, facts, reason) => {
    expect(milestonesOf(facts)).toContainEqual(expect.objectContaining({ type: 'Signing', reason }));
  });
});

describe('a milestone reports the end of its wait for', () => {
  const until = (facts: Progress) =>
    Object.fromEntries(milestonesOf(facts).flatMap((one) => ('until' in one ? [[one.type, one.until]] : [])));

  test.each<[string, Progress, Record<string, number>]>([
    ['nothing, at the beginning', unannounced(), {}],
    ['nothing, before the new anchor signs', progress(bridged), {}],
    ['the bundle', progress({}, { announced: NOW }), { Announced: spreadBy(NOW, POLICY) }],
    ['identity', progress(signed), { Signing: takenUpBy(SEEN.seen, POLICY) }],
    [
      'leaves, since no identity pod can start with the earlier issuer',
      progress(signed, {}, TAKEN),
      { LeavesTurned: leavesTurnedBy(settledBy(TAKEN.seen, POLICY), POLICY) },
    ],
    [
      'leaves, since identity was steady',
      progress(signed, { signing: NOW - 50 }, STEADY),
      { LeavesTurned: leavesTurnedBy(NOW - 50, POLICY) },
    ],
  ])('%s', (_, facts, times) => expect(until(facts)).toEqual(times));
});

describe('the message of a milestone', () => {
  const text = (name: string, facts: Progress) => milestonesOf(facts).find(({ type }) => type === name)?.message;

  test('names the generation that cert-manager creates, and the reason', () => {
    expect(text('Minted', progress())).toBe('cert-manager issued generation 2, because test');
    const begins = unannounced({ anchors: [OLD, LOST] });
    expect(text('Minted', begins)).toBe('waiting for cert-manager to issue generation 2, because test');
  });
});

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

test('the status names three proxies whose roots the operator cannot see, and counts the rest', () => {
  const text = (count: number) => milestonesOf(progress({ unseen: names(count) })).at(-1)?.message;
  expect(text(1)).toContain('the proxies of n0 trust. Give them the roots of ConfigMap');
  expect(text(3)).toContain('n0, n1, n2 trust.');
  expect(text(5)).toContain('n0, n1, n2 and 2 more trust.');
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
