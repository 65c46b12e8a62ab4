import { checkRotation } from '../../../lib/constructs/pki/trust-anchor-rotation';

test('an anchor that would be renewed by itself is refused', () => {
  const [problem] = checkRotation(undefined, 'v1.21.1');
  expect(problem?.what).toContain('cert-manager would renew the trust anchor by itself');
  expect(problem?.why).toContain('the mesh stops');
  expect(problem?.fix).toContain("'manual'");
});

test('a cert-manager that cannot disable renewal is told apart', () => {
  expect(checkRotation(undefined, 'v1.16.1')[0]?.fix).toMatch(/^cert-manager v1.16.1 cannot disable the renewal/);
});

test('manual rotation needs renewal.policy', () => {
  expect(checkRotation('manual', 'v1.21.1')).toEqual([]);
  expect(checkRotation('manual', 'v1.16.1')[0]?.what).toBe(
    "trustAnchor.rotation is 'manual' with cert-manager v1.16.1",
  );
});

test.each(['v1.21.1', 'v1.16.1'] as const)('the risk can be taken by name with %s', (version) => {
  expect(checkRotation('automatic-unsafe', version)).toEqual([]);
});

test('a rotation that there is none of is shown, with those that there are', () => {
  const [problem] = checkRotation('automatic' as never, 'v1.21.1');
  expect(problem).toMatchObject({
    what: 'trustAnchor.rotation is "automatic"',
    fix: "set it to one of 'operator', 'manual', 'automatic-unsafe'",
  });
});
