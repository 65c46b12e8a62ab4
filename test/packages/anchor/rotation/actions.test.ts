import { holdAnchor, keepRoots, restartIdentity, unbundleAnchor } from '#anchor/rotation/actions';
import { anchor, bundleOf, ca, issued, memory, NOW, observed } from '../fixture';

describe("the operator's actions for an anchor", () => {
  test('keep it in the bundle by its Certificate or the label of its Secret, unless it is only a Secret', () => {
    expect(holdAnchor(anchor(2))).toEqual([]);
    expect(holdAnchor(anchor(2, { bundled: false }))).toEqual([
      { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true },
    ]);
    expect(holdAnchor(anchor(2, { bundled: false, askedSigner: 1 }))).toEqual([
      { do: 'apply-anchor', generation: 2, signer: 1, bundled: true },
    ]);
    const label = (generation: number) => [{ do: 'bundle', generation, bundled: true }];
    expect(holdAnchor(anchor(0, { bundled: false }))).toEqual(label(0));
    expect(holdAnchor(anchor(2, { bundled: false, askedSigner: 'other' }))).toEqual(label(2));
    expect(holdAnchor(anchor(0, { bundled: false, onlySecret: true }))).toEqual([]);
  });

  test('also keep its key', () => {
    expect(holdAnchor(anchor(0, { bundled: false, changesKey: true }))).toEqual([
      { do: 'keep-key', generation: 0 },
      { do: 'bundle', generation: 0, bundled: true },
    ]);
  });

  test('remove it from the bundle in the same ways', () => {
    expect(unbundleAnchor(anchor(2, { bundled: false }))).toEqual([]);
    expect(unbundleAnchor(anchor(2))).toEqual([{ do: 'apply-anchor', generation: 2, signer: 'self', bundled: false }]);
    // While its signer is pending, the Certificate keeps its label.
    for (const askedSigner of [1, 'request', 'other'] as const) {
      expect(unbundleAnchor(anchor(2, { askedSigner, state: 'issuing', bundled: false }))).toEqual([
        { do: 'apply-anchor', generation: 2, signer: 'self', bundled: false },
      ]);
    }
    expect(unbundleAnchor(anchor(0))).toEqual([{ do: 'bundle', generation: 0, bundled: false }]);
    expect(unbundleAnchor(anchor(2, { askedSigner: 'other' }))).toEqual([
      { do: 'bundle', generation: 2, bundled: false },
    ]);
  });
});

describe('the operator keeps roots', () => {
  const seen = observed({ kept: ['A', 'B'], bundle: bundleOf('A', 'C') });

  test('with a certificate that is kept already, from the bundle, or from another cluster', () => {
    expect(keepRoots(seen, ['A', 'C', 'Z', undefined])).toEqual([{ do: 'keep-roots', keys: ['A', 'C'] }]);
    expect(keepRoots(seen, ['B', 'A'])).toEqual([]);
    const certified = { hash: 'x', anchors: [ca('C', 'A')] };
    expect(keepRoots({ ...seen, bundle: certified }, ['C'])).toEqual([{ do: 'keep-roots', keys: ['C'] }]);
    expect(keepRoots({ ...seen, bundle: undefined }, ['A'])).toEqual([{ do: 'keep-roots', keys: ['A'] }]);
  });

  test('only as a non-empty set, since with an empty one no proxy would trust another', () => {
    expect(keepRoots(seen, [undefined, 'Z'])).toEqual([]);
  });
});

describe('the operator restarts identity', () => {
  const silent = { name: 'identity-0', since: 4000 };
  const deaf = (more: Parameters<typeof observed>[0] = {}) => observed({ identity: [silent], ...more });
  const untaken = { revision: 2, signer: 'A', notAfter: 100_000, since: 4000, seen: 4000 };
  const restarted = (seen = deaf(), mustBeProven = true, known = memory({ issuer: untaken })) =>
    restartIdentity(seen, known, mustBeProven, NOW).length > 0;

  test('if the required proof that identity uses the issuer is missing', () => {
    expect(restarted()).toBe(true);
    expect(restarted(deaf(), false)).toBe(false);
    expect(restarted(deaf({ identity: [{ ...silent, issuerEnd: 50_000 }] }), false)).toBe(true);
    expect(restarted(deaf({ identity: [{ ...silent, issuerEnd: 100_000 }] }))).toBe(false);
  });

  test('only for a known and issued certificate that identity does not use yet', () => {
    expect(restarted(deaf(), true, memory())).toBe(false);
    expect(restarted(deaf(), true, { bundles: [] })).toBe(false);
    expect(restarted(deaf({ issuer: issued('A', { state: 'issuing' }) }))).toBe(false);
    expect(restarted(deaf({ issuer: { state: 'issued', revision: 2 } }))).toBe(false);
  });
});
