import type { AnchorMemory } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import { endOfOld, endOfRoot, endOfSigning, rotationTarget, timeNeeded } from '#anchor/rotation-target';
import { wayOf } from '#anchor/way';
import { anchor, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

function target(more: Partial<ObservedTrust>, now = NOW, before = memory()) {
  return rotationTarget(observed({ memory: before, ...more }), before, now);
}

const asked = { policy: { ...POLICY, rotateNow: 'x' } };
const DUE = 1_000_000 - POLICY.renewBefore;

describe('the operator begins a rotation', () => {
  test('when the anchor is due, in a window, and nothing delays it', () => {
    expect(target({}, DUE - 1)).toMatchObject({ kind: 'rest', due: DUE });
    expect(target({}, DUE)).toMatchObject({ kind: 'rotate', rotation: { from: 'A', to: 2 } });
    expect(target({ inWindow: false }, DUE).kind).toBe('rest');
    expect(target({ policy: { ...POLICY, paused: true } }, DUE).kind).toBe('rest');
    expect(target({ policy: { ...POLICY, abort: true } }, DUE).kind).toBe('rest');
  });

  test('outside of a window for an issuer that no controller renews', () => {
    const held = { anchors: [], signer: undefined, kept: ['A'], inWindow: false };
    const needed = timeNeeded(observed(held), 'restarts');
    expect(target(held, 100_000 - 1.5 * needed - 1).kind).toBe('rest');
    expect(target(held, 100_000 - 1.5 * needed).kind).toBe('rotate');
  });

  test('with a generation after all earlier ones', () => {
    const before = memory({ current: { key: 'A', generation: 7 } });
    expect(target(asked, NOW, before)).toMatchObject({ rotation: { to: 8 } });
  });
});

describe('the operator finds a rotation in progress', () => {
  test('to a later generation', () => {
    expect(target({ anchors: [anchor(1), anchor(2)] })).toMatchObject({ rotation: { from: 'A', to: 2 } });
  });

  test('to an earlier generation', () => {
    const found = target({ anchors: [anchor(1), anchor(2)], issuer: issued('B') });
    expect(found).toMatchObject({ rotation: { from: 'A', to: 2 } });
  });

  test('from an issuer whose key is not in the cluster', () => {
    expect(target({ issuer: issued('X') })).toMatchObject({ rotation: { from: 'X', to: 1 } });
  });

  test('if there is no anchor yet, unless the policy aborts it', () => {
    const none = { anchors: [], issuer: { state: 'missing' as const }, bundle: undefined, signer: undefined, kept: [] };
    expect(target(none, NOW, { bundles: [] })).toMatchObject({ rotation: { to: 1 } });
    expect(target({ ...none, policy: { ...POLICY, abort: true } }, NOW, { bundles: [] }).kind).toBe('rest');
  });
});

test('the operator continues a remembered rotation', () => {
  const rotation = { from: 'A', to: 2, began: 0, why: '' };
  expect(target({}, NOW, memory({ rotation }))).toEqual({ kind: 'rotate', rotation });
});

test('an anchor with a name constraint in any of its certificates certifies no other', () => {
  const way = (more: Partial<ObservedTrust>) => wayOf(observed(more), 'A');
  const limited = ca('A', 'A', { constrained: true });
  expect(way({ anchors: [anchor(1, { certificate: limited })] })).toBe('restarts');
  expect(way({ bundle: { hash: 'A', anchors: [ca('A'), limited] } })).toBe('restarts');
  for (const signer of ['A', 'X']) {
    const other = ca('X', signer, { constrained: true });
    expect(way({ bundle: { hash: 'AX', anchors: [ca('A'), other] } })).toBe('bridge');
  }
});

describe('a new rotation', () => {
  test('has its reason, and the present anchor of the mesh', () => {
    expect(target(asked)).toMatchObject({ rotation: { from: 'A', why: 'rotateNow is "x"' } });
    expect(target({}, DUE)).toMatchObject({
      rotation: {
        why: 'the anchor expires within renewBefore, or within the time for a signature outside the cluster',
      },
    });
    const elsewhere = target({ anchors: [], signer: undefined }, 99_999);
    expect(elsewhere).toMatchObject({ rotation: { why: 'the identity issuer expires, and nothing can renew it' } });
    expect(target({}, NOW, memory({ rotated: 'x' })).kind).toBe('rest');
  });

  test("starts from the remembered anchor, or from the bundle's anchor, if the issuer is unreadable", () => {
    const unknown = { ...asked, issuer: { state: 'issuing' as const } };
    expect(target({ ...unknown, anchors: [] }, NOW, memory())).toMatchObject({ rotation: { from: 'A', to: 2 } });
    const known = { ...unknown, bundle: undefined, anchors: [] };
    expect(target(known, NOW, memory())).toMatchObject({ rotation: { from: 'A', to: 2 } });
    const foreign = { ...unknown, anchors: [], bundle: { hash: 'X', anchors: [ca('X')] } };
    expect(target(foreign, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'X', to: 1 } });
  });

  test('starts from the anchor of the ClusterIssuer, if nothing else is known', () => {
    const unknown = { issuer: { state: 'issuing' as const }, identity: [], anchors: [anchor(1), anchor(2), anchor(3)] };
    expect(target({ ...unknown, signer: 2 }, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'B', to: 3 } });
    expect(target({ ...unknown, signer: 1 }, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'A', to: 3 } });
    const none = target({ ...unknown, signer: undefined }, NOW, { bundles: [] });
    expect(none).toMatchObject({ rotation: { from: 'B', to: 3, why: 'there is no anchor yet' } });
    const bridged = { ...unknown, anchors: [anchor(1), anchor(2, { certificate: ca('B', 'A') }), anchor(3)] };
    expect(target({ ...bridged, signer: 2 }, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'B' } });
    expect(target({ ...bridged, signer: undefined }, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'B' } });
    const lost = [anchor(1), anchor(2, { certificate: undefined }), anchor(3)];
    expect(target({ ...unknown, anchors: lost, signer: undefined }, NOW, { bundles: [] })).toMatchObject({
      rotation: { from: 'A', to: 3 },
    });
  });

  test('waits if the signer of the issuer is unknown', () => {
    const unknown = { issuer: { state: 'issued' as const }, identity: [], anchors: [], signer: undefined };
    expect(target(unknown, NOW, { bundles: [] }).kind).toBe('rest');
  });

  test('starts from the newest of several remaining anchors', () => {
    const anchors = [anchor(1), anchor(2), anchor(3)];
    const rotation = { from: 'B', to: 3, why: 'an earlier anchor was found' };
    expect(target({ anchors, issuer: issued('C') })).toMatchObject({ rotation });
    const bridged = [anchor(1), anchor(2, { certificate: ca('B', 'A') }), anchor(3)];
    expect(target({ anchors: bridged, issuer: issued('C') })).toMatchObject({ rotation });
    const lost = anchor(2, { certificate: undefined });
    expect(target({ anchors: [anchor(1), lost, anchor(3)], issuer: issued('C') })).toMatchObject({
      rotation: { from: 'A', to: 3 },
    });
  });

  test('starts from the first of several kept but forgotten roots', () => {
    expect(target({ kept: ['A', 'X', 'Y'] }, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'X', to: 1 } });
  });

  test('gets a new number, unless the next generation exists already', () => {
    const made = (more: Parameters<typeof anchor>[1], generation = 5) =>
      target({
        ...asked,
        anchors: [anchor(generation, { state: 'issuing', certificate: undefined, ...more }), anchor(1)],
      });
    expect(made({})).toMatchObject({ rotation: { to: 5 } });
    expect(made({ state: 'failed' })).toMatchObject({ rotation: { to: 6 } });
    expect(made({}, 0)).toMatchObject({ rotation: { to: 2 } });
    const before = memory({ current: { key: 'A', generation: 5 } });
    const begun = [anchor(5, { state: 'issuing', certificate: undefined }), anchor(1)];
    expect(target({ ...asked, anchors: begun }, NOW, before)).toMatchObject({ rotation: { to: 6 } });
    expect(target({ ...asked, anchors: begun }, NOW, { bundles: [] })).toMatchObject({ rotation: { to: 5 } });
    expect(
      target({ ...asked, anchors: [...begun, anchor(6, { state: 'issuing', certificate: undefined })] }),
    ).toMatchObject({ rotation: { to: 5 } });
    const first = [anchor(1, { state: 'issuing', certificate: undefined })];
    expect(target({ ...asked, anchors: first }, NOW, { bundles: [] })).toMatchObject({
      rotation: { from: 'A', to: 1 },
    });
    const remade = [anchor(2, { state: 'issuing' }), anchor(1)];
    expect(target({ ...asked, anchors: remade, issuer: issued('B') })).toMatchObject({ rotation: { to: 2 } });
    const renewed = { ...asked, anchors: [anchor(1, { state: 'issuing' })] };
    expect(target(renewed, NOW, { bundles: [] })).toMatchObject({ rotation: { from: 'A', to: 2 } });
  });
});

