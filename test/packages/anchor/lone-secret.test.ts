import type { AnchorMemory } from '#anchor/memory';
import type { AnchorAction } from '#anchor/plan';
import { next } from '#anchor/rotation/next';
import { anchor, bundleOf, ca, memory, NOW, observed, POLICY } from './fixture';

const ROTATION = { from: 'A', to: 1, key: 'B', began: NOW - 600, why: 'test', announced: NOW - 500 };

/** A rotation from an anchor that exists only as a Secret and must not certify other CAs. */
function actions(hasIssuer: boolean): readonly AnchorAction[] {
  const certificate = { ...ca('A'), pathLength: 0 };
  const remembered: AnchorMemory = { ...memory(), rotation: ROTATION, rotated: 'x' };
  const seen = observed({
    memory: remembered,
    policy: { ...POLICY, rotateNow: 'x' },
    anchors: [anchor(0, { onlySecret: true, askedSigner: 'other', hasIssuer, certificate }), anchor(1)],
    signer: 0,
    bundle: bundleOf('A', 'B'),
    kept: ['A', 'B'],
  });
  return next(seen, NOW).actions;
}

test('an anchor with only a Secret gets an Issuer, which keeps its generation after it stops signing', () => {
  expect(actions(false)).toContainEqual({ do: 'apply-issuer', generation: 0 });
  expect(actions(true).map((action) => action.do)).not.toContain('apply-issuer');
});
