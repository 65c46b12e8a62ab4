import type { Rotation } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import { anchor, bundleOf, ca } from '../fixture';
import { actions, facts, first, LOST, member, OLD, pod } from './rotation-fixture';

describe('a first anchor', () => {
  test('restarts no pods', () => {
    expect(first()).toMatchObject({ isFirst: true, maySign: true, adopted: true, laggards: { pods: 0 } });
    expect(first({ bundle: undefined }, { announced: undefined })).toMatchObject({ isFirst: true, adopted: true });
    expect(first({ anchors: [{ ...anchor(2), state: 'issuing' }] }).maySign).toBe(false);
  });

  test('counts as the first even if control plane pods started before any bundle', () => {
    const pods = [pod({ hash: undefined })];
    expect(first({ pods })).toMatchObject({ isFirst: true, laggards: { pods: 0 } });
  });

  test('does not count as the first if other clusters use another one', () => {
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

  test('stays in the memory with all its observations if it is lost', () => {
    expect(facts({ anchors: [OLD, LOST] }, { retiring: true }).rotation).toMatchObject({ key: 'B', retiring: true });
  });

  test('does not count as another key if it was never seen before', () => {
    const aborted = facts({}, { key: undefined, aborting: true, withdrawing: true });
    expect(aborted.rotation).toMatchObject({ key: 'B', withdrawing: true });
  });

  test('replaces the anchor in use if it is another key', () => {
    const from = (anchors: ObservedTrust['anchors'], change: Partial<Rotation>) =>
      facts({ anchors }, change).rotation.from;
    expect(from([OLD, other], {})).toBe('A');
    expect(from([OLD, other], { retiring: true })).toBe('A');
    expect(from([other], {})).toBe('A');
    expect(from([other], { retiring: true })).toBe('B');
    expect(from([OLD, other], { committed: true })).toBe('B');
  });

  test('does not wait for the signature of a lost key, even if it is lost again', () => {
    const unbridged = (change: Partial<Rotation>) => facts({ anchors: [OLD, other] }, change).rotation.unbridged;
    expect(unbridged({ committed: true })).toBe(true);
    expect(unbridged({ unbridged: true })).toBe(true);
    expect(unbridged({})).toBeUndefined();
  });
});

test('the operator requests the next anchor', () => {
  expect(actions({ anchors: [OLD] })).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'self', bundled: true }]);
});
