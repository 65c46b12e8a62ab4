import { neededKeys } from '../../../../operator/api/anchor/adopted';
import { ALL_GUARDS, type Guard } from '../../../../operator/api/anchor/guards';
import type { AnchorMemory, Rotation } from '../../../../operator/api/anchor/memory';
import type { ObservedTrust, PodGroup } from '../../../../operator/api/anchor/observed';
import { type Progress, progressOf } from '../../../../operator/api/anchor/progress';
import { leadsTo } from '../../../../operator/api/anchor/signing';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const TURNED = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;
const SPREAD = NOW - POLICY.lag - POLICY.skew - POLICY.grain;
const OLD = anchor(1, { hasIssuer: true });
const BRIDGED = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });
const LOST = anchor(2, { state: 'issuing', certificate: undefined });
/** An anchor that may not certify others. */
const SHORT = anchor(1, { certificate: ca('A', 'A', { pathLength: 0 }) });
const SIGNED = issued('B', { chain: chain('B', [ca('B', 'A')]), revision: 2 });
const BARE = issued('B', { revision: 2 });
const TAKEN = { revision: 2, signer: 'B', notAfter: 100_000, since: 100, seen: 100, takenUp: 100, steady: TURNED };
const BUNDLES = [
  { hash: 'A', keys: ['A'], since: 0 },
  { hash: 'AB', keys: ['A', 'B'], since: 100 },
];

const pod = (more: Partial<PodGroup> = {}): PodGroup => ({
  workload: 'a/Deployment/b',
  pods: 1,
  since: 0,
  hash: 'A',
  restartable: true,
  ...more,
});

/** A rotation that has done all before the old anchor goes: of what there is by then, something is changed. */
function facts(
  more: Partial<ObservedTrust> = {},
  change: Partial<Rotation> = {},
  remembered: Partial<AnchorMemory> = {},
  guards: ReadonlySet<Guard> = ALL_GUARDS,
): Progress {
  const began = { from: 'A', to: 2, key: 'B', began: 0, why: 'test', announced: 0, adopted: 0, signing: TURNED };
  const rotation: Rotation = { ...began, ...change };
  const before: AnchorMemory = { ...memory(), bundles: BUNDLES, issuer: TAKEN, rotation, ...remembered };
  const seen = observed({
    memory: before,
    anchors: [OLD, BRIDGED],
    signer: 2,
    issuer: SIGNED,
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    ...more,
  });
  return progressOf({ observed: seen, memory: before, rotation, now: NOW, guards });
}

/** The same before the new anchor signs. */
function unsigned(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}): Progress {
  const before = { ...memory(), bundles: BUNDLES };
  return facts({ signer: 1, issuer: issued('A'), ...more }, { signing: undefined, ...change }, before);
}

/** The first anchor of a mesh that begins. */
function first(more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}): Progress {
  const begins = { anchors: [anchor(2)], bundle: bundleOf('B'), identity: [], kept: [], issuer: BARE };
  return facts({ ...begins, ...more }, { from: undefined, ...change });
}

const shared = (...names: string[]) => ({ policy: { ...POLICY, members: names } });
const member = (name: string, adopted: readonly string[], signing: readonly string[] = ['B']) => ({
  name,
  signing,
  adopted,
});

