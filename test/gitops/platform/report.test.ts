import { type Finding, findingsAt } from '#base/findings/finding';
import { PLATFORM_FINDINGS } from '#lib/gitops/platform/findings';
import { formatErrors, formatReport, formatWarnings, type SynthReport } from '#lib/gitops/platform/report';

const REPORT: SynthReport = {
  check: false,
  clusters: ['home', 'stable'],
  removedClusters: [],
  warnings: [],
  acknowledged: 0,
  differences: [],
  written: 3,
  deleted: 1,
  unchanged: 40,
};

test('a program prints a summary of its output', () => {
  expect(formatReport(REPORT)).toBe('2 clusters, 43 files: 3 written, 1 deleted, 40 unchanged');
});

describe('warnings', () => {
  const severity = 'warning' as const;
  const RISKY = {
    severity,
    code: 'certificate-alerts-missing',
    what: 'Risky',
    why: 'It may break',
    fix: 'do not',
  } as const;

  test('name the consequence and the remedy', () => {
    expect(formatWarnings([{ severity: 'warning', path: 'home/pki', problem: RISKY }]).split('\n')).toEqual([
      'warning: home/pki: Risky [certificate-alerts-missing]',
      '  It may break',
      '  Fix: do not',
    ]);
  });

  test('that differ only in a name are reported together', () => {
    const warnings = Array.from({ length: 1000 }, (_, n) => ({
      severity,
      path: `c${n}/pki`,
      problem: { ...RISKY, what: `Risky ${n}` },
    }));
    expect(formatWarnings(warnings).split('\n')).toEqual([
      'warning: c0/pki: Risky 0 [certificate-alerts-missing]',
      'warning: c1/pki: Risky 1 [certificate-alerts-missing]',
      'warning: c2/pki: Risky 2 [certificate-alerts-missing]',
      '  The same for c3/pki, c4/pki, c5/pki and 994 more',
      '  It may break',
      '  Fix: do not',
    ]);
  });
});

test('a check without differences prints that the output is up to date', () => {
  const counts = { written: 0, deleted: 0, unchanged: 43 };
  expect(formatReport({ ...REPORT, ...counts, clusters: ['home'], check: true })).toBe(
    '1 cluster, 43 files: up to date',
  );
});

test('a check with differences lists them', () => {
  const differences = ['a', 'b', 'c', 'd'].map((name) => ({
    path: `home/${name}.yaml`,
    difference: 'missing' as const,
  }));
  const report = { ...REPORT, check: true, differences };
  expect(formatReport(report)).toBe(
    'missing: home/a.yaml\nmissing: home/b.yaml\nmissing: home/c.yaml\nmissing: home/d.yaml\n2 clusters, 43 files: 4 differences; run without --check to write',
  );
});

test('problems are printed by cluster and construct, with the remedy on its own line', () => {
  const error = (path: string, what: string, fix: string): Finding => ({
    severity: 'error',
    path,
    problem: { severity: 'error', code: 'wrong', what, why: 'It would break', fix },
  });
  const errors = [
    error('home/pki/anchor', 'It is wrong', 'do better'),
    error('stable', 'Broken', 'mend it.'),
    error('home/pki/anchor', 'Wrong again', 'try'),
    error('home/viz', 'Odd', 'did you mean even?'),
  ];
  expect(formatErrors(errors)).toBe(
    [
      'home: 3 problems',
      '  home/pki/anchor',
      '    - It is wrong. It would break. [wrong]',
      '      Fix: do better.',
      '    - Wrong again. It would break. [wrong]',
      '      Fix: try.',
      '  home/viz',
      '    - Odd. It would break. [wrong]',
      '      Fix: did you mean even?',
      '',
      'stable: 1 problem',
      '  stable',
      '    - Broken. It would break. [wrong]',
      '      Fix: mend it.',
      '',
      'Nothing was written: 4 problems.',
    ].join('\n'),
  );
});

test('the summary reports that an output may be partial after a change by another process', () => {
  const modified = PLATFORM_FINDINGS.outputLockedModified({ outdir: 'dist', error: 'ENOENT' });
  const text = formatErrors(findingsAt('platform', [modified]));
  expect(text).toContain('may be new and another part old');
  expect(text).toMatch(/^Not everything was written: 1 problem\.$/m);
});
