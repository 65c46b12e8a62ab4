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

/** Returns the group of releases that a chart of one of them is of; the release where it has no groups. */
export function groupOf(chart: string, release: string): string {
  const { version: name } = releaseNamed(release);
  const row: ReleaseRow | undefined = RELEASES.find(([version]) => version === name);
  const column = Object.entries(GROUP_COLUMNS).find(([name]) => name === chart)?.[1];
  return column === undefined ? name : (row?.[column] ?? name);
}

/** Returns a release by the name that was given for it. */
export function releaseNamed(name: string): Release {
  const known = LINKERD_VERSIONS.find((version): version is LinkerdVersion => version === name);
  if (known === undefined) throw new Error(`"${name}" is no release that is known: ${LINKERD_VERSIONS.join(', ')}.`);
  return releaseOf(known);
}

/** Returns the known release that a chart is of, or the one that is named to compare it with. */
export function releaseOfChart(chart: string, identity: ChartIdentity, like: string | undefined): Release {
  const known = RELEASES.map(([release]) => releaseOf(release)).find(({ charts }) =>
    Object.values(charts).some((pinned) => pinned.name === chart && pinned.version === identity.version),
  );
  if (like === undefined && known !== undefined) return known;
  if (like === undefined) {
    const chartVersion = `${chart} ${identity.version}`;
    throw new Error(`${chartVersion} is of no release that is known: say with --release which one it is like.`);
  }
  return releaseNamed(like);
}

/** Returns the release that a chart says it is of: by name, or by its version, which for edge-YY.M.N is 20YY.M.N. */
export function statedRelease({ version, appVersion }: ChartIdentity): string {
  return appVersion ?? version.replace(/^20(\d\d\.\d+\.\d+)$/, 'edge-$1');
}
