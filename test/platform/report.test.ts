import { formatProblems, formatReport, formatWarnings, type SynthReport } from '../../lib/platform/report';

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

test('a summary', () => {
  expect(formatReport(REPORT)).toBe('2 clusters, 43 files: 3 written, 1 deleted, 40 unchanged');
});

test('clusters that are gone', () => {
  expect(formatReport({ ...REPORT, removedClusters: ['old', 'older'] })).toMatch(/, removed old, older$/);
});

describe('warnings', () => {
  const RISKY = { code: 'no-alerts', what: 'Risky', why: 'It may break', fix: 'do not' } as const;

  test('say what may happen, and what to do', () => {
    expect(formatWarnings([{ path: 'home/pki', problem: RISKY }]).split('\n')).toEqual([
      'warning: home/pki: Risky [no-alerts]',
      '  It may break',
      '  Fix: do not',
    ]);
  });

  test('of one cause in a thousand clusters are one', () => {
    const warnings = Array.from({ length: 1000 }, (_, n) => ({ path: `c${n}/pki`, problem: RISKY }));
    expect(formatWarnings(warnings).split('\n')[0]).toBe(
      'warning: c0/pki, c1/pki, c2/pki and 997 more: Risky [no-alerts]',
    );
    expect(formatWarnings(warnings).split('\n')).toHaveLength(3);
  });

  test('that differ in a name only are told together', () => {
    const warnings = Array.from({ length: 1000 }, (_, n) => ({
      path: `c${n}/pki`,
      problem: { ...RISKY, what: `Risky ${n}` },
    }));
    expect(formatWarnings(warnings).split('\n')).toEqual([
      'warning: c0/pki: Risky 0 [no-alerts]',
      'warning: c1/pki: Risky 1 [no-alerts]',
      'warning: c2/pki: Risky 2 [no-alerts]',
      '  The same of c3/pki, c4/pki, c5/pki and 994 more',
      '  It may break',
      '  Fix: do not',
    ]);
  });

  test('that are acknowledged are counted', () => {
    expect(formatReport({ ...REPORT, acknowledged: 2 })).toMatch(/ \(2 warnings acknowledged\)$/);
  });
});

test('a check that finds nothing', () => {
  const counts = { written: 0, deleted: 0, unchanged: 43 };
  expect(formatReport({ ...REPORT, ...counts, clusters: ['home'], check: true })).toBe(
    '1 cluster, 43 files: up to date',
  );
});

test('a check that finds something', () => {
  const differences = ['a', 'b', 'c', 'd'].map((name) => ({
    path: `home/${name}.yaml`,
    difference: 'missing' as const,
  }));
  const report = { ...REPORT, check: true, differences };
  expect(formatReport(report)).toBe(
    'missing: home/a.yaml\nmissing: home/b.yaml\nmissing: home/c.yaml\nmissing: home/d.yaml\n2 clusters, 43 files: 4 differences; run without --check to write',
  );
});

test('problems stand by cluster and construct, the remedy on its own line', () => {
  const problems = [
    { path: 'home/pki/anchor', message: 'It is wrong. It would break. Fix: do better.' },
    { path: 'stable', message: 'Broken' },
    { path: 'home/pki/anchor', message: 'Wrong again. Fix: try.' },
    { path: 'home/viz', message: 'Odd' },
  ];
  expect(formatProblems(problems)).toBe(
    [
      'home: 3 problems',
      '  home/pki/anchor',
      '    - It is wrong. It would break.',
      '      Fix: do better.',
      '    - Wrong again.',
      '      Fix: try.',
      '  home/viz',
      '    - Odd',
      '',
      'stable: 1 problem',
      '  stable',
      '    - Broken',
      '',
      'Nothing was written: 4 problems.',
    ].join('\n'),
  );
});