describe('the old anchor may go', () => {
  test('when all that is waited for has come', () => {
    expect(facts()).toMatchObject({ mayCommit: true, mayRetire: true, takenUp: true, adopted: true });
    expect(facts({ ...shared('east'), members: [member('east', ['B'])] }).mayRetire).toBe(true);
  });

  test.each<[string, Progress]>([
    ['the old one may sign again', facts({ signer: 1 })],
    ['something is being signed', facts({ issuer: { ...SIGNED, state: 'issuing' } })],
    ['the new one is being made', facts({ anchors: [OLD, { ...BRIDGED, state: 'issuing' }] })],
    ['the new one’s key is not known', facts({ anchors: [OLD, { ...LOST, state: 'issued' }] })],
    ['the old one signed', facts({ issuer: issued('A') })],
    ['what it signed lives', facts({}, { signing: TURNED + 1 })],
    ['the issuer’s Certificate is missing', facts({ issuer: { ...SIGNED, state: 'missing' } })],
    ['the issuer lacks the bridge', facts({ issuer: BARE })],
    ['a pod knows no other', facts({ pods: [pod()] })],
    ['the bundle has lost the new one', facts({ bundle: bundleOf('A') })],
    ['the last laggard has just gone', facts({}, { adopted: NOW - POLICY.lag + 1 })],
    ['the bundle may still spread', facts({}, { announced: SPREAD + 1 })],
    ['another cluster’s pods know no other', facts({ ...shared('east'), members: [member('east', ['A'])] })],
    [
      'one of several clusters’ pods know no other',
      facts({ ...shared('west', 'east'), members: [member('west', ['B']), member('east', ['A'])] }),
    ],
    ['another cluster signs with it', facts({ ...shared('east'), members: [member('east', ['B'], ['A'])] })],
    ['another cluster is away', facts({ ...shared('east') })],
  ])('but not while %s', (_, { mayRetire }) => {
    expect(mayRetire).toBe(false);
  });

  test('whatever clusters say that do not share it', () => {
    const members = [member('strange', ['A'], ['A', 'S'])];
    expect(facts({ members }).mayRetire).toBe(true);
    expect(neededKeys(observed({ members }), 'B')).toEqual(['B']);
    expect(facts({ ...shared('east'), members: [...members, member('east', ['B'])] }).mayRetire).toBe(true);
  });

  test('when what was waited for is over, to the moment', () => {
    expect(facts({}, { announced: SPREAD, adopted: NOW - POLICY.lag }).mayRetire).toBe(true);
  });

  test('also when identity is not known to have taken up the present issuer, if it is steady since then', () => {
    const { takenUp: _, ...steady } = TAKEN;
    expect(facts({}, {}, { issuer: steady })).toMatchObject({ mayRetire: true, takenUp: false });
    const { steady: __, ...unsteady } = TAKEN;
    expect(facts({}, {}, { issuer: unsteady })).toMatchObject({ mayRetire: false, takenUp: true, signing: false });
  });
});

test.each<[Guard, keyof Progress, Parameters<typeof facts>]>([
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
])('nothing but the condition "%s" withholds what depends on it', (guard, fact, [more, change, remembered]) => {
  const without = new Set([...ALL_GUARDS].filter((one) => one !== guard));
  expect(facts(more, change, remembered)[fact]).toBe(false);
  expect(facts(more, change, remembered, without)[fact]).toBe(true);
});

test('no leaves have turned of what does not sign, whatever the conditions', () => {
  const without = new Set([...ALL_GUARDS].filter((one) => one !== 'leaves-turned'));
  expect(facts({ issuer: issued('A') }, {}, {}, without)).toMatchObject({ signing: false, leavesTurned: false });
});

describe('the new anchor may sign', () => {
  const short = { anchors: [SHORT, anchor(2)] };

  test('over a bridge as soon as it is certified and announced, whoever lags', () => {
    expect(unsigned({ pods: [pod()] }).maySign).toBe(true);
    expect(unsigned({}, { announced: SPREAD + 1 }).maySign).toBe(false);
    expect(unsigned({ anchors: [OLD, { ...BRIDGED, state: 'issuing' }] }).maySign).toBe(false);
    const strange = { ...BRIDGED, certificate: ca('B', 'X') };
    expect(unsigned({ anchors: [OLD, strange] })).toMatchObject({ bridged: false, maySign: false });
    expect(unsigned({ anchors: [BRIDGED] })).toMatchObject({ way: 'bridge', maySign: true });
    const certified = { hash: 'AB', anchors: [ca('A'), ca('B', 'A')] };
    expect(unsigned({ bundle: certified }).maySign).toBe(true);
  });

  test('the long way when all pods know it, here and elsewhere', () => {
    expect(unsigned(short)).toMatchObject({ way: 'restarts', maySign: true });
    expect(unsigned({ ...short, pods: [pod()] }).maySign).toBe(false);
    expect(unsigned(short, { adopted: NOW }).maySign).toBe(false);
    expect(unsigned({ ...short, ...shared('east') }).maySign).toBe(false);
    expect(unsigned({ ...short, unseen: ['Link mc/east'] }).maySign).toBe(false);
  });

  test('when it stands for itself again, as the old one goes', () => {
    expect(unsigned({ anchors: [OLD, anchor(2)] }).maySign).toBe(false);
    expect(unsigned({ anchors: [OLD, anchor(2)] }, { retiring: true }).maySign).toBe(true);
  });

  test('at the last call of what nobody can renew, if the bundle holds it', () => {
    const call = { ...chain('A'), notAfter: NOW + POLICY.lag + POLICY.patience };
    const held = { ...short, signer: undefined, pods: [pod()], issuer: issued('A', { chain: call }) };
    expect(unsigned(held)).toMatchObject({ lastCall: true, maySign: true });
    const later = issued('A', { chain: { ...call, notAfter: call.notAfter + 1 } });
    expect(unsigned({ ...held, issuer: later })).toMatchObject({ lastCall: false, maySign: false });
    expect(unsigned({ ...held, signer: 1 }).lastCall).toBe(false);
    expect(unsigned({ ...held, issuer: { state: 'issuing' } }).lastCall).toBe(false);
    expect(unsigned({ ...held, issuer: issued('X', { chain: { ...call, signer: 'X' } }) }).lastCall).toBe(false);
    expect(unsigned(held, { announced: undefined }).lastCall).toBe(false);
  });
});

