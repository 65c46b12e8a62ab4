import { formatProblems, formatReport, type SynthReport } from '../../lib/platform/report';

const REPORT: SynthReport = {
  check: false,
  clusters: ['home', 'stable'],
  removedClusters: [],
  warnings: [],
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

test('warnings come first', () => {
  const problem = { what: 'Risky', why: 'It may break', fix: 'do not' };
  expect(
    formatReport({ ...REPORT, warnings: [{ path: 'home/pki', problem }] })
      .split('\n')
      .slice(0, 3),
  ).toEqual(['warning: home/pki: Risky', '  It may break', '  Fix: do not']);
});

test('a check that finds nothing', () => {
  const counts = { written: 0, deleted: 0, unchanged: 43 };
  expect(formatReport({ ...REPORT, ...counts, clusters: ['home'], check: true })).toBe(
    '1 cluster, 43 files: up to date',
  );
});

test('a check that finds something', () => {
  const report = { ...REPORT, check: true, differences: [{ path: 'home/a.yaml', difference: 'missing' as const }] };
  expect(formatReport(report)).toBe(
    'missing: home/a.yaml\n2 clusters, 43 files: 4 differences; run without --check to write',
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
