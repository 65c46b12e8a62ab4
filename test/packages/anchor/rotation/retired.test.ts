import type { Rotation } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import { neededKeys } from '#anchor/rotation/adopted';
import type { Progress } from '#anchor/rotation/progress';
import { anchor, bundleOf, ca, issued, NOW, observed, POLICY } from '../fixture';
import {
  actions,
  BARE,
  BRIDGED,
  facts,
  LOST,
  member,
  OLD,
  POD,
  pod,
  SIGNED,
  SPREAD,
  shared,
  TAKEN,
  TURNED,
} from './rotation-fixture';

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

describe('the old anchor goes', () => {
  const hold = { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true };
  const retiring = (more: Partial<ObservedTrust>, change: Partial<Rotation> = {}) =>
    actions(
      { anchors: [OLD, anchor(2)], signer: 2, issuer: SIGNED, ...more },
      { retiring: true, signing: TURNED, dropped: 0, ...change },
    );
  const drop = { do: 'delete-anchor', generation: 1 };

  test('when the new one stands for itself', () => {
    expect(retiring({})).toEqual([drop]);
    expect(retiring({ anchors: [OLD, anchor(2, { askedSigner: 'other' })] })).toEqual([drop]);
    expect(retiring({ anchors: [OLD, BRIDGED] })).toEqual([hold]);
    expect(retiring({ anchors: [OLD, anchor(2, { bundled: false, certificate: ca('B', 'A') })] })).toEqual([hold]);
    expect(retiring({ anchors: [anchor(2, { bundled: false, state: 'issuing' })] })).toEqual([hold]);
  });

  test('not while the new one’s key is lost: nothing is done about that but to wait', () => {
    const lost = { ...LOST, bundled: false };
    expect(retiring({ anchors: [lost], signer: undefined, issuer: { state: 'issuing' } })).toEqual([]);
  });

  test.each(['request', 'other', 1] as const)('after a lost key that waits for %s was followed by another', (asked) => {
    const lost = { ...LOST, askedSigner: asked, request: { key: 'C', publicKey: 'C', subject: 'C' } };
    const held = { signer: undefined, issuer: SIGNED };
    expect(retiring({ anchors: [lost], ...held }, { dropped: undefined })).toEqual([hold]);
    expect(retiring({ anchors: [lost], ...held })).toEqual([hold]);
  });

  test('not while somebody has come up that knows no other, unless its key has gone', () => {
    expect(retiring({ pods: [POD] }, { dropped: undefined })).toEqual([]);
    expect(retiring({ anchors: [anchor(2)], pods: [POD] })).toEqual([{ do: 'keep-roots', keys: ['B'] }]);
  });
});

test('it is remembered since when nobody has had the old one’s key, once it goes', () => {
  const dropped = (anchors: ObservedTrust['anchors'], retiring: boolean) =>
    facts({ anchors }, { retiring }).rotation.dropped;
  const policy = { ...POLICY, paused: true };
  expect(dropped([BRIDGED], true)).toBe(NOW);
  expect(dropped([OLD, BRIDGED], true)).toBeUndefined();
  expect(facts({ anchors: [BRIDGED], policy }).rotation.dropped).toBeUndefined();
});

test('it is remembered that others go by it, where there are others', () => {
  expect(facts().rotation).not.toHaveProperty('committed');
  expect(facts(shared('east')).rotation).toMatchObject({ committed: true });
});
