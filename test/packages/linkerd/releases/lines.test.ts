import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { compareReleases, edgeOfLine, lineOf, linesBetween } from '#linkerd/releases/lines';
import { releaseOf } from '#linkerd/releases/release';

test.each([
  ['stable-2.14.10', '2.14'],
  ['stable-2.11.0', '2.11'],
  ['edge-23.11.1', '2.14'],
  ['edge-24.2.3', '2.14'],
  ['edge-24.2.4', '2.15'],
  ['edge-24.11.8', '2.17'],
  ['edge-25.4.3', '2.17'],
  ['edge-25.4.4', '2.18'],
  ['edge-25.10.6', '2.18'],
  ['edge-25.10.7', '2.19'],
  ['edge-26.6.2', '2.19'],
  ['edge-26.6.3', '2.20'],
  ['edge-26.8.3', '2.20'],
  ['edge-27.1.1', '2.20'],
])('lineOf %s is %s', (release, line) => expect(lineOf(release)).toBe(line));

test.each(['', 'latest', 'edge-26.8', '2026.8.3', 'edge-26.8.3-rc1', 'stable-3.0.0'])(
  'lineOf %j is undefined',
  (release) => {
    expect(lineOf(release)).toBeUndefined();
    expect(linesBetween('stable-2.14.10', release)).toEqual([]);
  },
);

test('lineOf agrees with the table of releases', () => {
  const releases = LINKERD_VERSIONS.map((version) => releaseOf(version));
  expect(releases.filter(({ version, line }) => lineOf(version) !== line)).toEqual([]);
});

test('linesBetween excludes the lines of both releases, in either direction', () => {
  expect(linesBetween('stable-2.14.10', 'edge-25.10.7')).toEqual(['2.15', '2.16', '2.17', '2.18']);
  expect(linesBetween('edge-25.10.7', 'stable-2.14.10')).toEqual(['2.15', '2.16', '2.17', '2.18']);
  expect(linesBetween('edge-25.10.7', 'edge-26.8.3')).toEqual([]);
  expect(linesBetween('edge-26.6.3', 'edge-26.8.3')).toEqual([]);
});

test('edgeOfLine names an edge release for lines without a stable release', () => {
  expect(['2.14', '2.15', '2.20', '2.21'].map(edgeOfLine)).toEqual([
    undefined,
    'edge-24.2.4',
    'edge-26.6.3',
    undefined,
  ]);
});

test('compareReleases compares numbers, not text', () => {
  const ordered = ['stable-2.9.1', 'stable-2.14.9', 'stable-2.14.10', 'edge-25.4.4', 'edge-25.10.7', 'edge-26.1.1'];
  expect(ordered.toReversed().toSorted(compareReleases)).toEqual(ordered);
  expect(compareReleases('edge-26.8.3', 'edge-26.8.3')).toBe(0);
});
