import { anchorPolicy } from '#anchor/policy';
import { TRUST_ANCHOR_DEFAULTS } from '#anchor/trust-anchor';

test.each([
  ['1h30m', 5_400_000],
  ['.5h', 1_800_000],
  ['-1h', 0],
  ['9999999h', 0],
  ['a day', 0],
])('the policy reads renewBefore %j as %d ms', (renewBefore, ms) => {
  expect(anchorPolicy({ ...TRUST_ANCHOR_DEFAULTS, renewBefore }, undefined).renewBefore).toBe(ms);
});
