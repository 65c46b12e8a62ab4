import type { Rotation } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import type { Progress } from '#anchor/rotation/progress';
import { anchor, bundleOf, ca, NOW, POLICY } from '../fixture';
import {
  actions,
  BARE,
  BRIDGED,
  facts,
  LOST,
  member,
  OLD,
  POD,
  SIGNED,
  SPREAD,
  shared,
  TURNED,
} from './rotation-fixture';

describe('the operator', () => {
  test.each<[string, Progress]>([
    ['the identity issuer is being issued', facts({ issuer: { ...SIGNED, state: 'issuing' } })],
    ['the new anchor is being issued', facts({ anchors: [OLD, { ...BRIDGED, state: 'issuing' }] })],
    ['the issuer lacks the bridge', facts({ issuer: BARE })],
    ['the bundle lacks the new anchor', facts({ bundle: bundleOf('A') })],
    [
      'pods of one of several clusters trust no other',
      facts({ ...shared('west', 'east'), members: [member('west', ['B']), member('east', ['A'])] }),
    ],
    ['another cluster signs with it', facts({ ...shared('east'), members: [member('east', ['B'], ['A'])] })],
  ])('does not retire the old anchor while %s', (_, { mayRetire }) => expect(mayRetire).toBe(false));

  test('may retire the old anchor exactly when the last reason to wait has passed', () => {
    expect(facts({}, { announced: SPREAD, adopted: NOW - POLICY.lag }).mayRetire).toBe(true);
  });
});

describe('the old anchor', () => {
  const hold = { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true };
  const retiring = (more: Partial<ObservedTrust>, change: Partial<Rotation> = {}) =>
    actions(
      { anchors: [OLD, anchor(2)], signer: 2, issuer: SIGNED, ...more },
      { retiring: true, signing: TURNED, dropped: 0, ...change },
    );
  const drop = { do: 'delete-anchor', generation: 1 };

  test('is retired when the new anchor is self-signed', () => {
    expect(retiring({})).toEqual([drop]);
    expect(retiring({ anchors: [OLD, anchor(2, { askedSigner: 'other' })] })).toEqual([drop]);
    expect(retiring({ anchors: [OLD, BRIDGED] })).toEqual([hold]);
    expect(retiring({ anchors: [OLD, anchor(2, { bundled: false, certificate: ca('B', 'A') })] })).toEqual([hold]);
    expect(retiring({ anchors: [anchor(2, { bundled: false, state: 'issuing' })] })).toEqual([hold]);
  });

  test('is not retired while the new key is lost, for which the operator only waits', () => {
    const lost = { ...LOST, bundled: false };
    expect(retiring({ anchors: [lost], signer: undefined, issuer: { state: 'issuing' } })).toEqual([]);
  });

  test.each(['request', 'other', 1] as const)(
    'is not retired before a key that replaces a lost one of signer %j is self-signed',
    (asked) => {
      const lost = { ...LOST, askedSigner: asked, request: { key: 'C', publicKey: 'C', subject: 'C' } };
      const held = { signer: undefined, issuer: SIGNED };
      expect(retiring({ anchors: [lost], ...held }, { dropped: undefined })).toEqual([hold]);
      expect(retiring({ anchors: [lost], ...held })).toEqual([hold]);
    },
  );

  test('is not retired while a new pod trusts no other, unless the old key is deleted', () => {
    expect(retiring({ pods: [POD] }, { dropped: undefined })).toEqual([]);
    expect(retiring({ anchors: [anchor(2)], pods: [POD] })).toEqual([{ do: 'keep-roots', keys: ['B'] }]);
  });
});
