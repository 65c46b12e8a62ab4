import { join } from 'node:path';
import { partOf } from '../support/parts.js';
import quick from '../support/quick.js';

const inTests = (path: string): string => join(__dirname, '..', path);

test('`npm test -- --quick` leaves out what starts other programs, also by way of other files, and what says it is slow', () => {
  const [alone, onCluster, byCompiler, slow] = [
    'operator/flags/flag.test.ts',
    'operator/rbac/operator-rbac.test.ts',
    'docs/api.test.ts',
    'tools/anchor-check/canonical.test.ts',
  ];
  expect(quick([alone, onCluster, byCompiler, slow].map(inTests))).toEqual({ filtered: [inTests(alone)] });
});

test('a whole run has the tests that need Go tools in one part, also by way of other files, and those that measure in another', () => {
  const paths = [
    'operator/rbac/operator-rbac.test.ts',
    'helm/functions/functions.test.ts',
    'consumer/modules.test.ts',
    'operator/flags/flag.test.ts',
    'operator/webhook-attacks/webhook-attacks.test.ts',
  ];
  expect(paths.map(inTests).map(partOf)).toEqual(['go', 'go', 'other', 'other', 'alone']);
});
