/**
 * All known releases of Linkerd, newest first: the version; the release date; the minor version of Linkerd (for an edge
 * release, the last one announced by then); and the groups of releases that differ only in the version, in the sources
 * of chart linkerd-control-plane, in the annotations that its proxy injector reads, and in the sources of charts
 * linkerd-viz, linkerd2-cni, linkerd-crds and linkerd-multicluster (null if that has no service mirrors). A group has
 * the name of one of its releases.
 */
// biome-ignore format: a table
export const RELEASES = [
  ['edge-26.8.3', '2026-08-21', '2.20', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3'],
  ['edge-26.8.2', '2026-08-12', '2.20', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3'],
  ['edge-26.8.1', '2026-07-30', '2.20', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3'],
  ['edge-26.7.2', '2026-07-24', '2.20', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.8.3'],
  ['edge-26.7.1', '2026-07-16', '2.20', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.6.3', '2026-06-18', '2.20', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.6.2', '2026-06-15', '2.19', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.6.1', '2026-06-05', '2.19', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.5.5', '2026-05-29', '2.19', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.5.4', '2026-05-28', '2.19', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.5.1', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.5.3', '2026-05-20', '2.19', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.5.1', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.5.2', '2026-05-15', '2.19', 'edge-26.6.3', 'edge-26.8.3', 'edge-26.6.3', 'edge-26.5.1', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.5.1', '2026-04-29', '2.19', 'edge-26.5.1', 'edge-26.5.1', 'edge-26.6.3', 'edge-26.5.1', 'edge-26.8.3', 'edge-26.7.1'],
  ['edge-26.4.4', '2026-04-23', '2.19', 'edge-26.5.1', 'edge-26.5.1', 'edge-26.4.4', 'edge-26.4.4', 'edge-26.4.4', 'edge-26.4.4'],
  ['edge-26.4.3', '2026-04-15', '2.19', 'edge-26.5.1', 'edge-26.5.1', 'edge-26.4.4', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.4.4'],
  ['edge-26.4.2', '2026-04-09', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.4.4', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.4.4'],
  ['edge-26.4.1', '2026-04-02', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.4.4', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.4.4'],
  ['edge-26.3.3', '2026-03-19', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.3.3', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.3.3'],
  ['edge-26.3.2', '2026-03-11', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.3.2', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.3.2'],
  ['edge-26.3.1', '2026-03-05', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.3.1', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.3.2'],
  ['edge-26.2.1', '2026-02-17', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.3.1', 'edge-26.4.3', 'edge-26.4.4', 'edge-26.3.2'],
  ['edge-26.1.4', '2026-01-29', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-26.1.4', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-26.1.3', '2026-01-22', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-26.1.4', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-26.1.2', '2026-01-14', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-26.1.4', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-26.1.1', '2026-01-06', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-26.1.4', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-25.12.3', '2025-12-18', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-26.1.4', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-25.12.2', '2025-12-10', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-25.10.7', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-25.12.1', '2025-12-04', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-25.10.7', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-25.11.3', '2025-11-26', '2.19', 'edge-26.5.1', 'edge-26.4.2', 'edge-26.1.4', 'edge-25.10.7', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-25.11.2', '2025-11-20', '2.19', 'edge-25.11.2', 'edge-25.11.2', 'edge-26.1.4', 'edge-25.10.7', 'edge-26.4.4', 'edge-26.1.4'],
  ['edge-25.11.1', '2025-11-06', '2.19', 'edge-25.11.2', 'edge-25.11.2', 'edge-26.1.4', 'edge-25.10.7', 'edge-25.11.1', 'edge-26.1.4'],
  ['edge-25.10.7', '2025-10-29', '2.19', 'edge-25.10.7', 'edge-25.11.2', 'edge-26.1.4', 'edge-25.10.7', 'edge-25.11.1', 'edge-26.1.4'],
  ['stable-2.14.10', '2024-02-20', '2.14', 'stable-2.14.10', 'stable-2.14.10', 'stable-2.14.10', 'stable-2.14.10', 'stable-2.14.10', null],
] as const;

/** A row of the table. */
export type ReleaseRow = (typeof RELEASES)[number];

/** The minor version of Linkerd that announced a release as stable: https://linkerd.io/releases/. */
export const ALIASES = { '2.20': 'edge-26.6.3', '2.19': 'edge-25.10.7' } as const;

/** The known Linkerd releases by name, and the minor versions as aliases of the releases that announced them. */
export type LinkerdVersion = (typeof RELEASES)[number][0] | keyof typeof ALIASES;

/**
 * The default release: the newest known one. Its type is that of all releases, so that declarations compiled with one
 * version of the library fit the next.
 */
export const DEFAULT_LINKERD_VERSION: LinkerdVersion = RELEASES[0][0];

/** All names of releases, newest first. */
export const LINKERD_VERSIONS: readonly LinkerdVersion[] = [
  ...RELEASES.map(([version]) => version),
  ...(Object.keys(ALIASES) as (keyof typeof ALIASES)[]),
];