describe('the expiry of an anchor', () => {
  const longer = ca('A', 'A', { notAfter: 2_000_000 });

  test('is the latest of its certificates in the bundle, whatever its Secret contains', () => {
    const bundle = { hash: 'A', anchors: [ca('A'), longer, ca('B', 'B', { notAfter: 3_000_000 })] };
    expect(endOfRoot(observed({ bundle }), 'A')).toBe(2_000_000);
    const bridged = { hash: 'AB', anchors: [ca('A'), ca('B', 'A', { notAfter: 3_000_000 })] };
    expect(endOfRoot(observed({ bundle: bridged }), 'A')).toBe(1_000_000);
    const renewed = [anchor(1, { certificate: longer })];
    expect(endOfRoot(observed({ anchors: renewed }), 'A')).toBe(1_000_000);
  });

  test('is that of the certificate in its Secret if the bundle lacks the anchor', () => {
    const renewed = [anchor(1, { certificate: longer })];
    expect(endOfRoot(observed({ anchors: renewed, bundle: undefined }), 'A')).toBe(2_000_000);
    expect(endOfRoot(observed({ anchors: [] }), 'X')).toBeUndefined();
    expect(endOfSigning(observed({ issuer: { state: 'missing' } }))).toBeUndefined();
  });

  test('determines the due time of its rotation, whatever the operator remembers of another anchor', () => {
    const other = memory({ current: { key: 'X', end: 500_000 } });
    expect(target({}, NOW, other)).toEqual({ kind: 'rest', due: DUE });
    const later = memory({ current: { key: 'A', end: 5_000_000 } });
    expect(target({}, NOW, later)).toEqual({ kind: 'rest', due: DUE });
    expect(target({ issuer: { state: 'issued' } }, NOW, { bundles: [] })).toEqual({ kind: 'rest' });
  });

  test('determines a due time as late as possible, instead of renewBefore, for an issuer that no controller renews', () => {
    const held = { anchors: [], kept: ['A'] };
    const due = (more: Partial<ObservedTrust>) => {
      const found = target({ ...held, ...more });
      return found.kind === 'rest' ? found.due : undefined;
    };
    expect(due({ signer: undefined })).toBe(100_000 - 1.5 * timeNeeded(observed(held), 'restarts'));
    expect(due({ signer: 'other' })).toBe(DUE);
    const certificate = ca('A', 'A', { notAfter: 200_000 });
    const same = {
      bundle: { hash: 'A', anchors: [certificate] },
      issuer: issued('A', { chain: { ...chain('A'), notAfter: 200_000 } }),
    };
    const renewed = 200_000 - POLICY.renewBefore;
    expect(due({ ...same, anchors: [anchor(1, { certificate })] })).toBe(renewed);
    expect(due({ ...same, signer: 'other' })).toBe(renewed);
    const earlier = { hash: 'A', anchors: [ca('A', 'A', { notAfter: 150_000 })] };
    expect(due({ ...same, bundle: earlier, signer: undefined })).toBe(150_000 - POLICY.renewBefore);
  });
});

