import { checkRotation } from '#lib/constructs/pki/anchor-rotation';

test.each([
  [undefined, 'v1.21.1', true],
  [undefined, 'v1.16.1', true],
  ['manual', 'v1.21.1', false],
  // cert-manager v1.16 has no renewal.policy.
  ['manual', 'v1.16.1', true],
  ['automatic-unsafe', 'v1.21.1', false],
  ['automatic-unsafe', 'v1.16.1', false],
] as const)('whether synth refuses the rotation %s by cert-manager %s: %s', (rotation, version, isRefused) => {
  const refusal = { code: 'anchor-rotation-refused', parameters: { version } };
  expect(checkRotation(rotation, version)).toMatchObject(isRefused ? [refusal] : []);
});
