/**
 * Groups of Linkerd releases whose injectors read and use the same values, by the last release of each. Groups before
 * edge-25.10.7 are named after releases that announced a minor version, and are exact for those releases.
 */
export type ReleaseGroup =
  | 'edge-26.8.3'
  | 'edge-26.5.1'
  | 'edge-25.11.2'
  | 'edge-25.4.4'
  | 'edge-24.11.8'
  | 'edge-24.2.4'
  | 'stable-2.14.10';

/** The group of releases that are unknown or newer than all known ones. */
const NEWEST_GROUP = 'edge-26.8.3' satisfies ReleaseGroup;

/** The first edge release after each group of edge releases except the newest, oldest first. */
const ENDS: readonly (readonly [group: ReleaseGroup, before: readonly number[]])[] = [
  ['edge-24.2.4', [24, 8, 2]],
  ['edge-24.11.8', [25, 4, 4]],
  ['edge-25.4.4', [25, 10, 7]],
  ['edge-25.11.2', [25, 11, 3]],
  ['edge-26.5.1', [26, 5, 2]],
];

/**
 * The names of releases. Names with a minor version ended with 2.14. A suffix after a hyphen marks a rebuild:
 * `stable-2.14.10-fips`.
 */
const NAME = /^(?:edge-(\d+)\.(\d+)\.(\d+)|stable-2\.(?:\d|1[0-4])\.\d+)(?:-[\w.-]+)?$/;

/**
 * Returns the group of a release, by the value `linkerdVersion`. A release between two known ones belongs to the
 * earlier group, and an edge release before them to the oldest group of edge releases.
 */
export function releaseGroup(linkerdVersion: unknown): ReleaseGroup {
  const [match, ...numbers] = NAME.exec(typeof linkerdVersion === 'string' ? linkerdVersion : '') ?? [];
  if (match === undefined) return NEWEST_GROUP;
  if (numbers[0] === undefined) return 'stable-2.14.10';
  const release = numbers.map(Number);
  return ENDS.find(([, end]) => isBefore(release, end))?.[0] ?? NEWEST_GROUP;
}

function isBefore(release: readonly number[], other: readonly number[]): boolean {
  const [difference = 0] = other.map((number, index) => (release[index] ?? 0) - number).filter((it) => it !== 0);
  return difference < 0;
}
