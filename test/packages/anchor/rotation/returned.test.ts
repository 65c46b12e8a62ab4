import type { AnchorMemory, Rotation } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import { anchor, bundleOf, ca, issued, NOW, POLICY } from '../fixture';
import { actions, BRIDGED, facts, LOST, OLD, renew, SIGNED, sign, TAKEN, TURNED, unsigned } from './rotation-fixture';

describe('the operator aborts a rotation', () => {
  const abort = { policy: { ...POLICY, abort: true } };
  const back = { ...abort, signer: 1, issuer: issued('A') };

  test('if the old anchor can sign, or is still the signer', () => {
    expect(facts(abort)).toMatchObject({ hasWayBack: true, held: false, rotation: { aborting: true } });
    const elsewhere = { ...abort, anchors: [BRIDGED], signer: 'other' as const };
    expect(facts(elsewhere)).toMatchObject({ hasWayBack: false, held: true });
    expect(facts({ ...elsewhere, issuer: issued('A') })).toMatchObject({ hasWayBack: true, held: false });
    expect(facts({ ...elsewhere, issuer: issued('A'), signer: undefined })).toMatchObject({ held: true });
    expect(facts({ ...abort, anchors: [OLD, anchor(0, { certificate: ca('B') })] }, { to: 0 }).hasWayBack).toBe(false);
    const adopted = anchor(0, { certificate: ca('A') });
    expect(facts({ ...abort, anchors: [adopted, { ...BRIDGED, generation: 1 }] }, { to: 1 }).hasWayBack).toBe(true);
  });

  test('until no certificate of the new anchor is valid', () => {
    const returned = (more: Partial<ObservedTrust>, change: Partial<Rotation>) =>
      facts({ ...back, ...more }, { aborting: true, ...change }).hasReturned;
    expect(returned({}, { returned: TURNED })).toBe(true);
    expect(returned({}, { returned: TURNED + 1 })).toBe(false);
    expect(returned({ issuer: SIGNED }, { returned: TURNED })).toBe(false);
    // The new anchor signed again meanwhile, and the operator did not see these certificates.
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

  test('after a wait that begins when identity is steady with the old anchor', () => {
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

describe('in an aborted rotation,', () => {
  const abort = { policy: { ...POLICY, abort: true } };
  const back = (more: Partial<ObservedTrust> = {}, change: Partial<Rotation> = {}) =>
    actions({ ...abort, ...more }, { aborting: true, ...change });
  const gone = { returned: TURNED, signing: TURNED };

  test('the operator restores the old anchor to the bundle, signs with it, and renews the issuer', () => {
    const hold = { do: 'apply-anchor', generation: 1, signer: 'self', bundled: true };
    const keep = { do: 'keep-roots', keys: ['A', 'B'] };
    const anchors = [anchor(1, { bundled: false }), BRIDGED];
    expect(back({ anchors, signer: 2, issuer: SIGNED, kept: ['A'] })).toEqual([keep, hold, sign(1)]);
    expect(back({ signer: 1, issuer: SIGNED, kept: ['A'] })).toEqual([keep, renew(2)]);
    expect(back({ signer: 1, issuer: { ...SIGNED, state: 'issuing' } })).toEqual([]);
    expect(back({ signer: 2, issuer: SIGNED })).toEqual([sign(1)]);
    expect(back({ signer: 1, issuer: issued('A') })).toEqual([]);
    expect(back({ signer: 1, issuer: issued('A'), kept: ['A'] })).toEqual([keep]);
  });

  test('the operator removes the new anchor from the bundle, then deletes it', () => {
    const out = { do: 'apply-anchor', generation: 2, signer: 1, bundled: false };
    const keep = { do: 'keep-roots', keys: ['A'] };
    expect(back({}, gone)).toEqual([keep, out]);
    expect(back({ kept: ['A'] }, gone)).toEqual([out]);
    const unbundled = [OLD, { ...BRIDGED, bundled: false }];
    expect(back({ anchors: unbundled }, gone)).toEqual([keep]);
    expect(back({ anchors: unbundled, kept: ['A'] }, gone)).toEqual([]);
    const left = { kept: ['A'], bundle: bundleOf('A') };
    expect(back({ ...left, anchors: unbundled }, gone)).toEqual([{ do: 'delete-anchor', generation: 2 }]);
    expect(back({ ...left, anchors: [OLD, { ...LOST, bundled: false }] }, gone)).toEqual([
      { do: 'delete-anchor', generation: 2 },
    ]);
    expect(back({ ...left, anchors: [OLD] }, gone)).toEqual([]);
  });

  test('the operator completes the abort, even if the old key is lost meanwhile', () => {
    expect(back({ anchors: [BRIDGED], signer: 2, issuer: SIGNED }, { withdrawing: true })).toEqual([]);
  });
});

test('a rotation that can neither abort nor continue keeps both anchors and the signer', () => {
  const held = { policy: { ...POLICY, abort: true }, kept: ['A', 'B'] };
  const hold = (generation: number) => ({ do: 'apply-anchor', generation, signer: 'self', bundled: true });
  const lost = anchor(1, { state: 'issuing', bundled: false });
  expect(actions({ ...held, anchors: [lost, anchor(2, { bundled: false })] })).toEqual([hold(1), hold(2)]);
  expect(actions({ ...held, anchors: [lost, BRIDGED], signer: 1 })).toEqual([hold(1)]);
  const bare = issued('B', { revision: 2 });
  expect(actions({ ...held, anchors: [lost, BRIDGED], signer: 2, issuer: bare })).toEqual([hold(1), renew(2)]);
  expect(actions({ ...held, anchors: [lost], signer: 1 })).toEqual([hold(1)]);
});
