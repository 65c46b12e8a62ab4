import { knownRelease } from './known-release';
import { EDGE_26_8_3 } from './linkerd/edge-26.8.3';
import { pinnedCharts } from './linkerd/pinned-charts';
import type { LinkerdCharts, LinkerdFeatures, LinkerdRelease } from './linkerd/release';
import { STABLE_2_14_10 } from './linkerd/stable-2.14.10';

/** All that is known of Linkerd's releases: a file for each, or for several of which the charts have equal sources. */
const RELEASES: readonly LinkerdRelease[] = [EDGE_26_8_3, STABLE_2_14_10];

/** All versions that can be installed, the newest first. */
export const LINKERD_VERSIONS = [...EDGE_26_8_3.versions, ...STABLE_2_14_10.versions] as const;

/** The Linkerd releases that can be installed. */
export type LinkerdVersion = (typeof LINKERD_VERSIONS)[number];

/** The release that is installed unless told otherwise: the newest one known. */
export type DefaultLinkerdVersion = 'edge-26.8.3';

/** The release that is installed unless told otherwise. */
export const DEFAULT_LINKERD_VERSION: DefaultLinkerdVersion = 'edge-26.8.3';

/** Facts of one version. */
interface VersionFacts {
  readonly charts: LinkerdCharts;
  readonly features: LinkerdFeatures;
}

const FACTS: Readonly<Record<string, VersionFacts>> = Object.fromEntries(
  RELEASES.flatMap((release) =>
    release.versions.map((version) => [
      version,
      { charts: pinnedCharts(release, version), features: release.features },
    ]),
  ),
);

/** The charts of a release, pinned. */
export function chartsOf(version: LinkerdVersion): LinkerdCharts {
  return knownRelease('Linkerd', FACTS, version).charts;
}

/** Returns what a release does that others do not. */
export function featuresOf(version: LinkerdVersion): LinkerdFeatures {
  return knownRelease('Linkerd', FACTS, version).features;
}
