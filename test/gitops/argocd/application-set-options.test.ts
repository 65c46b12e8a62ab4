import { checkApplicationSetOptions } from '../../../lib/gitops/argocd/application-set-options';

test('the defaults are good', () => {
  expect(checkApplicationSetOptions({})).toEqual([]);
});

test.each(['create-only', 'create-delete'] as const)('a rolling sync cannot work with %s', (applicationsSync) => {
  expect(checkApplicationSetOptions({ applicationsSync })).toEqual([]);
  expect(checkApplicationSetOptions({ applicationsSync, strategy: { type: 'AllAtOnce' } })).toEqual([]);
  expect(checkApplicationSetOptions({ applicationsSync, strategy: { type: 'RollingSync' } })).toMatchObject([
    { code: 'rolling-sync-refused', parameters: { applicationsSync } },
  ]);
});

test.each(['create-update', 'sync'] as const)('a rolling sync works with %s', (applicationsSync) => {
  expect(checkApplicationSetOptions({ applicationsSync, strategy: { type: 'RollingSync' } })).toEqual([]);
});

test('all problems are reported at once', () => {
  const options = {
    strategy: { type: 'RollingSync', maxUpdate: 0 },
    retry: { factor: 0 },
    ignoreDifferences: [{ kind: 'Secret' }],
    applicationsSync: 'create-only',
  } as const;
  expect(checkApplicationSetOptions(options)).toHaveLength(4);
});
