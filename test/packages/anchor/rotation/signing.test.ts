import { leadsTo } from '#anchor/way';
import { anchor, ca, chain, issued, NOW, observed, POLICY } from '../fixture';
import {
  actions,
  BARE,
  BRIDGED,
  facts,
  LOST,
  OLD,
  POD,
  pod,
  renew,
  SHORT,
  SIGNED,
  SPREAD,
  sign,
  unsigned,
} from './rotation-fixture';

describe('the new anchor may sign', () => {
  const short = { anchors: [SHORT, anchor(2)] };

  test('over a bridge as soon as it is certified and announced, even with laggards', () => {
    expect(unsigned({ pods: [pod()] }).maySign).toBe(true);
    expect(unsigned({}, { announced: SPREAD + 1 }).maySign).toBe(false);
    expect(unsigned({ anchors: [OLD, { ...BRIDGED, state: 'issuing' }] }).maySign).toBe(false);
    const strange = { ...BRIDGED, certificate: ca('B', 'X') };
    expect(unsigned({ anchors: [OLD, strange] })).toMatchObject({ bridged: false, maySign: false });
    expect(unsigned({ anchors: [BRIDGED] })).toMatchObject({ way: 'bridge', maySign: true });
    const certified = { hash: 'AB', anchors: [ca('A'), ca('B', 'A')] };
    expect(unsigned({ bundle: certified }).maySign).toBe(true);
  });

  test('when it is self-signed again, as the old one is removed', () => {
    expect(unsigned({ anchors: [OLD, anchor(2)] }).maySign).toBe(false);
    expect(unsigned({ anchors: [OLD, anchor(2)] }, { retiring: true }).maySign).toBe(true);
  });

  test('at the last moment for an issuer without renewal, if the bundle has the new anchor', () => {
    const call = { ...chain('A'), notAfter: NOW + POLICY.lag + POLICY.patience };
    const held = { anchors: [anchor(2)], signer: undefined, pods: [pod()], issuer: issued('A', { chain: call }) };
    expect(unsigned(held)).toMatchObject({ lastCall: true, maySign: true });
    expect(unsigned({ ...held, signer: 2 })).toMatchObject({ lastCall: true, maySign: true });
    const later = issued('A', { chain: { ...call, notAfter: call.notAfter + 1 } });
    expect(unsigned({ ...held, issuer: later })).toMatchObject({ lastCall: false, maySign: false });
    expect(unsigned({ ...held, ...short }).lastCall).toBe(false);
    expect(unsigned({ ...held, signer: 'other' }).lastCall).toBe(false);
    expect(unsigned({ ...held, issuer: { state: 'issuing' } }).lastCall).toBe(false);
    expect(unsigned({ ...held, issuer: issued('X', { chain: { ...call, signer: 'X' } }) }).lastCall).toBe(true);
    expect(unsigned(held, { announced: undefined }).lastCall).toBe(false);
  });
});

describe('the new anchor signs', () => {
  test('without a bridge if none is possible, or none is needed any more', () => {
    expect(facts({ anchors: [SHORT, anchor(2)], issuer: BARE })).toMatchObject({ signing: true, takenUp: true });
    expect(facts({ issuer: BARE })).toMatchObject({ signed: true, signing: false, takenUp: false });
    expect(facts({ issuer: BARE }, { retiring: true })).toMatchObject({ signing: true, takenUp: true });
  });

  test('only if its key and the issuer are known', () => {
    const nothing = facts({ anchors: [OLD, LOST], issuer: { state: 'issuing' }, pods: [pod()] });
    expect(nothing).toMatchObject({ signed: false, minted: false, laggards: { pods: 0 } });
    expect(facts({ anchors: [OLD, { ...LOST, state: 'issued' }] })).toMatchObject({ signed: false, minted: false });
    expect(facts({ issuer: { ...SIGNED, state: 'missing' } })).toMatchObject({ signed: false, minted: true });
  });

  test("for proxies that trust the old anchor, even before the issuer is valid by the operator's clock", () => {
    const ahead = issued('B', { chain: { ...chain('B', [ca('B', 'A')]), notBefore: NOW + 1 } });
    const seen = observed({ issuer: ahead });
    expect(leadsTo(seen, 'A', NOW)).toBe(true);
    expect(leadsTo(observed({ issuer: SIGNED }), 'A', NOW)).toBe(true);
    expect(leadsTo(seen, undefined, NOW)).toBe(false);
    expect(leadsTo(observed({ issuer: { state: 'issued' } }), 'A', NOW)).toBe(false);
  });
});

describe('the signer', () => {
  const lagging = { anchors: [SHORT, anchor(2)], pods: [{ ...POD, restartable: false }] };

  test('is the old anchor until the new one may sign, or otherwise none', () => {
    expect(actions({ ...lagging, signer: 2 })).toEqual([sign(1)]);
    expect(actions({ ...lagging, signer: 2, anchors: [anchor(2)] })).toEqual([{ do: 'hold-signer' }]);
  });

  test.each([['committed'], ['retiring']])('is the new anchor if the rotation is %s, even with laggards', (final) => {
    expect(actions(lagging, { [final]: true })).toEqual([sign(2)]);
    expect(actions({ ...lagging, signer: 2 }, { [final]: true })).toEqual([renew(1)]);
    const lost = { ...lagging, anchors: [SHORT, LOST] };
    expect(actions({ ...lost, signer: 2 }, { [final]: true })).not.toContainEqual(renew(1));
    expect(actions({ ...lost, signer: 1 }, { [final]: true })).not.toContainEqual(sign(2));
  });

  test('does not change for a first anchor that is being created', () => {
    const first = { anchors: [LOST], issuer: { state: 'missing' as const }, bundle: undefined, kept: [], identity: [] };
    expect(actions({ ...first, signer: 1 }, { from: undefined })).toEqual([]);
  });

  test('renews the issuer for a bridge only if proxies need this bridge', () => {
    const bare = { signer: 2, issuer: issued('B', { revision: 2 }) };
    expect(actions(bare)).toEqual([renew(2)]);
    expect(actions({ ...bare, anchors: [SHORT, anchor(2)] })).toEqual([]);
    expect(actions(bare, { retiring: true })).not.toContainEqual(renew(2));
  });

  test('stays in the bundle, even if its retirement was due', () => {
    const back = { do: 'apply-anchor', generation: 1, signer: 'self', bundled: true };
    const anchors = [anchor(1, { bundled: false }), LOST];
    expect(actions({ signer: 2, anchors }, { retiring: true })).toEqual([sign(1), back]);
    const certified = [anchor(1, { bundled: false, certificate: ca('A', 'Z') }), LOST];
    expect(actions({ signer: 2, anchors: certified }, { retiring: true })).toEqual([sign(1), back]);
    expect(actions({ signer: 2, anchors, issuer: issued('X') }, { retiring: true })).toEqual([sign(1)]);
    expect(actions({ signer: 2, anchors: [LOST] }, { retiring: true })).toEqual([{ do: 'hold-signer' }]);
  });
});
