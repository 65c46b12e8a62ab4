import { anchor, bundleOf, issued } from '../fixture';
import { actions, OLD } from './rotation-fixture';

test('the operator keeps both anchors in the bundle, and the present signer', () => {
  const anchors = [anchor(1, { bundled: false }), anchor(2, { bundled: false })];
  const again = (generation: number) => ({ do: 'apply-anchor', generation, signer: 'self', bundled: true });
  expect(actions({ anchors, bundle: bundleOf('A') }, { announced: undefined })).toEqual([again(1), again(2)]);
  const strange = { issuer: issued('X'), signer: 'other' as const, kept: ['B'], bundle: bundleOf('A', 'B', 'X') };
  expect(actions({ ...strange, anchors: [OLD, anchor(2)] })[0]).toEqual({ do: 'keep-roots', keys: ['B', 'A', 'X'] });
});
