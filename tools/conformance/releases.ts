import { LINKERD_VERSIONS, type LinkerdVersion, RELEASES, type ReleaseRow } from '#linkerd/releases/known-releases';
import { type Release, releaseOf } from '#linkerd/releases/release';
import type { ChartIdentity } from './helm-chart';

/** The columns of the table of releases that name groups of charts. */
export const GROUP_COLUMNS = {
  'linkerd-control-plane': 3,
  'linkerd-viz': 5,
  'linkerd2-cni': 6,
  'linkerd-crds': 7,
  'linkerd-multicluster': 8,
} as const;

/** Returns the group of a release for a chart; the release itself if the chart has no groups. */
export function groupOf(chart: string, release: string): string {
  const { version: name } = releaseNamed(release);
  const row: ReleaseRow | undefined = RELEASES.find(([version]) => version === name);
  const column = Object.entries(GROUP_COLUMNS).find(([name]) => name === chart)?.[1];
  return column === undefined ? name : (row?.[column] ?? name);
}

/** Returns a release by its name. */
export function releaseNamed(name: string): Release {
  const known = LINKERD_VERSIONS.find((version): version is LinkerdVersion => version === name);
  if (known === undefined) throw new Error(`"${name}" is not a known release: ${LINKERD_VERSIONS.join(', ')}.`);
  return releaseOf(known);
}

/** Returns the known release of a chart, or the release to compare it with, if that is named. */
export function releaseOfChart(chart: string, identity: ChartIdentity, like: string | undefined): Release {
  const known = RELEASES.map(([release]) => releaseOf(release)).find(({ charts }) =>
    Object.values(charts).some((pinned) => pinned.name === chart && pinned.version === identity.version),
  );
  if (like === undefined && known !== undefined) return known;
  if (like === undefined) {
    const chartVersion = `${chart} ${identity.version}`;
    throw new Error(`${chartVersion} belongs to no known release: name a similar one with --release.`);
  }
  return releaseNamed(like);
}

/** Returns the release in a chart's metadata: its `appVersion`, or from its version (20YY.M.N is edge-YY.M.N). */
export function statedRelease({ version, appVersion }: ChartIdentity): string {
  return appVersion ?? version.replace(/^20(\d\d\.\d+\.\d+)$/, 'edge-$1');
}
