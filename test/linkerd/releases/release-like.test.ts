import { describeProblem } from '../../../lib/kubernetes/findings/problem';
import { LINKERD_FINDINGS } from '../../../lib/linkerd/findings';
import { chartDefaults } from '../../../lib/linkerd/releases/chart-defaults';
import type { ConformanceRecord } from '../../../lib/linkerd/releases/conformance-record';
import { type LinkerdVersion, Release, releaseOf } from '../../../lib/linkerd/releases/release';

const KNOWN = 'edge-26.8.3';
const EQUAL = { sha256: 'a'.repeat(64), variants: 200, different: 0 };
const RECORD: ConformanceRecord = {
  release: 'edge-26.9.1',
  like: KNOWN,
  charts: { 'linkerd-control-plane': EQUAL, 'linkerd-viz': EQUAL, 'linkerd2-cni': EQUAL },
};
const CHARTS = ['linkerd-control-plane', 'linkerd-viz', 'linkerd2-cni'];

test('a release is taken for a known one: its own charts and images, the templates of the other', () => {
  const release = Release.like(KNOWN, 'edge-26.9.1');
  const known = releaseOf(KNOWN);
  expect(release).toMatchObject({ version: 'edge-26.9.1', like: KNOWN, line: '2.20', groups: known.groups });
  expect(release.charts.controlPlane).toEqual({
    ...known.charts.controlPlane,
    version: '2026.9.1',
    linkerdVersion: 'edge-26.9.1',
  });
  expect(chartDefaults(release.charts.viz)).toEqual({
    ...chartDefaults(known.charts.viz),
    linkerdVersion: 'edge-26.9.1',
  });
  expect(releaseOf(release)).toBe(release);
});

test('it may be like what an alias stands for', () => {
  const release = Release.like('2.20', 'edge-26.6.4');
  expect(release.groups.controlPlane).toBe(releaseOf('edge-26.6.3').groups.controlPlane);
});

test.each([
  ['nothing', undefined, CHARTS],
  ['all charts', RECORD, []],
  ['another release', { ...RECORD, release: 'edge-26.9.2' }, CHARTS],
  ['a comparison with another known one', { ...RECORD, like: 'edge-26.6.3' }, CHARTS],
  ['one chart', { ...RECORD, charts: { 'linkerd-viz': EQUAL } }, ['linkerd-control-plane', 'linkerd2-cni']],
  [
    'a difference',
    { ...RECORD, charts: { ...RECORD.charts, 'linkerd-viz': { ...EQUAL, different: 1 } } },
    ['linkerd-viz'],
  ],
  ['no render', { ...RECORD, charts: { ...RECORD.charts, 'linkerd-viz': { ...EQUAL, variants: 0 } } }, ['linkerd-viz']],
] as const)('a record of %s proves no more than that', (_, conformance, unproven) => {
  expect(Release.like(KNOWN, 'edge-26.9.1', { conformance }).unproven).toEqual(unproven);
});

test.each([
  null,
  {},
  { release: 'edge-26.9.1', like: KNOWN },
  { ...RECORD, charts: null },
  { ...RECORD, charts: { 'linkerd-control-plane': null, 'linkerd-viz': 1, 'linkerd2-cni': {} } },
])('a file that is no record proves nothing: %j', (file) => {
  const conformance = file as unknown as ConformanceRecord;
  expect(Release.like(KNOWN, 'edge-26.9.1', { conformance }).unproven).toEqual(CHARTS);
});

test.each([
  ['edge-26.6.3', LINKERD_FINDINGS.releaseLikeRefusedKnown({ version: 'edge-26.6.3' })],
  ['2.20', LINKERD_FINDINGS.releaseLikeRefusedName({ version: '"2.20"' })],
  ['edge-26.13.1', LINKERD_FINDINGS.releaseLikeRefusedName({ version: '"edge-26.13.1"' })],
  ['edge-26.9.1\n', LINKERD_FINDINGS.releaseLikeRefusedName({ version: '"edge-26.9.1\\n"' })],
  [null, LINKERD_FINDINGS.releaseLikeRefusedName({ version: 'null' })],
])('%j is not taken for a release', (version, problem) => {
  expect(() => Release.like(KNOWN, version as string)).toThrow(describeProblem(problem));
});

test('Release.like reports all mistakes at once', () => {
  const like = () => Release.like(KNOWN, 'latest', { proxyVersion: 'a:b' });
  expect(like).toThrow(describeProblem(LINKERD_FINDINGS.releaseLikeRefusedName({ version: '"latest"' })));
  expect(like).toThrow('"a:b"');
  expect(() => Release.like(KNOWN, 'edge-26.9.1', { proxyVersion: 1 as unknown as string })).toThrow(
    describeProblem(LINKERD_FINDINGS.releaseLikeRefusedProxyVersion({ value: '1' })),
  );
  expect(() => Release.like('stable-2.14.10', 'edge-26.9.1')).toThrow(
    describeProblem(LINKERD_FINDINGS.releaseLikeRefusedStable({ version: 'stable-2.14.10', example: KNOWN })),
  );
  expect(Release.like(KNOWN, 'edge-26.9.1', null as unknown as undefined).proxyVersion).toBeUndefined();
  expect(() => Release.like('edge-26.9.1' as LinkerdVersion, 'edge-26.9.2')).toThrow('"edge-26.9.1"');
});