describe('it signs', () => {
  test('without a bridge where there is none to be had, or none needed any more', () => {
    expect(facts({ anchors: [SHORT, anchor(2)], issuer: BARE })).toMatchObject({ signing: true, takenUp: true });
    expect(facts({ issuer: BARE })).toMatchObject({ signed: true, signing: false, takenUp: false });
    expect(facts({ issuer: BARE }, { retiring: true })).toMatchObject({ signing: true, takenUp: true });
  });

  test('since identity is steady with it, which is remembered', () => {
    expect(facts({}, { signing: undefined }).rotation.signing).toBe(TURNED);
    expect(facts({}, { signing: 7 }).rotation.signing).toBe(7);
    expect(facts({ issuer: issued('A') }, { signing: 7 }).rotation).not.toHaveProperty('signing');
  });

  test('not where neither its key nor the issuer is known', () => {
    const nothing = facts({ anchors: [OLD, LOST], issuer: { state: 'issuing' }, pods: [pod()] });
    expect(nothing).toMatchObject({ signed: false, minted: false, laggards: { pods: 0 } });
    expect(facts({ anchors: [OLD, { ...LOST, state: 'issued' }] })).toMatchObject({ signed: false, minted: false });
    expect(facts({ issuer: { ...SIGNED, state: 'missing' } })).toMatchObject({ signed: false, minted: true });
  });

  test('for whoever knows the old one, by the clock of whoever looks', () => {
    const ahead = issued('B', { chain: { ...chain('B', [ca('B', 'A')]), notBefore: NOW + 1 } });
    const seen = observed({ issuer: ahead });
    expect(leadsTo(seen, 'A', NOW)).toBe(true);
    expect(leadsTo(observed({ issuer: SIGNED }), 'A', NOW)).toBe(true);
    expect(leadsTo(seen, undefined, NOW)).toBe(false);
    expect(leadsTo(observed({ issuer: { state: 'issued' } }), 'A', NOW)).toBe(false);
  });
});

describe('a first anchor', () => {
  test('takes nobody along', () => {
    expect(first()).toMatchObject({ isFirst: true, maySign: true, adopted: true, laggards: { pods: 0 } });
    expect(first({ bundle: undefined }, { announced: undefined })).toMatchObject({ isFirst: true, adopted: true });
    expect(first({ anchors: [{ ...anchor(2), state: 'issuing' }] }).maySign).toBe(false);
  });

  test('is that, though the control plane’s own started before any bundle', () => {
    const pods = [pod({ hash: undefined })];
    expect(first({ pods })).toMatchObject({ isFirst: true, laggards: { pods: 0 } });
  });

  test('is none where others live by another one', () => {
    expect(first({ bundle: bundleOf('B', 'X') }).isFirst).toBe(false);
    expect(first({ pods: [pod({ hash: 'X', since: 4000 })] }).isFirst).toBe(false);
    const members = [{ ...member('east', ['A']), roots: ['A'] }];
    const joined = { bundle: bundleOf('A', 'B'), members };
    expect(first(joined).isFirst).toBe(true);
    const certified = ca('B', 'A');
    const bundle = { hash: 'B', anchors: [certified] };
    expect(first({ anchors: [anchor(2, { certificate: certified })], bundle }).isFirst).toBe(true);
    const alive = { ...joined, identity: [{ name: 'identity-0', since: 0 }] };
    expect(first(alive).isFirst).toBe(true);
    expect(first({ ...alive, issuer: { state: 'issuing' } }).isFirst).toBe(false);
    const unmade = { anchors: [LOST], issuer: { state: 'issuing' as const }, bundle: bundleOf('A') };
    expect(first({ ...alive, ...unmade }).isFirst).toBe(false);
  });
});

describe('the key of the new anchor', () => {
  const other = anchor(2, { certificate: ca('C') });

  test('that is lost is remembered, with all that was seen of it', () => {
    expect(facts({ anchors: [OLD, LOST] }, { retiring: true }).rotation).toMatchObject({ key: 'B', retiring: true });
  });

  test('that was never seen before is no other one', () => {
    const aborted = facts({}, { key: undefined, aborting: true, withdrawing: true });
    expect(aborted.rotation).toMatchObject({ key: 'B', withdrawing: true });
  });

  test('that is another one is to replace what the mesh lives by', () => {
    const from = (anchors: ObservedTrust['anchors'], change: Partial<Rotation>) =>
      facts({ anchors }, change).rotation.from;
    expect(from([OLD, other], {})).toBe('A');
    expect(from([OLD, other], { retiring: true })).toBe('A');
    expect(from([other], {})).toBe('A');
    expect(from([other], { retiring: true })).toBe('B');
    expect(from([OLD, other], { committed: true })).toBe('B');
  });
});

