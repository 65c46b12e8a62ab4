import { findingsAt } from '#base/findings/finding';
import type { LocatedAcknowledgement } from '#lib/checks/warnings';
import { recordedWarnings } from '#lib/gitops/synth/output/recorded-warning';

const problem = (code: string, what = 'a') => ({ severity: 'warning', code, what, why: 'b', fix: 'c' }) as const;

const by = (path: string, reason: string): LocatedAcknowledgement => ({
  code: 'certificate-alerts-missing',
  path,
  reason,
});

test('synth records warnings in order, and no errors', () => {
  const found = [
    ...findingsAt('home/pki', [problem('trust-root-duplicate', 'z'), problem('trust-root-duplicate', 'a')]),
    ...findingsAt('home/a', [problem('certificate-alerts-missing')]),
    ...findingsAt('home', [{ ...problem('certificate-alerts-missing'), severity: 'error' }]),
  ];
  expect(recordedWarnings(found, [], {}).map(({ code, path, what }) => [code, path, what])).toEqual([
    ['certificate-alerts-missing', 'home/a', 'a'],
    ['trust-root-duplicate', 'home/pki', 'a'],
    ['trust-root-duplicate', 'home/pki', 'z'],
  ]);
});

test('synth hides a password in the reason of a recorded warning', () => {
  const [recorded] = recordedWarnings(
    findingsAt('home', [problem('certificate-alerts-missing')]),
    [by('home', 'see https://me:hunter2@example.com')],
    {},
  );
  expect(JSON.stringify(recorded)).not.toContain('hunter2');
});
