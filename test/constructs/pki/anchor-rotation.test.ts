import { checkRotation } from '#lib/constructs/pki/anchor-rotation';

test.each(['v1.21.1', 'v1.16.1'] as const)('an anchor that %s would renew by itself is refused', (version) => {
  expect(checkRotation(undefined, version)).toMatchObject([
    { code: 'anchor-rotation-refused', parameters: { version } },
  ]);
});

test('manual rotation needs renewal.policy', () => {
  expect(checkRotation('manual', 'v1.21.1')).toEqual([]);
  expect(checkRotation('manual', 'v1.16.1')).toMatchObject([
    { code: 'anchor-rotation-refused', parameters: { version: 'v1.16.1' } },
  ]);
});

test.each(['v1.21.1', 'v1.16.1'] as const)('the risk can be taken by name with %s', (version) => {
  expect(checkRotation('automatic-unsafe', version)).toEqual([]);
});

test('an unknown rotation is refused, with those that are known', () => {
  const [problem] = checkRotation('automatic' as never, 'v1.21.1');
  expect(problem).toMatchObject({
    code: 'anchor-rotation-refused',
    parameters: { rotation: '"automatic"', known: "'operator', 'manual', 'automatic-unsafe'" },
  });
});
