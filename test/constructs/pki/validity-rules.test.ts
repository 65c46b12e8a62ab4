import fc from 'fast-check';
import { checkChains, checkLimits, proposeValidity } from '#lib/constructs/pki/validity-rules';
import { runs } from '../../support/depth';
import { anyWindows, VALID } from './windows';

test('durations that synth proposes break no rule', () => {
  const property = fc.property(anyWindows, (windows) => {
    const proposal = proposeValidity(windows);
    expect([...checkLimits(proposal), ...checkChains(proposal)]).toEqual([]);
  });
  fc.assert(property, { numRuns: runs(5_000) });
});

test('synth proposes no change of durations that break no rule', () => {
  expect(proposeValidity(VALID)).toEqual(VALID);
  const property = fc.property(anyWindows.map(proposeValidity), (windows) => {
    expect(proposeValidity(windows)).toEqual(windows);
  });
  fc.assert(property, { numRuns: runs(5_000) });
});

test('synth proposes a longer life for an issuer that is too short for its leaves', () => {
  const windows = { ...VALID, identityIssuer: { duration: 86_400_000, renewBefore: 28_800_000 } };
  expect(proposeValidity(windows).identityIssuer).toEqual({ duration: 172_800_000, renewBefore: 90_000_000 });
});
