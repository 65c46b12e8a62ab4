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

  test('that is lost again waits no more than the first for the signature of one that is lost', () => {
    const unbridged = (change: Partial<Rotation>) => facts({ anchors: [OLD, other] }, change).rotation.unbridged;
    expect(unbridged({ committed: true })).toBe(true);
    expect(unbridged({ unbridged: true })).toBe(true);
    expect(unbridged({})).toBeUndefined();
  });
});

test('the next anchor is asked for', () => {
  expect(actions({ anchors: [OLD] })).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'self', bundled: true }]);
});
