import { join } from 'node:path';
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