test('a lost key of the operator signs no bridge, whatever the policy', () => {
  const policy = { ...POLICY, bridgeSigner: 'request' as const, rotateNow: 'now' };
  const begun = (current: AnchorMemory['current']) => {
    const found = target({ policy, anchors: [], signer: undefined }, NOW, memory({ current }));
    return found.kind === 'rotate' ? found.rotation.unbridged : 'rest';
  };
  expect(begun({ key: 'A' })).toBeUndefined();
  expect(begun({ key: 'A', generation: 1 })).toBe(true);
  expect(begun({ key: 'A', lost: true })).toBe(true);
  expect(begun({ key: 'X', lost: true })).toBeUndefined();
});

describe('the expiry of the old anchor', () => {
  const end = (more: Partial<ObservedTrust>, from = 'A', before?: AnchorMemory['current']) =>
    endOfOld(observed(more), { from, to: 2, began: 0, why: '' }, before);

  test('is its expiry before the extension', () => {
    expect(end({}, 'A', { key: 'A', end: 900_000 })).toBe(900_000);
    expect(end({}, 'A', { key: 'B', end: 900_000 })).toBe(1_000_000);
  });
});

test('a lost key that another cluster certifies is replaced at once, before its issuer is about to expire', () => {
  const asking = (key: string) =>
    anchor(1, {
      askedSigner: 'request',
      state: 'issuing',
      certificate: undefined,
      request: { key, publicKey: key, subject: '' },
    });
  const target = (key: string) => rotationTarget(observed({ anchors: [asking(key)] }), memory(), NOW);
  expect(target("A'")).toMatchObject({ kind: 'rotate', rotation: { from: 'A', to: 1, unbridged: true } });
  expect(target('A')).toMatchObject({ kind: 'rest' });
});