describe('a rotation is taken back', () => {
  const abort = { policy: { ...POLICY, abort: true } };
  const back = { ...abort, signer: 1, issuer: issued('A') };

  test('where the old anchor can sign, or whoever signed so far does', () => {
    expect(facts(abort)).toMatchObject({ hasWayBack: true, held: false, rotation: { aborting: true } });
    const elsewhere = { ...abort, anchors: [BRIDGED], signer: 'other' as const };
    expect(facts(elsewhere)).toMatchObject({ hasWayBack: false, held: true });
    expect(facts({ ...elsewhere, issuer: issued('A') })).toMatchObject({ hasWayBack: true, held: false });
    expect(facts({ ...elsewhere, issuer: issued('A'), signer: undefined })).toMatchObject({ held: true });
    expect(facts({ ...abort, anchors: [OLD, anchor(0, { certificate: ca('B') })] }, { to: 0 }).hasWayBack).toBe(false);
    const adopted = anchor(0, { certificate: ca('A') });
    expect(facts({ ...abort, anchors: [adopted, { ...BRIDGED, generation: 1 }] }, { to: 1 }).hasWayBack).toBe(true);
  });

  test('until nothing of the new one lives', () => {
    const returned = (more: Partial<ObservedTrust>, change: Partial<Rotation>) =>
      facts({ ...back, ...more }, { aborting: true, ...change }).hasReturned;
    expect(returned({}, { returned: TURNED })).toBe(true);
    expect(returned({}, { returned: TURNED + 1 })).toBe(false);
    expect(returned({ issuer: SIGNED }, { returned: TURNED })).toBe(false);
    // The new one signed again in between, and nobody saw what came and went.
    const { steady: _, ...unsteady } = TAKEN;
    const again = facts(back, { aborting: true, returned: TURNED }, { issuer: unsteady });
    expect(again.hasReturned).toBe(false);
    expect(again.rotation).not.toHaveProperty('returned');
    const elsewhere = { anchors: [BRIDGED], signer: 'other' as const };
    expect(returned(elsewhere, { signing: undefined })).toBe(true);
    expect(returned(elsewhere, {})).toBe(false);
    expect(returned({}, { signing: undefined })).toBe(false);
    expect(unsigned({ ...back, policy: POLICY }, { returned: TURNED }).hasReturned).toBe(false);
    const other = [OLD, anchor(2, { certificate: ca('C') })];
    expect(returned({ anchors: other }, { returned: TURNED })).toBe(false);
  });

  test('which counts from when identity is steady with the old one', () => {
    const steady = { issuer: { ...TAKEN, signer: 'A' } };
    const returned = (more: Partial<ObservedTrust>, remembered: Partial<AnchorMemory> = steady) =>
      facts({ ...back, ...more }, {}, remembered).rotation.returned;
    expect(returned({})).toBe(NOW);
    expect(returned({ issuer: SIGNED })).toBeUndefined();
    expect(returned({}, { issuer: undefined })).toBeUndefined();
    expect(returned({}, { issuer: { ...steady.issuer, steady: undefined } })).toBeUndefined();
    expect(returned({ policy: POLICY })).toBeUndefined();
  });
});

describe('it is remembered', () => {
  test('since when the bundle has held the new anchor, and all pods have known it', () => {
    expect(facts({}, { announced: undefined, adopted: undefined }).rotation).toMatchObject({ announced: NOW });
    expect(facts({}, { adopted: undefined }).rotation.adopted).toBe(NOW);
    expect(facts({}, { announced: NOW }).rotation).not.toHaveProperty('adopted');
    expect(facts({ pods: [pod()] }).rotation).not.toHaveProperty('adopted');
  });

  test('since when nobody has had the old one’s key, once it goes', () => {
    const dropped = (anchors: ObservedTrust['anchors'], retiring: boolean) =>
      facts({ anchors }, { retiring }).rotation.dropped;
    const policy = { ...POLICY, paused: true };
    expect(dropped([BRIDGED], true)).toBe(NOW);
    expect(dropped([OLD, BRIDGED], true)).toBeUndefined();
    expect(facts({ anchors: [BRIDGED], policy }).rotation.dropped).toBeUndefined();
  });

  test('that others go by it, where there are others', () => {
    expect(facts().rotation).not.toHaveProperty('committed');
    expect(facts(shared('east')).rotation).toMatchObject({ committed: true });
  });
});
