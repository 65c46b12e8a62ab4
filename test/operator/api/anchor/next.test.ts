import type { Rotation } from '../../../../operator/api/anchor/memory';
import { next } from '../../../../operator/api/anchor/next';
import type { ObservedTrust } from '../../../../operator/api/anchor/observed';
import { anchor, bundleOf, ca, chain, issued, memory, NOW, observed, POLICY } from './fixture';

const BOTH = { hash: 'AB', keys: ['A', 'B'], since: NOW - 500 };
/** Generation 2, announced long ago. */
const ROTATION: Rotation = { from: 'A', to: 2, key: 'B', began: NOW - 600, why: 'test', announced: NOW - 500 };

/** A mesh whose rotation is announced, all of whose pods know both anchors. */
function rotating(more: Partial<ObservedTrust> = {}, rotation: Partial<Rotation> = {}): ObservedTrust {
  const before = memory();
  return observed({
    memory: { ...before, bundles: [...before.bundles, BOTH], rotation: { ...ROTATION, ...rotation }, rotated: 'x' },
    policy: { ...POLICY, rotateNow: 'x' },
    anchors: [anchor(1, { hasIssuer: true }), anchor(2)],
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
    identity: [{ name: 'identity-0', since: NOW - 100, issuerEnd: 100_000 }],
    ...more,
  });
}

function actions(seen: ObservedTrust, now = NOW) {
  return next(seen, now).actions;
}

const BRIDGED = anchor(2, { askedSigner: 1, certificate: ca('B', 'A') });

describe('over a bridge', () => {
  test('the old anchor gets its Issuer, then certifies the new one', () => {
    const bare = [anchor(1), anchor(2)];
    expect(actions(rotating({ anchors: bare }))).toEqual([{ do: 'apply-issuer', generation: 1 }]);
    expect(actions(rotating())).toEqual([{ do: 'apply-anchor', generation: 2, signer: 1, bundled: true }]);
  });

  test('an Issuer that is lost while the bridge is made is made again', () => {
    const anchors = [anchor(1), anchor(2, { askedSigner: 1, state: 'issuing' })];
    expect(actions(rotating({ anchors }))).toEqual([{ do: 'apply-issuer', generation: 1 }]);
  });

  test('the new anchor signs when it is certified', () => {
    const anchors = [anchor(1, { hasIssuer: true }), BRIDGED];
    expect(actions(rotating({ anchors }))).toEqual([{ do: 'set-signer', generation: 2 }]);
    expect(actions(rotating({ anchors, signer: 2 }))).toEqual([{ do: 'renew-issuer', revision: 1 }]);
  });
});

describe('taken back', () => {
  const abort = { policy: { ...POLICY, abort: true } };
  const since = NOW - POLICY.leafReach - POLICY.skew - POLICY.lag;

  test('the new anchor leaves the bundle when all that it signed is gone', () => {
    const out = [
      { do: 'keep-roots', keys: ['A'] },
      { do: 'apply-anchor', generation: 2, signer: 'self', bundled: false },
    ];
    expect(actions(rotating(abort, { aborting: true, returned: since }))).toEqual(out);
    expect(actions(rotating(abort, { aborting: true, returned: since + 1 }))).toEqual([]);
  });

  test('not while something is being signed', () => {
    const signing = { ...abort, issuer: issued('A', { state: 'issuing' }) };
    expect(actions(rotating(signing, { aborting: true, returned: since }))).toEqual([]);
  });
});

test('a rotation that is asked for goes on with the generation that is being made', () => {
  const seen = observed({
    policy: { ...POLICY, rotateNow: 'x' },
    memory: memory(),
    anchors: [anchor(1), anchor(2, { state: 'issuing', certificate: undefined })],
    issuer: issued('A', { chain: chain('A') }),
  });
  expect(next(seen, NOW).memory.rotation?.to).toBe(2);
});
